import type { RecordedRow } from './audit-source.js';
import type { ChainFault, LatestRows } from './chain/check-chain.js';

/** Every record; the composition root knows them. */
export const CURRENT_RECORDS = Symbol('CURRENT_RECORDS');

/** A table whose rows change, and how the rows of the audit determine what each holds now. */
export interface CurrentRecord {
  readonly table: string;
  /** Columns with the subject; the first that is not null counts. Rows without one are not covered. */
  readonly subject: readonly string[];
  /** The column that tells a subject's rows apart in the audit. */
  readonly key: string;
  /** What is compared: by name, in SQL, of a row `r`. */
  readonly values: Readonly<Record<string, string>>;
  /** What a row of an audit table determines, if anything; a later row wins. */
  readonly determinedBy: (table: string, row: RecordedRow) => DeterminedRow | null;
  /** Days after which the row may be gone. Undefined: it is never deleted. */
  readonly removedAfterDays?: number;
}

interface DeterminedRow {
  readonly key: string;
  /** By the names of `values`; those that are left out stay as they were determined before. */
  readonly values: RecordedRow;
}

/** A row as it is now: each value as text, in the order of the record's `values`. */
export interface PresentRecord {
  readonly subjectId: string;
  readonly key: string;
  readonly values: readonly (string | null)[];
}

/** A JSON object inside a row of the audit; empty when it is something else. */
export function detailOf({ detail }: RecordedRow): RecordedRow {
  return typeof detail === 'object' && detail !== null ? (detail as RecordedRow) : {};
}

/** The text of a value that is meant to be an id; empty when it is something else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A row as the audit determines it. */
interface Determined {
  readonly position: number;
  readonly at: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const DAY_MS = 86_400_000;

/** Compares a subject's current rows of one table with what its audit says of them. */
export function checkRecord(
  subjectId: string,
  record: CurrentRecord,
  latest: LatestRows,
  present: readonly PresentRecord[],
  now: Date,
): ChainFault | null {
  const determined = determinedRows(record, latest);
  const found = new Map(present.map((row) => [row.key, row.values]));
  for (const [key, { position, at, values }] of determined) {
    const what = difference(record, values, found.get(key) ?? null, at, now);
    if (what) return { subjectId, position, row: `${record.table} ${key}`, what };
  }
  const extra = present.find(({ key }) => !determined.has(key));
  return extra ? noAudit(record, extra) : null;
}

/** The fault of a row that no audit row speaks of. */
export function noAudit(
  { table }: CurrentRecord,
  { subjectId, key }: Omit<PresentRecord, 'values'>,
): ChainFault {
  const what = 'no entry of the audit says that the row was written';
  return { subjectId, position: null, row: `${table} ${key}`, what };
}

function determinedRows(record: CurrentRecord, latest: LatestRows): Map<string, Determined> {
  const rows = new Map<string, Determined>();
  const inOrder = [...latest.values()].toSorted((one, other) => one.position - other.position);
  for (const { position, said } of inOrder) {
    const change = record.determinedBy(said.source, said.row);
    if (!change) continue;
    const values = { ...rows.get(change.key)?.values, ...change.values };
    rows.set(change.key, { position, at: said.at, values });
  }
  return rows;
}

function difference(
  { values: columns, removedAfterDays }: CurrentRecord,
  expected: Readonly<Record<string, unknown>>,
  present: readonly (string | null)[] | null,
  at: string,
  now: Date,
): string | null {
  if (!present) {
    const mayBeGone =
      removedAfterDays !== undefined && Date.parse(at) + removedAfterDays * DAY_MS < now.getTime();
    return mayBeGone ? null : 'the row has been deleted';
  }
  const differing = Object.keys(columns).filter(
    (name, index) => name in expected && asText(expected[name]) !== present[index],
  );
  return differing.length === 0 ? null : `${differing.join(', ')} is not what the audit says`;
}

function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
