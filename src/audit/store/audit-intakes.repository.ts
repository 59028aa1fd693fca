import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/index.js';
import type { AuditSource } from '../audit-source.js';
import { AUDIT_INTAKE_SUBJECT } from './audit-intake.entity.js';
import { saidBy } from './audit-chains.repository.js';

interface Lot {
  readonly looked: number;
  readonly last: string | null;
}

/** Well before PostgreSQL looks for a deadlock, and would end either side. */
const GIVES_WAY_AFTER_MS = 200;

/** Takes in the rows from before their table joined, lot by lot. */
@Injectable()
export class AuditIntakesRepository {
  /** The chain in which it stands what has been taken in. */
  static readonly SUBJECT = AUDIT_INTAKE_SUBJECT;

  /** Makes the place where it is noted how far a source is. */
  async begin(tx: Tx, { table }: AuditSource): Promise<void> {
    await tx.query('INSERT INTO audit_intakes (source) VALUES ($1) ON CONFLICT DO NOTHING', [
      table,
    ]);
  }

  /**
   * Takes in the next rows of a source in the order of their keys. Each is locked, so that what changes it comes
   * after it in the chain. One that changed before has an entry, and needs no other: the chains of a lot are read
   * once for all of its rows. Chains are locked in the
   * order of their subjects; whoever has them in another one waits no longer than this gives way.
   * @returns `BUSY`: another replica is at it
   */
  async takeIn(tx: Tx, source: AuditSource, most: number): Promise<'DONE' | 'MORE' | 'BUSY'> {
    const { table, key, keyType, subject } = source;
    const [progress] = await tx.query<{ lastKey: string | null; isDone: boolean }>(
      `SELECT last_key AS "lastKey", done_at IS NOT NULL AS "isDone" FROM audit_intakes
       WHERE source = $1 FOR UPDATE SKIP LOCKED`,
      [table],
    );
    if (!progress) return 'BUSY';
    if (progress.isDone) return 'DONE';
    await tx.query(`SET LOCAL timezone TO 'UTC'`);
    await tx.query(`SET LOCAL lock_timeout = ${GIVES_WAY_AFTER_MS}`);
    const [lot] = await tx.query<Lot>(
      `WITH lot AS MATERIALIZED (
         SELECT * FROM ${table} WHERE $2::${keyType} IS NULL OR ${key} > $2::${keyType}
         ORDER BY ${key} LIMIT $3 FOR NO KEY UPDATE
       ),
       chained AS MATERIALIZED (
         SELECT e.subject_id, said -> 'row' ->> '${key}' AS key
         FROM audit_entries AS e CROSS JOIN LATERAL (SELECT e.entry::jsonb AS said OFFSET 0) AS parsed
         WHERE e.subject_id = ANY (ARRAY(SELECT ${subject} FROM lot)) AND said ->> 'source' = $1
       ),
       unchained AS MATERIALIZED (
         SELECT r.${subject} AS subject, ${saidBy(source)} AS said FROM lot AS r
         WHERE r.${subject} IS NOT NULL AND NOT EXISTS (
           SELECT 1 FROM chained AS c WHERE c.subject_id = r.${subject} AND c.key = r.${key}::text)
         ORDER BY r.${subject}, r.${key}
       ),
       joined AS MATERIALIZED (
         SELECT append_audit_entry(subject, 'TAKEN_IN', $1, said) FROM unchained
       )
       SELECT (SELECT count(*) FROM lot)::int AS looked, (SELECT max(${key}) FROM lot)::text AS last,
         (SELECT count(*) FROM joined)::int AS joined`,
      [table, progress.lastKey, most],
    );
    const isDone = lot.looked < most;
    await tx.query('UPDATE audit_intakes SET last_key = coalesce($2, last_key) WHERE source = $1', [
      table,
      lot.last,
    ]);
    // By itself: it joins the chain of the intakes.
    if (isDone) {
      await tx.query('UPDATE audit_intakes SET done_at = app_now() WHERE source = $1', [table]);
    }
    return isDone ? 'DONE' : 'MORE';
  }

  /** The tables whose old rows have all been looked at, and since when. */
  async done(tx: Tx): Promise<Map<string, Date>> {
    const rows = await tx.query<{ source: string; doneAt: Date }>(
      'SELECT source, done_at AS "doneAt" FROM audit_intakes WHERE done_at IS NOT NULL',
    );
    return new Map(rows.map(({ source, doneAt }) => [source, doneAt]));
  }
}
