import type { LoggedRequest } from '../../request-log/index.js';
import { wordOf } from '../pages/shown-requests.js';
import { entry, fact, type TimelineEntry } from './timeline-entry.js';

/** A partner's calls. Reads that succeed and follow upon each other, as when a journey is polled, are alike. */
export function callEntries(calls: readonly LoggedRequest[]): TimelineEntry[] {
  return calls.toReversed().map((call) => {
    const { id, requestId, method, route, status, code, durationMs } = call;
    const title = [`${method} ${route}: ${status}`, code].filter(Boolean).join(' ');
    const isGood = status < 400;
    return entry({
      at: call.at,
      kind: 'Call',
      title,
      term: ['call', wordOf(call)],
      facts: [fact('Request', requestId), fact('Took', `${durationMs} ms`)],
      tone: isGood ? 'plain' : 'bad',
      href: `/workbench/requests/${id}`,
      alike: isGood && method === 'GET' ? title : undefined,
    });
  });
}
