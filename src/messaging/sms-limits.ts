import { Injectable } from '@nestjs/common';
import { Database, Keyring, type Tx } from '../platform/index.js';
import { ServiceSettings, type SmsKind } from '../settings/index.js';

const PURPOSE = 'sms_limits.mobile';
const DAY_SECONDS = 24 * 3_600;
/**
 * Anybody who knows a mobile can have links be sent to it. What they use up is not what its holder
 * signs in with.
 */
const SHARE_OF_LINKS = 1 / 2;

/**
 * How many texts a mobile is sent in a day, whoever asked for them: over all partners, journeys and
 * kinds, and a half of them at most links. Counted in the database, exactly over all replicas; a day
 * starts with its first text. The mobile is kept as a keyed hash.
 */
@Injectable()
export class SmsLimits {
  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
    private readonly brand: ServiceSettings,
  ) {}

  /**
   * Counts one more text. The mobile's count stays locked until the transaction ends, so nothing that
   * another transaction may hold is waited for after it.
   * @returns whether it may be sent
   */
  async take(tx: Tx, mobile: string, kind: SmsKind): Promise<boolean> {
    const most = await this.most();
    const isLink = kind !== 'ONE_TIME_CODE';
    const mostLinks = Math.ceil(most * SHARE_OF_LINKS);
    if (isLink && !(await this.count(tx, `links:${mobile}`, mostLinks))) return false;
    return this.count(tx, mobile, most);
  }

  /** When the day ends in which the mobile is sent nothing more; null while there is something left. */
  async reachedUntil(tx: Tx, mobile: string): Promise<Date | null> {
    const [row] = await tx.query<{ endsAt: Date }>(
      `SELECT ends_at AS "endsAt" FROM sms_limits
       WHERE mobile_hash = ANY ($1) AND count >= $2 AND ends_at > app_now()
       ORDER BY ends_at DESC LIMIT 1`,
      [this.hashesOf(mobile), await this.most()],
    );
    return row?.endsAt ?? null;
  }

  /** Removes counts whose day is over; answers how many there were, at most as many as asked for. */
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

  private async count(tx: Tx, subject: string, most: number): Promise<boolean> {
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

  private async most(): Promise<number> {
    return (await this.brand.settings()).textsPerMobilePerDay;
  }

  private hashesOf(subject: string): string[] {
    return this.keyring.countingHashes(subject, PURPOSE);
  }
}
