import type { QueryResultRow } from 'pg';

/** Where a chunk of retries ended, and how many it had. */
interface RetriesChunk extends QueryResultRow {
  readonly last: string | null;
  readonly looked: number;
}

const ROWS_A_CHUNK = 1_000;

/** Runs one statement outside any transaction. */
type Run = <Row extends QueryResultRow>(
  name: string,
  sql: string,
  values: unknown[],
) => Promise<Row[]>;

/**
 * Makes due what waits for a retry on a subscription that works again, in chunks of 1,000 that each
 * stand by themselves, so that no row is locked for long. What fails meanwhile waits for its own time.
 * That it is still to be done stands with the lane: `recovered_at` is set with the recovery, and taken
 * back here at the end, unless there has been another one.
 * @throws Error when the database fails; the same call goes on where it ended
 */
export async function makeRetriesDue(run: Run, subscriptionId: string): Promise<void> {
  const [lane] = await run<{ recoveredAt: string | null }>('webhook-lanes-recovered', RECOVERED, [
    subscriptionId,
  ]);
  let after: string | null = null;
  let looked = ROWS_A_CHUNK;
  while (looked === ROWS_A_CHUNK) {
    const [chunk]: RetriesChunk[] = await run<RetriesChunk>('webhook-lanes-drain', MAKE_DUE, [
      subscriptionId,
      after,
      ROWS_A_CHUNK,
    ]);
    after = chunk.last;
    looked = chunk.looked;
  }
  if (!lane?.recoveredAt) return;
  await run('webhook-lanes-drained', DRAINED, [subscriptionId, lane.recoveredAt]);
}

const RECOVERED = `
  SELECT recovered_at::text AS "recoveredAt" FROM webhook_lanes WHERE subscription_id = $1
`;

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

const DRAINED = `
  UPDATE webhook_lanes SET recovered_at = NULL
  WHERE subscription_id = $1 AND recovered_at = $2::timestamptz
`;
