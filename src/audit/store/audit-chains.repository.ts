import { Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { Tx } from '../../platform/index.js';
import type { AuditSource } from '../audit-source.js';
import type { ChainEntry } from '../audit-chain.js';
import type { CurrentRecord, PresentRecord } from '../current-record.js';
import type { Head } from '../merkle-tree.js';
import { AuditEntryRow, AuditLeaf, AuditRoot } from './audit.entity.js';

export const AUDIT_ENTITIES = [AuditEntryRow, AuditRoot, AuditLeaf];

export interface Chain {
  readonly subjectId: string;
  readonly entries: readonly ChainEntry[];
}

interface EntryRow extends ChainEntry {
  readonly subjectId: string;
}

interface RowOfSubject {
  readonly key: string;
  readonly subjectId: string;
}

@Injectable()
export class AuditChainsRepository {
  /** One snapshot, and the entries' time format. */
  async readOneState(tx: Tx): Promise<void> {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await tx.query(`SET LOCAL timezone TO 'UTC'`);
  }

  async chainOf(tx: Tx, subjectId: string): Promise<Chain> {
    const entries = await tx.query<ChainEntry>(
      `SELECT ${ENTRY} FROM audit_entries WHERE subject_id = $1 ORDER BY position`,
      [subjectId],
    );
    return { subjectId, entries };
  }

  async *chains(tx: Tx, atATime: number): AsyncGenerator<Chain[]> {
    let [subject, position] = ['', 0];
    let open: EntryRow[] = [];
    for (;;) {
      const rows = await tx.query<EntryRow>(
        `SELECT subject_id AS "subjectId", ${ENTRY} FROM audit_entries
         WHERE (subject_id, position) > ($1, $2) ORDER BY subject_id, position LIMIT $3`,
        [subject, position, atATime],
      );
      const last = rows.at(-1);
      const isLast = last === undefined || rows.length < atATime;
      const chains = chainsIn([...open, ...rows]);
      // The next batch may continue the last chain.
      const unfinished = isLast ? undefined : chains.pop();
      open = (unfinished?.entries ?? []) as EntryRow[];
      if (chains.length > 0) yield chains;
      if (isLast) return;
      [subject, position] = [last.subjectId, last.position];
    }
  }

  async rowsByKey(
    tx: Tx,
    source: AuditSource,
    keys: readonly string[],
  ): Promise<Map<string, string>> {
    const { table, key, keyType } = source;
    const rows = await tx.query<{ key: string; row: string }>(
      `SELECT r.${key}::text AS key, ${entrySql(source)} AS row FROM ${table} AS r
       WHERE r.${key} = ANY ($1::${keyType}[])`,
      [keys],
    );
    return new Map(rows.map((row) => [row.key, row.row]));
  }

  async keysOf(tx: Tx, { table, key, subject }: AuditSource, subjectId: string): Promise<string[]> {
    const rows = await tx.query<{ key: string }>(
      `SELECT ${key}::text AS key FROM ${table} WHERE ${subject} = $1 ORDER BY ${key}`,
      [subjectId],
    );
    return rows.map((row) => row.key);
  }

  async countRows(tx: Tx, { table, subject }: AuditSource): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table} WHERE ${subject} IS NOT NULL`,
    );
    return row.count;
  }

  async unchained(tx: Tx, source: AuditSource, most: number): Promise<RowOfSubject[]> {
    const { table, key, keyType, subject } = source;
    const found: RowOfSubject[] = [];
    let after: string | null = null;
    for (;;) {
      const lot: RowOfSubject[] = await tx.query<RowOfSubject>(
        `SELECT ${key}::text AS key, ${subject} AS "subjectId" FROM ${table}
         WHERE ${subject} IS NOT NULL AND ($1::${keyType} IS NULL OR ${key} > $1::${keyType})
         ORDER BY ${key} LIMIT ${ROWS_A_LOT}`,
        [after],
      );
      const chained = await this.chainedIn(tx, source, lot);
      found.push(...lot.filter((row) => !chained.has(`${row.subjectId} ${row.key}`)));
      const last = lot.at(-1);
      if (found.length >= most || !last) return found.slice(0, most);
      after = last.key;
    }
  }

  private async chainedIn(
    tx: Tx,
    { table, key }: AuditSource,
    rows: readonly RowOfSubject[],
  ): Promise<Set<string>> {
    const chained = await tx.query<RowOfSubject>(
      `SELECT DISTINCT subject_id AS "subjectId", entry::jsonb -> 'row' ->> '${key}' AS key FROM audit_entries
       WHERE subject_id = ANY ($1) AND entry::jsonb ->> 'source' = $2`,
      [[...new Set(rows.map(({ subjectId }) => subjectId))], table],
    );
    return new Set(chained.map(({ subjectId, key: own }) => `${subjectId} ${own}`));
  }

  records(tx: Tx, record: CurrentRecord, subjects: readonly string[]): Promise<PresentRecord[]> {
    const isOf = record.subject.map((column) => `r.${column} = ANY ($1)`).join(' OR ');
    const values = Object.values(record.values).map((sql) => `(${sql})::text`);
    return tx.query(
      `SELECT ${subjectOf(record)} AS "subjectId", r.${record.key}::text AS key, ARRAY[${values.join(', ')}] AS values
       FROM ${record.table} AS r WHERE ${isOf}`,
      [subjects],
    );
  }

  async countRecords(tx: Tx, record: CurrentRecord): Promise<number> {
    const [row] = await tx.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${record.table} AS r WHERE ${subjectOf(record)} IS NOT NULL`,
    );
    return row.count;
  }

  recordsWithoutChain(
    tx: Tx,
    record: CurrentRecord,
    most: number,
  ): Promise<Omit<PresentRecord, 'values'>[]> {
    return tx.query(
      `SELECT ${subjectOf(record)} AS "subjectId", r.${record.key}::text AS key FROM ${record.table} AS r
       WHERE ${subjectOf(record)} IS NOT NULL
         AND NOT EXISTS (SELECT FROM audit_entries AS e WHERE e.subject_id = ${subjectOf(record)})
       ORDER BY 2 LIMIT $1`,
      [most],
    );
  }

  /** Without partitions. */
  tables(tx: Tx): Promise<string[]> {
    return tx.column<string>(
      `SELECT relname AS name FROM pg_class
       WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace
       ORDER BY relname`,
    );
  }

  /** Oldest first. */
  async signedHeads(
    tx: Tx,
    subjects: readonly string[],
  ): Promise<(Head & { readonly root: number; readonly day: string })[]> {
    return tx.query(
      `SELECT l.subject_id AS "subjectId", l.position, encode(l.hash, 'hex') AS hash,
         r.number AS root, r.day::text
       FROM audit_leaves AS l JOIN audit_roots AS r ON r.number = l.root_number
       WHERE l.subject_id = ANY ($1) ORDER BY l.root_number`,
      [subjects],
    );
  }

  vanished(tx: Tx, most: number): Promise<string[]> {
    return tx.column<string>(
      `SELECT DISTINCT l.subject_id AS "subjectId" FROM audit_leaves AS l
       WHERE NOT EXISTS (SELECT 1 FROM audit_entries AS e WHERE e.subject_id = l.subject_id)
       ORDER BY 1 LIMIT $1`,
      [most],
    );
  }

  async now(tx: Tx): Promise<Date> {
    const [row] = await tx.query<{ now: Date }>('SELECT app_now() AS now');
    return row.now;
  }
}

