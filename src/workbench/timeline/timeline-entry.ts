import { Injectable } from '@nestjs/common';
import { type LoggedRequest, RequestLog } from '../../request-log/index.js';
import { explained, type GuideArea } from '../guide/guide.js';
import { wordOf } from '../pages/shown-requests.js';
import { type Stamp, stamp } from '../pages/workbench-page.js';

type EntryKind = 'Call' | 'Move' | 'Lender' | 'Redirect' | 'Visit' | 'Event' | 'Delivery';

interface Fact {
  readonly name: string;
  readonly value: string;
}

export interface TimelineEntry {
  readonly at: Stamp;
  readonly kind: EntryKind;
  readonly title: string;
  readonly meaning: string;
  readonly guide: string;
  readonly facts: readonly Fact[];
  readonly tone: 'good' | 'bad' | 'plain';
  /** The exact bytes of an event, as text. */
  readonly body?: string;
  readonly href?: string;
  /** Adjacent entries with the same value are merged. */
  readonly alike?: string;
  /** Absent: once. */
  readonly times?: number;
  readonly last?: Stamp;
  /** Milliseconds since 1970. */
  readonly place: number;
}

/** Simultaneous entries are in the order of cause and effect. */
const KINDS: readonly EntryKind[] = [
  'Call',
  'Lender',
  'Move',
  'Visit',
  'Redirect',
  'Event',
  'Delivery',
];

interface GivenEntry {
  readonly at: Date;
  /** Hidden before this time. */
  readonly from?: Date;
  readonly kind: EntryKind;
  readonly title: string;
  readonly term: readonly [GuideArea, string];
  readonly facts?: readonly (Fact | null)[];
  readonly tone?: TimelineEntry['tone'];
  readonly body?: string;
  readonly href?: string;
  readonly alike?: string;
}

export function entry({
  at,
  from = at,
  term,
  facts = [],
  tone = 'plain',
  ...rest
}: GivenEntry): TimelineEntry {
  return {
    ...rest,
    ...explained(...term),
    at: stamp(at),
    place: Math.max(at.getTime(), from.getTime()),
    facts: facts.filter((one) => one !== null),
    tone,
  };
}

export function fact(name: string, value: string | number | null | undefined): Fact | null {
  return value === null || value === undefined || value === '' ? null : { name, value: `${value}` };
}

/** Sorts by time, then kind, then the given order. */
export function inOrder(entries: readonly TimelineEntry[]): TimelineEntry[] {
  return foldedAlike(
    entries.toSorted((a, b) => a.place - b.place || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)),
  );
}

function foldedAlike(entries: readonly TimelineEntry[]): TimelineEntry[] {
  const folded: TimelineEntry[] = [];
  for (const one of entries) {
    const before = folded.at(-1);
    if (one.alike === undefined || one.alike !== before?.alike) folded.push(one);
    else folded.splice(-1, 1, { ...before, times: (before.times ?? 1) + 1, last: one.at });
  }
  return folded;
}

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

/** Successful reads in a row, such as polling, are merged. */
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
