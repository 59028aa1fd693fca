import type { Pool } from 'pg';

/**
 * After the lease of a lane, a sender posts or drops its deliveries within this time: half a lease for reading, 3 s
 * until the post, 2 s until its thread takes it.
 */
export const SENT_WITHIN_MS = 15_000;

/**
 * Moves the sandbox's time on all replicas past leases, retries and the breaker's waits. Does nothing while a post
 * may be in flight: its lease would seem expired.
 * @returns whether the time was moved
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
    // Senders that lease a lane after this lock use the moved time.
    await client.query('LOCK TABLE webhook_lanes IN SHARE ROW EXCLUSIVE MODE');
    if (isInFlight()) return false;
    const { rowCount } = await client.query(MOVE, [leapMs, sentWithinMs]);
    await client.query('COMMIT');
    if (rowCount === 0) return false;
    await client.query(RETRY);
    return true;
  } finally {
    // Destroys the connection, which may have an open transaction.
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
