import type { Pool } from 'pg';

/**
 * What a sender has read on a lane, it sends or gives up so long after the lease at the latest: half a
 * lease for reading, 3 s until it is posted, and 2 s until its thread takes it up.
 */
export const SENT_WITHIN_MS = 15_000;

/**
 * Moves the sandbox's time, which all replicas share, past leases, retries and the breaker's waits; not while a post
 * is in flight or may be about to be: its lease would seem to be over.
 * @returns whether it was moved
 */
export async function leapPastRetries(
  pool: Pool,
  leapMs: number,
  isInFlight: () => boolean,
  sentWithinMs: number,
): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    // A sender that leases a lane after this does so by the time after the leap.
    await client.query('LOCK TABLE webhook_lanes IN SHARE ROW EXCLUSIVE MODE');
    if (isInFlight()) return false;
    const { rowCount } = await client.query(MOVE, [leapMs, sentWithinMs]);
    await client.query('COMMIT');
    if (rowCount === 0) return false;
    await client.query(RETRY);
    return true;
  } finally {
    // Whatever happened, no open transaction goes back to the pool.
    client.release(true);
  }
}

const MOVE = `
  UPDATE sandbox_clock SET offset_ms = offset_ms + $1
  WHERE NOT EXISTS (
    SELECT FROM webhook_lanes
    WHERE lease_until > app_now() AND last_served_at > app_now() - $2 * interval '1 millisecond')
`;

const RETRY = `
  UPDATE webhook_queue SET next_attempt_at = app_now() WHERE next_attempt_at > app_now()
`;
