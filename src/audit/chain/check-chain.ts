import type { AuditSource, RecordedRow } from '../audit-source.js';
import {
  chainBeginning,
  type ChainEntry,
  nextHash,
  readEntry,
  type RecordedEntry,
} from '../audit-chain.js';

export interface ChainFault {
  readonly subjectId: string;
  /** Null when the row has no entry. */
  readonly position: number | null;
  /** `table key`, where known. */
  readonly row: string | null;
  readonly what: string;
}

export interface SignedHead {
  readonly position: number;
  /** Hex. */
  readonly hash: string;
  /** For example `the root of 2026-11-22`. */
  readonly where: string;
  /** The earliest time of entries first covered by this head. */
  readonly notBefore?: number;
}

/** By table and key, as `audit_row` writes them. */
export type PresentRows = ReadonlyMap<string, ReadonlyMap<string, string>>;

interface Checked {
  readonly subjectId: string;
  readonly entries: readonly ChainEntry[];
  readonly heads: readonly SignedHead[];
  /** The earliest time of entries after the last head. */
  readonly notBefore?: number;
}

export interface Sources {
  readonly byTable: ReadonlyMap<string, AuditSource>;
  readonly now: Date;
}

const DAY_MS = 86_400_000;
/** Commits may wait for each other, and servers' clocks differ. */
const MAY_FALL_MS = 10 * 60_000;

export interface LatestOfRow {
  readonly position: number;
  readonly said: RecordedEntry;
  readonly key: string;
}

export type LatestRows = ReadonlyMap<string, LatestOfRow>;

export interface SoundChain {
  readonly latest: LatestRows;
  readonly unknown: number;
}

/** Checks links, subject, allowed changes and signed heads; returns the first fault. */
export function checkChain(
  { subjectId, entries, heads, notBefore }: Checked,
  sources: Sources,
): ChainFault | SoundChain {
  const walk = new ChainWalk(subjectId, sources);
  const ahead = heads.toSorted((one, other) => one.position - other.position);
  for (const entry of entries) {
    while (ahead[0] && ahead[0].position < entry.position) ahead.shift();
    const fault = walk.take(entry, ahead[0]) ?? walk.timeFault(entry, ahead[0], notBefore);
    if (fault) return fault;
  }
  const missing = ahead.find(({ position }) => position > entries.length);
  if (!missing) {
    return walk.unfoundedErasure() ?? { latest: walk.latest, unknown: walk.unknown };
  }
  const position = entries.length + 1;
  const what = `the end is missing: ${missing.where} has ${missing.position} entries`;
  return { subjectId, position, row: null, what };
}

class ChainWalk {
  readonly latest = new Map<string, LatestOfRow>();
  unknown = 0;
  private previous: Buffer;
  private previousAt = Number.NEGATIVE_INFINITY;
  private position = 0;
  private erasure: ChainFault | null = null;
  private isErased = false;

  constructor(
    private readonly subjectId: string,
    private readonly sources: Sources,
  ) {
    this.previous = chainBeginning(subjectId);
  }

  /** @param head the first that covers the entry */
  take({ position, entry, hash, joinedAt }: ChainEntry, head?: SignedHead): ChainFault | null {
    const { subjectId } = this;
    this.position += 1;
    if (position !== this.position) {
      const what = 'the entry is missing';
      return { subjectId, position: this.position, row: null, what };
    }
    this.previous = nextHash(this.previous, entry);
    const said = readEntry(entry);
    const source = said && this.sources.byTable.get(said.source);
    const key = said && source ? keyIn(said.row[source.key]) : null;
    const row = said && key !== null ? `${said.source} ${key}` : null;
    const fault = (what: string): ChainFault => ({ subjectId, position, row, what });
    if (this.previous.toString('hex') !== hash) {
      return fault(
        'the entry differs from the one that was hashed, or does not follow the previous entry',
      );
    }
    if (head?.position === position && head.hash !== hash) {
      return fault(`it differs from ${head.where}`);
    }
    if (!said) return fault('the entry cannot be read');
    if (source && key === null) return fault(`the row has no ${source.key}`);
    if (joinedAt !== undefined && joinedAt !== said.at) {
      return fault('joined_at differs from the time in the entry');
    }
    // An entry of a later release.
    if (!source || key === null || row === null) {
      this.unknown += 1;
      return null;
    }
    if (said.row[source.subject] !== subjectId) return fault('the row belongs to another subject');
    const before = this.latest.get(row);
    const what = changeFault(source, before?.said, said);
    if (what) return fault(what);
    if (before && isEmptied(source, before.said, said)) {
      this.erasure ??= fault('sealed values are gone, and no erasure is recorded');
    }
    this.isErased ||= source.isErasure(said.row);
    // Keeps the order of entries.
    this.latest.delete(row);
    this.latest.set(row, { position, said, key });
    return null;
  }

