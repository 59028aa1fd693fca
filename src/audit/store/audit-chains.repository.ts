import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/index.js';
import type { AuditSource } from '../audit-source.js';
import type { ChainEntry } from '../chain/audit-chain.js';
import type { Head } from '../roots/merkle-tree.js';

/** The entries of one subject, whole. */
export interface Chain {
  readonly subjectId: string;
  readonly entries: readonly ChainEntry[];
}

interface EntryRow extends ChainEntry {
  readonly subjectId: string;
}

/** A row without an entry. */
interface Unchained {
  readonly key: string;
  readonly subjectId: string;
}

interface Searched {
  readonly last: string | null;
  readonly found: Unchained | null;
}

/** Reads the chains and what they are about; the tables' names come from those who own them. */
@Injectable()
export class AuditChainsRepository {
  /** Has a transaction read one state of everything, and times as the entries say them. */
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

  /** Every chain, whole, some thousand entries at a time. */
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
      // The next rows may go on with the last one.
      const unfinished = isLast ? undefined : chains.pop();
      open = (unfinished?.entries ?? []) as EntryRow[];
      if (chains.length > 0) yield chains;
      if (isLast) return;
      [subject, position] = [last.subjectId, last.position];
    }
  }

  /** The rows with these keys, as the chain would say them now. */
  async rowsByKey(
    tx: Tx,
    source: AuditSource,
    keys: readonly string[],
  ): Promise<Map<string, string>> {
    const { table, key, keyType } = source;
    const rows = await tx.query<{ key: string; row: string }>(
      `SELECT r.${key}::text AS key, ${saidBy(source)} AS row FROM ${table} AS r
       WHERE r.${key} = ANY ($1::${keyType}[])`,
      [keys],
    );
    return new Map(rows.map((row) => [row.key, row.row]));
  }

  /** The keys of a subject's rows. */
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

  /** The first row of a table that no entry says; a search through all of it, in lots. */
  async firstUnchained(tx: Tx, source: AuditSource): Promise<Unchained | null> {
    const { table, key, keyType, subject } = source;
    let after: string | null = null;
    for (;;) {
      const [lot]: Searched[] = await tx.query<Searched>(
        `WITH lot AS MATERIALIZED (
           SELECT ${key}, ${subject} FROM ${table}
           WHERE $2::${keyType} IS NULL OR ${key} > $2::${keyType} ORDER BY ${key} LIMIT ${ROWS_A_LOT}
         )
         SELECT (SELECT max(${key}) FROM lot)::text AS last, (
           SELECT jsonb_build_object('key', r.${key}::text, 'subjectId', r.${subject})
           FROM lot AS r WHERE r.${subject} IS NOT NULL AND ${hasNoEntry(source, '$1')}
           ORDER BY r.${key} LIMIT 1) AS found`,
        [table, after],
      );
      if (lot.found || lot.last === null) return lot.found;
      after = lot.last;
    }
  }

  /** The heads of these subjects in all trees, the oldest first. */
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

  /** A subject that has a head in a tree and no entry. */
  async firstVanished(tx: Tx): Promise<string | null> {
    const [row] = await tx.query<{ subjectId: string }>(
      `SELECT l.subject_id AS "subjectId" FROM audit_leaves AS l
       WHERE NOT EXISTS (SELECT 1 FROM audit_entries AS e WHERE e.subject_id = l.subject_id)
       ORDER BY l.subject_id LIMIT 1`,
    );
    return row?.subjectId ?? null;
  }

  async now(tx: Tx): Promise<Date> {
    const [row] = await tx.query<{ now: Date }>('SELECT app_now() AS now');
    return row.now;
  }
}

const ROWS_A_LOT = 10_000;
const ENTRY = `position, entry, encode(hash, 'hex') AS hash, to_json(joined_at) #>> '{}' AS "joinedAt"`;

/** In SQL, of a row `r`: what `chain_audit_row` would have the chain say of it. */
export function saidBy({ sealed, leftOut }: AuditSource): string {
  if (sealed.length + leftOut.length === 0) return 'to_jsonb(r)::text';
  return `audit_row(to_jsonb(r), ${arrayOf(sealed)}, ${arrayOf(leftOut)})`;
}

/** In SQL, of a row `r`: that the chain of its subject says nothing of it. */
export function hasNoEntry({ key, subject }: AuditSource, table: string): string {
  return `NOT EXISTS (SELECT 1 FROM audit_entries AS e WHERE e.subject_id = r.${subject}
    AND e.entry::jsonb ->> 'source' = ${table} AND e.entry::jsonb -> 'row' ->> '${key}' = r.${key}::text)`;
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
