import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/index.js';
import type { Head } from '../merkle-tree.js';
import type { AuditRoot } from './audit.entity.js';

/** Long enough for the first night after an upgrade, which reads every chain. */
const PLANT_TIMEOUT_MS = 5 * 60_000;
// An arbitrary number.
const ROOTS_LOCK = 4_702_148;

interface RootBefore {
  readonly number: number;
  readonly root: string;
}

interface PlantedHead extends Head {
  readonly leafIndex: number;
}

/** To the microsecond, as in the statement. */
export type ListedRoot = Omit<AuditRoot, 'signedAt'> & { readonly signedAt: string };

interface DueDay {
  /** Null when no day is due. */
  readonly day: string | null;
  readonly signedAt: string;
}

export interface ExpectedRoots {
  readonly today: string;
  readonly hasOldEntries: boolean;
  readonly hasEntriesBefore: boolean;
}

@Injectable()
export class AuditRootsRepository {
  /**
   * A day without a running replica gets a root too, so that a missing root is noticed.
   * @returns null while another replica has the lock
   */
  async claimDay(tx: Tx, mostLeaves: number): Promise<DueDay | null> {
    const [lock] = await tx.query<{ mine: boolean }>(
      'SELECT pg_try_advisory_xact_lock($1) AS mine',
      [ROOTS_LOCK],
    );
    if (!lock.mine) return null;
    const [due] = await tx.query<DueDay>(DUE, [mostLeaves]);
    return due;
  }

  /** More than an hour after the day's end. */
  async lateDay(tx: Tx, mostLeaves: number): Promise<string | null> {
    const [row] = await tx.query<{ day: string }>(
      `${DUE} WHERE (coalesce(next, yesterday) + 1)::timestamp AT TIME ZONE 'Asia/Kolkata' < now - interval '1 hour'`,
      [mostLeaves],
    );
    return row?.day ?? null;
  }

  last(tx: Tx): Promise<RootBefore | null> {
    return tx.first('SELECT number, root FROM audit_roots ORDER BY number DESC LIMIT 1');
  }

  /**
   * Reads entries since the start of the last complete day, because a commit can be late. When the day's previous tree
   * is full, it continues after that tree's last chain.
   */
  async plant(
    tx: Tx,
    { number, day }: Pick<ListedRoot, 'number' | 'day'>,
    mostLeaves: number,
  ): Promise<PlantedHead[]> {
    const [{ since, after }] = await tx.query<{ since: string; after: string }>(WHERE_TO_BEGIN, [
      day,
      mostLeaves,
    ]);
    await tx.patientQuery(PLANT, [number, mostLeaves, since, after], PLANT_TIMEOUT_MS);
    return this.leavesOf(tx, number);
  }

  async insert(tx: Tx, root: ListedRoot): Promise<void> {
    await tx.query(
      `INSERT INTO audit_roots (number, day, tree_size, root, signed_root, signed_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [root.number, root.day, root.treeSize, root.root, root.signedRoot, root.signedAt],
    );
  }

  async leavesOf(tx: Tx, number: number): Promise<PlantedHead[]> {
    return tx.query(
      `SELECT leaf_index AS "leafIndex", subject_id AS "subjectId", position, encode(hash, 'hex') AS hash FROM audit_leaves
       WHERE root_number = $1 ORDER BY leaf_index`,
      [number],
    );
  }

  async numbersOf(tx: Tx, subjects: readonly string[]): Promise<Set<number>> {
    return new Set(
      await tx.column<number>(
        'SELECT DISTINCT root_number AS number FROM audit_leaves WHERE subject_id = ANY ($1)',
        [subjects],
      ),
    );
  }

  lastLeafOf(
    tx: Tx,
    subjectId: string,
  ): Promise<{ readonly rootNumber: number; readonly leafIndex: number } | null> {
    return tx.first<{ rootNumber: number; leafIndex: number }>(
      `SELECT root_number AS "rootNumber", leaf_index AS "leafIndex" FROM audit_leaves
       WHERE subject_id = $1 ORDER BY root_number DESC LIMIT 1`,
      [subjectId],
    );
  }

  async expected(tx: Tx): Promise<ExpectedRoots> {
    const [row] = await tx.query<ExpectedRoots>(
      `SELECT today::text, EXISTS (SELECT 1 FROM audit_entries
         WHERE joined_at < (today - 1)::timestamp AT TIME ZONE 'Asia/Kolkata') AS "hasOldEntries",
         EXISTS (SELECT 1 FROM audit_entries WHERE joined_at < (SELECT day::timestamp AT TIME ZONE 'Asia/Kolkata' FROM audit_roots
           ORDER BY number LIMIT 1)) AS "hasEntriesBefore"
       FROM (SELECT (app_now() AT TIME ZONE 'Asia/Kolkata')::date AS today) AS t`,
    );
    return row;
  }

  /** Oldest first. */
  async list(tx: Tx): Promise<ListedRoot[]> {
    return tx.query(
      `SELECT number, day::text, tree_size AS "treeSize", root, signed_root AS "signedRoot",
         ${isoOf('signed_at')} AS "signedAt" FROM audit_roots ORDER BY number`,
    );
  }

  async find(tx: Tx, number: number): Promise<ListedRoot | null> {
    const roots = await this.list(tx);
    return roots.find((root) => root.number === number) ?? null;
  }
}

function isoOf(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

// One clock reading for day and time.
const DUE = `
  WITH t AS MATERIALIZED (SELECT app_now() AS now),
  due AS (
    SELECT now, (now AT TIME ZONE 'Asia/Kolkata')::date - 1 AS yesterday, (
      SELECT day + CASE WHEN tree_size < $1 THEN 1 ELSE 0 END FROM audit_roots
      ORDER BY number DESC LIMIT 1) AS next FROM t
  )
  SELECT CASE WHEN coalesce(next, yesterday) <= yesterday THEN coalesce(next, yesterday)::text END AS day,
    ${isoOf('now')} AS "signedAt"
  FROM due
`;

const WHERE_TO_BEGIN = `
  SELECT
    coalesce((
      SELECT day::timestamp AT TIME ZONE 'Asia/Kolkata' FROM audit_roots
      WHERE tree_size < $2 ORDER BY number DESC LIMIT 1), '-infinity')::text AS since,
    coalesce((
      SELECT max(l.subject_id) FROM audit_leaves AS l JOIN audit_roots AS r ON r.number = l.root_number
      WHERE r.number = (SELECT max(number) FROM audit_roots) AND r.day = $1 AND r.tree_size >= $2), '') AS after
`;

// As parameters, so that PostgreSQL plans for only these entries.
const PLANT = `
  INSERT INTO audit_leaves (subject_id, root_number, leaf_index, position, hash)
  SELECT subject_id, $1, row_number() OVER (ORDER BY subject_id) - 1, position, hash FROM (
    SELECT grown.subject_id, head.position, head.hash
    FROM (SELECT DISTINCT subject_id FROM audit_entries
      WHERE joined_at >= $3::timestamptz AND subject_id > $4) AS grown
    CROSS JOIN LATERAL (
      SELECT e.position, e.hash FROM audit_entries AS e WHERE e.subject_id = grown.subject_id
      ORDER BY e.position DESC LIMIT 1) AS head
    WHERE NOT EXISTS (SELECT 1 FROM audit_leaves AS l
      WHERE l.subject_id = grown.subject_id AND l.position = head.position)
    ORDER BY grown.subject_id LIMIT $2) AS heads
`;
