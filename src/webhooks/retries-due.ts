/** Where a chunk of retries ended, and how many it had. */
export interface RetriesChunk extends Record<string, unknown> {
  readonly last: string | null;
  readonly looked: number;
}

const ROWS_A_CHUNK = 1_000;

/**
 * Makes due what waits for a retry on a subscription, in chunks of 1,000 that each stand by
 * themselves, so that no row is locked for long. What fails meanwhile waits for its own time.
 * @param run runs one statement outside any transaction
 * @throws Error when the database fails; the same call goes on where it ended
 */
export async function makeRetriesDue(
  run: (sql: string, values: unknown[]) => Promise<RetriesChunk[]>,
  subscriptionId: string,
): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const [chunk]: RetriesChunk[] = await run(MAKE_DUE, [subscriptionId, after, ROWS_A_CHUNK]);
    if (chunk.looked < ROWS_A_CHUNK) return;
    after = chunk.last;
  }
}

// What is in flight is due already, and stays as it is; what somebody is recording is passed over.
// Each chunk begins where the last one ended: before that are only the traces of what has been moved.
const MAKE_DUE = `
  WITH picked AS MATERIALIZED (
    SELECT delivery_id, next_attempt_at FROM webhook_queue
    WHERE subscription_id = $1 AND attempts > 0
      AND next_attempt_at > app_now() AND next_attempt_at >= coalesce($2::timestamptz, app_now())
    ORDER BY next_attempt_at LIMIT $3
    FOR UPDATE SKIP LOCKED
  ),
  made AS (
    UPDATE webhook_queue SET next_attempt_at = app_now()
    WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM picked))
  )
  SELECT max(next_attempt_at)::text AS last, count(*)::int AS looked FROM picked
`;
