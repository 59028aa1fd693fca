import { explained, type GuideArea } from '../guide/guide.js';
import { type Stamp, stamp } from '../pages/format.js';

type EntryKind = 'Call' | 'Move' | 'Lender' | 'Redirect' | 'Visit' | 'Event' | 'Delivery';

export interface Fact {
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
  /** Adjacent entries with the same value become one. */
  readonly alike?: string;
  /** More than once. */
  readonly times?: number;
  readonly last?: Stamp;
  /** Milliseconds since 1970. */
  readonly place: number;
}

/** Entries of one moment are in the order of cause and effect. */
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
  /** It is not shown before this. */
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

/** Null without a value. */
export function fact(name: string, value: string | number | null | undefined): Fact | null {
  return value === null || value === undefined || value === '' ? null : { name, value: `${value}` };
}

/** Of one moment by kind, and within a kind as given. */
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
