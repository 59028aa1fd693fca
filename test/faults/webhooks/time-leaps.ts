import type { Pool } from 'pg';

/**
 * A sender sends or drops what it has read within this time after its lease: half a lease for reading, 3 s to post it,
 * 2 s for its thread to start.
 */
const SENT_WITHIN_MS = 15_000;

/** Moves the sandbox's time, which all replicas share, past leases, retries and the breaker's pauses. */
export class TimeLeaps {
  count = 0;
  private readonly pool: Pool;
  private readonly isInFlight: () => boolean;

  constructor(pool: Pool, isInFlight: () => boolean) {
    this.pool = pool;
    this.isInFlight = isInFlight;
  }

  /** Does nothing while a delivery is in progress or about to be, because its lease would seem expired. */
  async leap(leapMs: number): Promise<void> {
    if (this.isInFlight() || !(await this.moveTime(leapMs))) return;
    await this.pool.query(
      `UPDATE webhook_queue SET next_attempt_at = app_now() WHERE next_attempt_at > app_now()`,
    );
    this.count += 1;
  }

  private async moveTime(leapMs: number): Promise<boolean> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
      // A sender that leases a lane after this uses the time after the leap.
      await client.query('LOCK TABLE webhook_lanes IN SHARE ROW EXCLUSIVE MODE');
      if (this.isInFlight()) return false;
      const { rowCount } = await client.query(MOVE, [leapMs, SENT_WITHIN_MS]);
      await client.query('COMMIT');
      return rowCount === 1;
    } finally {
      // An open transaction must never return to the pool.
      client.release(true);
    }
  }
}

const MOVE = `
  UPDATE sandbox_clock SET offset_ms = offset_ms + $1
  WHERE NOT EXISTS (
    SELECT FROM webhook_lanes
    WHERE lease_until > app_now() AND last_served_at > app_now() - $2 * interval '1 millisecond')
`;
