import { Injectable } from '@nestjs/common';
import { Entity, Index } from 'typeorm';
import { Keyring } from '../crypto/keyring.js';
import { Columns, IntegerColumn, TextKeyColumn, TimeColumn } from '../database/columns.js';
import { Database } from '../database/database.js';
import type { Tx } from '../database/tx.js';
import { ScheduledTask } from '../work/scheduled-task.js';

@Entity('counted_limits')
@Index('counted_limits_ending', ['endsAt'])
export class CountedLimit {
  @TextKeyColumn
  readonly kind: string;

  /** Keyed hash. */
  @TextKeyColumn
  readonly subjectHash: string;

  @IntegerColumn
  readonly count: number;

  @TimeColumn
  readonly endsAt: Date;
}

const columns = new Columns(CountedLimit);

const HASH_PURPOSE = 'counted_limits.subject';
const CLEAN_EVERY_MS = 600_000;
const ROWS_A_CHUNK = 5_000;

export interface Limit {
  readonly most: number;
  readonly seconds: number;
}

/**
 * Counts per time window, exact over all replicas. A window starts with its first count. A subject has one hash per
 * current key; all are counted alike.
 */
@Injectable()
export class CountedLimits {
  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  /**
   * Locks the count until the transaction ends, so take no contended lock after it.
   * @returns when the window ends, if the limit is exceeded; else null
   */
  async take(
    tx: Tx,
    kind: string,
    subject: string,
    { most, seconds }: Limit,
  ): Promise<Date | null> {
    const counts = await tx.query<Pick<CountedLimit, 'count' | 'endsAt'>>(
      `INSERT INTO counted_limits AS l (${columns.list(['kind', 'subjectHash', 'count', 'endsAt'])})
       SELECT $1, hash, 1, app_now() + $3 * interval '1 second' FROM unnest($2::text[]) hash
       ON CONFLICT (kind, subject_hash) DO UPDATE SET
         count = CASE WHEN l.ends_at <= app_now() THEN 1 ELSE least(l.count, $4) + 1 END,
         ends_at = CASE WHEN l.ends_at <= app_now() THEN excluded.ends_at ELSE l.ends_at END
       RETURNING ${columns.selected(['count', 'endsAt'], 'l')}`,
      [kind, this.hashesOf(subject), seconds, most],
    );
    return counts.find(({ count }) => count > most)?.endsAt ?? null;
  }

  async giveBack(tx: Tx, kind: string, subject: string): Promise<void> {
    await tx.execute(
      `UPDATE counted_limits SET count = count - 1
       WHERE kind = $1 AND subject_hash = ANY ($2) AND count > 0 AND ends_at > app_now()`,
      [kind, this.hashesOf(subject)],
    );
  }

  /** @returns when the exhausted window ends; else null */
  fullUntil(tx: Tx, kind: string, subject: string, most: number): Promise<Date | null> {
    return tx.value<CountedLimit['endsAt']>(
      `SELECT ${columns.selected(['endsAt'])} FROM counted_limits
       WHERE kind = $1 AND subject_hash = ANY ($2) AND count >= $3 AND ends_at > app_now()
       ORDER BY ends_at DESC LIMIT 1`,
      [kind, this.hashesOf(subject), most],
    );
  }

  @ScheduledTask('limits-clean', CLEAN_EVERY_MS)
  async deleteEnded(): Promise<void> {
    while ((await this.database.query(DELETE_ENDED, [ROWS_A_CHUNK])).length === ROWS_A_CHUNK);
  }

  private hashesOf(subject: string): string[] {
    return this.keyring.countingHashes(subject, HASH_PURPOSE);
  }
}

const DELETE_ENDED = `
  DELETE FROM counted_limits WHERE (kind, subject_hash) IN (
    SELECT kind, subject_hash FROM counted_limits
    WHERE ends_at <= app_now() ORDER BY ends_at LIMIT $1 FOR UPDATE SKIP LOCKED)
  RETURNING 1
`;
