import { Injectable } from '@nestjs/common';
import { Database, Keyring, type Tx } from '../../platform/index.js';
import { SmsLimit, SmsMessage } from './sms-message.entity.js';

const PURPOSE = 'sms_limits.mobile';
const DAY_SECONDS = 24 * 3_600;

/** Subjects are keyed hashes. */
@Injectable()
export class SmsLimitsRepository {
  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  /**
   * Locks the count until the transaction ends.
   * @returns whether it is at most `most`
   */
  async count(tx: Tx, subject: string, most: number): Promise<boolean> {
    const rows = await tx.query<{ count: number }>(
      `INSERT INTO sms_limits AS l (mobile_hash, count, ends_at)
       SELECT hash, 1, app_now() + $2 * interval '1 second' FROM unnest($1::text[]) hash
       ON CONFLICT (mobile_hash) DO UPDATE SET
         count = CASE WHEN l.ends_at <= app_now() THEN 1 ELSE least(l.count, $3) + 1 END,
         ends_at = CASE WHEN l.ends_at <= app_now() THEN excluded.ends_at ELSE l.ends_at END
       RETURNING count`,
      [this.hashesOf(subject), DAY_SECONDS, most],
    );
    return rows.every(({ count }) => count <= most);
  }

  /** Null while texts are left. */
  async reachedUntil(tx: Tx, subject: string, most: number): Promise<Date | null> {
    const [row] = await tx.query<{ endsAt: Date }>(
      `SELECT ends_at AS "endsAt" FROM sms_limits
       WHERE mobile_hash = ANY ($1) AND count >= $2 AND ends_at > app_now()
       ORDER BY ends_at DESC LIMIT 1`,
      [this.hashesOf(subject), most],
    );
    return row?.endsAt ?? null;
  }

  async removeEnded(most: number): Promise<number> {
    const removed = await this.database.query(
      `DELETE FROM sms_limits WHERE mobile_hash IN (
         SELECT mobile_hash FROM sms_limits
         WHERE ends_at <= app_now() ORDER BY ends_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING mobile_hash`,
      [most],
    );
    return removed.length;
  }

  private hashesOf(subject: string): string[] {
    return this.keyring.countingHashes(subject, PURPOSE);
  }
}

export const MESSAGING_ENTITIES = [SmsLimit, SmsMessage];