const ROWS_A_LOT = 2_000;
const ENTRY = `position, entry, encode(hash, 'hex') AS hash, to_json(joined_at) #>> '{}' AS "joinedAt"`;

/** SQL of a row `r`, as `chain_audit_row` writes it. */
function entrySql({ sealed, leftOut }: AuditSource): string {
  if (sealed.length + leftOut.length === 0) return 'to_jsonb(r)::text';
  return `audit_row(to_jsonb(r), ${arrayOf(sealed)}, ${arrayOf(leftOut)})`;
}

function subjectOf({ subject }: CurrentRecord): string {
  return `coalesce(${subject.map((column) => `r.${column}`).join(', ')})`;
}

function arrayOf(columns: readonly string[]): string {
  return `'{${columns.join(',')}}'::text[]`;
}

function chainsIn(rows: readonly EntryRow[]): Chain[] {
  return [...Map.groupBy(rows, ({ subjectId }) => subjectId)].map(([subjectId, entries]) => ({
    subjectId,
    entries,
  }));
}

export async function hasChain(dataSource: DataSource, subjectId: string): Promise<boolean> {
  const found: unknown[] = await dataSource.query(
    'SELECT 1 FROM audit_entries WHERE subject_id = $1 LIMIT 1',
    [subjectId],
  );
  return found.length > 0;
}
