import { explained, type GuideArea } from '../guide/guide.js';
import { type Stamp, stamp } from '../pages/stamp.js';

/** What an entry is about; the page marks each kind. */
export type EntryKind = 'Call' | 'Move' | 'Lender' | 'Redirect' | 'Visit' | 'Event' | 'Delivery';

export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** Something that happened, as the page shows it. */
export interface TimelineEntry {
  readonly at: Stamp;
  readonly kind: EntryKind;
  readonly title: string;
  readonly meaning: string;
  /** Where the guide says more. */
  readonly guide: string;
  readonly facts: readonly Fact[];
  readonly tone: 'good' | 'bad' | 'plain';
  /** The exact bytes of an event, as text. */
  readonly body?: string;
  /** The page that says more of it. */
  readonly href?: string;
  /** What it has in common with others that are one entry together when nothing came between. */
  readonly alike?: string;
  /** How often it happened, and when last; only where that was more than once. */
  readonly times?: number;
  readonly last?: Stamp;
  /** Milliseconds since 1970: its place among the others. */
  readonly place: number;
}

/** The kinds of one moment come in the order in which one leads to the other. */
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
  /** What it followed from: it is not told before that. */
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

/** The fact, or none when there is no value. */
export function fact(name: string, value: string | number | null | undefined): Fact | null {
  return value === null || value === undefined || value === '' ? null : { name, value: `${value}` };
}

/** Oldest first; of one moment in the order of the kinds, and within one as given. */
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
