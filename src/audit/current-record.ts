import type { RecordedRow } from './audit-source.js';
import type { ChainFault, LatestRows } from './chain/check-chain.js';
import { isObject } from '../platform/index.js';

/** The composition root provides them. */
export const CURRENT_RECORDS = Symbol('CURRENT_RECORDS');

export interface CurrentRecord {
  readonly table: string;
  /** The first non-null column counts. Rows without one are skipped. */
  readonly subject: readonly string[];
  /** Distinguishes a subject's rows in the audit. */
  readonly key: string;
  /** SQL of a row `r`. */
  readonly values: Readonly<Record<string, string>>;
  /** A later audit row wins; null when this one determines nothing. */
  readonly determinedBy: (table: string, row: RecordedRow) => DeterminedRow | null;
  /** Days after which the row may be deleted. Undefined: never. */
  readonly removedAfterDays?: number;
}

interface DeterminedRow {
  readonly key: string;
  /** Missing ones keep their earlier value. */
  readonly values: RecordedRow;
}

/** Text, in the order of the record's `values`. */
export interface PresentRecord {
  readonly subjectId: string;
  readonly key: string;
  readonly values: readonly (string | null)[];
}

export function detailOf({ detail }: RecordedRow): RecordedRow {
  return isObject(detail) ? (detail as RecordedRow) : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

interface Determined {
  readonly position: number;
  readonly at: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const DAY_MS = 86_400_000;

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

export function noAudit(
  { table }: CurrentRecord,
  { subjectId, key }: Omit<PresentRecord, 'values'>,
): ChainFault {
  const what = 'no audit entry says that the row was written';
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
    return mayBeGone ? null : 'the row was deleted';
  }
  const differing = Object.keys(columns).filter(
    (name, index) => name in expected && asText(expected[name]) !== present[index],
  );
  return differing.length === 0 ? null : `${differing.join(', ')} differs from the audit trail`;
}

function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
