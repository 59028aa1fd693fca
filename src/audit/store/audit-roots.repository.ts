import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/index.js';
import type { Head } from '../roots/merkle-tree.js';
import type { AuditRoot } from './audit-root.entity.js';

// Any number that nothing else locks: replicas take turns at the roots.
const ROOTS_LOCK = 4_702_148;

/** What a tree is made after. */
export interface RootBefore {
  readonly number: number;
  readonly root: string;
}

/** A head as it stands in a tree. */
export interface PlantedHead extends Head {
  readonly leafIndex: number;
}

export type NewRoot = Omit<AuditRoot, 'signedAt'>;

/** The signed roots, and the heads that stand in their trees. */
@Injectable()
export class AuditRootsRepository {
  /** @returns the day to close: null when it has its root, or another replica is at it */
  async claimDay(tx: Tx, mostLeaves: number): Promise<string | null> {
    const [lock] = await tx.query<{ mine: boolean }>(
      'SELECT pg_try_advisory_xact_lock($1) AS mine',
      [ROOTS_LOCK],
    );
    if (!lock.mine) return null;
    const [due] = await tx.query<{ day: string }>(
      `SELECT day::text FROM (SELECT (app_now() AT TIME ZONE 'Asia/Kolkata')::date - 1 AS day) AS due
       WHERE NOT EXISTS (SELECT 1 FROM audit_roots AS r WHERE r.day >= due.day AND r.tree_size < $1)`,
      [mostLeaves],
    );
    return due?.day ?? null;
  }

  async last(tx: Tx): Promise<RootBefore | null> {
    const [row] = await tx.query<RootBefore>(
      'SELECT number, root FROM audit_roots ORDER BY number DESC LIMIT 1',
    );
    return row ?? null;
  }

  /**
   * Puts the heads of the chains that have grown since they last stood in a tree into this one, in the order of
   * their subjects. Looks a day further back than the trees of the last day that was closed were begun: what was
   * committed late is not missed. After a full tree of the same day it goes on where that one ended.
   */
  async plant(
    tx: Tx,
    { number, day }: Pick<NewRoot, 'number' | 'day'>,
    mostLeaves: number,
  ): Promise<PlantedHead[]> {
    const [{ since, after }] = await tx.query<{ since: string; after: string }>(WHERE_TO_BEGIN, [
      day,
      mostLeaves,
    ]);
    await tx.query(PLANT, [number, mostLeaves, since, after]);
    return this.leavesOf(tx, number);
  }

  async insert(tx: Tx, { number, day, treeSize, root, signedRoot }: NewRoot): Promise<void> {
    await tx.query(
      `INSERT INTO audit_roots (number, day, tree_size, root, signed_root) VALUES ($1, $2, $3, $4, $5)`,
      [number, day, treeSize, root, signedRoot],
    );
  }

  /** In the order of the tree. */
  async leavesOf(tx: Tx, number: number): Promise<PlantedHead[]> {
    return tx.query<PlantedHead>(
      `SELECT leaf_index AS "leafIndex", subject_id AS "subjectId", position, encode(hash, 'hex') AS hash FROM audit_leaves
       WHERE root_number = $1 ORDER BY leaf_index`,
      [number],
    );
  }

  /** The last tree that a subject's head stands in, and where. */
  async lastLeafOf(
    tx: Tx,
    subjectId: string,
  ): Promise<{ readonly rootNumber: number; readonly leafIndex: number } | null> {
    const [row] = await tx.query<{ rootNumber: number; leafIndex: number }>(
      `SELECT root_number AS "rootNumber", leaf_index AS "leafIndex" FROM audit_leaves
       WHERE subject_id = $1 ORDER BY root_number DESC LIMIT 1`,
      [subjectId],
    );
    return row ?? null;
  }

  /** The days since the first root that have none, up to the day before yesterday. */
  async daysWithout(tx: Tx): Promise<string[]> {
    const rows = await tx.query<{ day: string }>(
      `SELECT day::date::text AS day FROM generate_series(
         (SELECT min(day) FROM audit_roots)::timestamp,
         (app_now() AT TIME ZONE 'Asia/Kolkata')::date - 2, interval '1 day') AS day
       WHERE NOT EXISTS (SELECT 1 FROM audit_roots AS r WHERE r.day = day.day::date) ORDER BY 1`,
    );
    return rows.map(({ day }) => day);
  }

  /** Oldest first. */
  async list(tx: Tx): Promise<AuditRoot[]> {
    return tx.query<AuditRoot>(
      `SELECT number, day::text, tree_size AS "treeSize", root, signed_root AS "signedRoot",
         signed_at AS "signedAt" FROM audit_roots ORDER BY number`,
    );
  }

  async find(tx: Tx, number: number): Promise<AuditRoot | null> {
    const roots = await this.list(tx);
    return roots.find((root) => root.number === number) ?? null;
  }
}

const WHERE_TO_BEGIN = `
  WITH whole AS (SELECT number FROM audit_roots WHERE tree_size < $2 ORDER BY number DESC LIMIT 2)
  SELECT
    (SELECT coalesce(min(signed_at) - interval '1 day', '-infinity')::text FROM audit_roots
     WHERE number <= (SELECT max(number) FROM whole)
       AND number > (SELECT CASE WHEN count(*) = 2 THEN min(number) ELSE 0 END FROM whole)) AS since,
    coalesce((
      SELECT max(l.subject_id) FROM audit_leaves AS l JOIN audit_roots AS r ON r.number = l.root_number
      WHERE r.number = (SELECT max(number) FROM audit_roots) AND r.day = $1 AND r.tree_size >= $2), '') AS after
`;

// Given as values, so that PostgreSQL's plan is for as many entries as there are since then.
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
