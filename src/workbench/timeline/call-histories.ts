import { Injectable } from '@nestjs/common';
import { type LoggedRequest, RequestLog } from '../../request-log/index.js';
import { wordOf } from '../pages/shown-requests.js';
import { entry, fact, type TimelineEntry } from './timeline-entry.js';

const MAX_CALLS = 100;

/** Newest first. */
export interface CallHistory {
  readonly calls: readonly LoggedRequest[];
  /** Whether there were more. */
  readonly isCut: boolean;
}

@Injectable()
export class CallHistories {
  constructor(private readonly requests: RequestLog) {}

  /** The newest hundred, and the newest hundred POSTs, so that polling does not hide them. */
  async of(partnerId: string, subjectId: string): Promise<CallHistory> {
    const stretch = { limit: MAX_CALLS };
    const { requests: newest, nextBefore } = await this.requests.list(
      partnerId,
      { subjectId },
      stretch,
    );
    if (nextBefore === null) return { calls: newest, isCut: false };
    const filter = { subjectId, method: 'POST' };
    const { requests: posted } = await this.requests.list(partnerId, filter, stretch);
    const byId = new Map([...newest, ...posted].map((call) => [call.id, call]));
    const calls = [...byId.values()].toSorted((a, b) => b.at.getTime() - a.at.getTime());
    return { calls, isCut: true };
  }
}

/** Successful reads in a row, such as polling, count as alike. */
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
