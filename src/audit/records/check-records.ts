import type { ChainFault, LatestRows } from '../chain/check-chain.js';
import type { CurrentRecord, PresentRecord } from '../current-record.js';

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