  timeFault({ position, entry }: ChainEntry, head?: SignedHead, otherwise?: number) {
    const { subjectId } = this;
    const at = Date.parse(readEntry(entry)?.at ?? '');
    const fault = (what: string): ChainFault => ({ subjectId, position, row: null, what });
    const before = this.previousAt;
    this.previousAt = at;
    if (at < before - MAY_FALL_MS)
      return fault('its time is before the time of the previous entry');
    if (head && at < (head.notBefore ?? at)) {
      return fault(
        `its time is before a root that does not contain it: ${head.where} is the first that does`,
      );
    }
    if (!head && at < (otherwise ?? at))
      return fault('no root contains it, although later roots exist');
    return null;
  }

  unfoundedErasure(): ChainFault | null {
    return this.isErased ? null : this.erasure;
  }
}

function changeFault(
  source: AuditSource,
  before: RecordedEntry | undefined,
  after: RecordedEntry,
): string | null {
  if (!before) {
    return after.event === 'UPDATE'
      ? 'it was changed, but no entry says that it was written'
      : null;
  }
  if (after.event === 'INSERT') return 'the row was written twice';
  const changed = Object.keys(before.row)
    .filter((column) => !isSame(before.row[column], after.row[column]))
    .filter((column) => !mayChange(source, column, before.row[column], after.row[column]));
  return changed.length === 0 ? null : `${changed.join(', ')} changed, which is not allowed`;
}

export function checkRows(
  subjectId: string,
  latest: LatestRows,
  present: PresentRows,
  { byTable, now }: Sources,
): ChainFault | null {
  for (const [row, { position, said, key }] of latest) {
    const source = byTable.get(said.source)!;
    const text = present.get(said.source)?.get(key);
    const what = text === undefined ? deletionFault(source, said, now) : changeOf(said, text);
    if (what) return { subjectId, position, row, what };
  }
  return null;
}

/** By the row's own time: the entry may be younger. */
function deletionFault(source: AuditSource, { row }: RecordedEntry, now: Date): string | null {
  const days = source.removedAfterDays(row);
  const writtenAt = Date.parse(String(row[source.at]));
  const mayBeGone = days !== undefined && writtenAt + days * DAY_MS < now.getTime();
  return mayBeGone ? null : 'the row was deleted, or now belongs to another subject';
}

/** The entry may lack columns that were added later. */
function changeOf({ row }: RecordedEntry, text: string): string | null {
  const now = JSON.parse(text) as RecordedRow;
  const changed = Object.keys(row).filter((column) => !isSame(row[column], now[column]));
  return changed.length === 0 ? null : `${changed.join(', ')} changed since it was written`;
}

function mayChange(source: AuditSource, column: string, before: unknown, after: unknown): boolean {
  if (source.filledIn.includes(column)) return before === null;
  return source.sealed.includes(column) && after === null;
}

function isEmptied({ sealed }: AuditSource, before: RecordedEntry, after: RecordedEntry): boolean {
  return sealed.some((column) => before.row[column] !== null && after.row[column] === null);
}

/** jsonb writes equal values alike. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function keyIn(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}
