import type { Pool } from 'pg';

/**
 * What a sender has read on a lane, it sends or gives up so long after the lease at the latest: half a
 * lease for reading, 3 s until it is posted, and 2 s until its thread takes it up.
 */
const SENT_WITHIN_MS = 15_000;

/** Moves the sandbox's time, which all replicas share, past leases, retries and the breaker's waits. */
export class TimeLeaps {
  count = 0;
  private readonly pool: Pool;
  private readonly isInFlight: () => boolean;

  constructor(pool: Pool, isInFlight: () => boolean) {
    this.pool = pool;
    this.isInFlight = isInFlight;
  }

  /** Nothing while something is in flight or may be about to be: its lease would seem to be over. */
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
      // A sender that leases a lane after this does so by the time after the leap.
      await client.query('LOCK TABLE webhook_lanes IN SHARE ROW EXCLUSIVE MODE');
      if (this.isInFlight()) return false;
      const { rowCount } = await client.query(MOVE, [leapMs, SENT_WITHIN_MS]);
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
    SELECT FROM webhook_lanes
    WHERE lease_until > app_now() AND last_served_at > app_now() - $2 * interval '1 millisecond')
`;
