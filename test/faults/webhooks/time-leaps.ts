import type { Pool } from 'pg';
import type { Partner } from '../partner.ts';

const LEASE_MS = 20_000;
/** Long enough for what has been claimed to be sent, or to be given up by a sender that is too busy. */
const SENT_WITHIN_MS = 5_000;

/** Moves the sandbox's time, which all replicas share, past leases, retries and the breaker's waits. */
export class TimeLeaps {
  /** How many were made. */
  count = 0;
  private readonly pool: Pool;
  private readonly partners: readonly Partner[];

  /** @param partners whose signatures are made by the same time */
  constructor(pool: Pool, partners: readonly Partner[]) {
    this.pool = pool;
    this.partners = partners;
  }

  /** Nothing while a lane has been leased of late: what was claimed on it may not be in flight yet. */
  async leap(leapMs: number): Promise<void> {
    if (!(await this.moveTime(leapMs))) return;
    await this.pool.query(
      `UPDATE webhook_queue SET next_attempt_at = app_now() WHERE next_attempt_at > app_now()`,
    );
    for (const partner of this.partners) partner.offsetMs += leapMs;
    this.count += 1;
  }

  private async moveTime(leapMs: number): Promise<boolean> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
      // Whoever leases a lane after this does so by the time after the leap.
      await client.query('LOCK TABLE webhook_lanes IN SHARE ROW EXCLUSIVE MODE');
      const { rowCount } = await client.query(MOVE, [leapMs, LEASE_MS - SENT_WITHIN_MS]);
      await client.query('COMMIT');
      return rowCount === 1;
    } finally {
      // Whatever happened, no open transaction goes back to the pool.
      client.release(true);
    }
  }
}

const MOVE = `
  UPDATE sandbox_clock SET offset_ms = offset_ms + $1
  WHERE NOT EXISTS (
    SELECT FROM webhook_lanes WHERE lease_until > app_now() + $2 * interval '1 millisecond')
`;
