interface RetriesChunk {
  /** Where it ended. */
  readonly last: string | null;
  /** The difference was locked. */
  readonly scanned: number;
  readonly madeDue: number;
}

const ROWS_A_CHUNK = 1_000;

/** Outside any transaction. */
type RunStatement = <Row>(name: string, sql: string, values: unknown[]) => Promise<Row[]>;

/**
 * Makes the retries of a recovered subscription due, in chunks, so that row locks stay short. The
 * lane's mark `drain_since` requests this. The mark stays if it was set again meanwhile, or if
 * locked rows were skipped. Does nothing without a mark, or on a lane that stopped working.
 * @throws Error if the database fails; the same call continues
 */
export async function makeRetriesDue(run: RunStatement, subscriptionId: string): Promise<void> {
  const [lane] = await run<{ mark: string }>('webhook-retries-mark', MARK, [subscriptionId]);
  if (!lane) return;
  let after: string | null = null;
  let hasMore = true;
  let areAllDue = true;
  while (hasMore) {
    const [chunk]: RetriesChunk[] = await run<RetriesChunk>('webhook-retries-make-due', MAKE_DUE, [
      subscriptionId,
      after,
      ROWS_A_CHUNK,
    ]);
    after = chunk.last;
    hasMore = chunk.scanned === ROWS_A_CHUNK && chunk.madeDue > 0;
    areAllDue &&= chunk.madeDue === chunk.scanned;
  }
  if (areAllDue) await run('webhook-retries-unmark', UNMARK, [subscriptionId, lane.mark]);
}

const MARK = `
  SELECT drain_since::text AS mark FROM webhook_lanes
  WHERE subscription_id = $1 AND drain_since IS NOT NULL AND is_active AND probe_at IS NULL
`;

// In-flight deliveries are already due; locked rows are skipped. Each chunk starts where the last
// one ended, to skip dead index entries.
const MAKE_DUE = `
  WITH waiting AS MATERIALIZED (
    SELECT delivery_id, next_attempt_at FROM webhook_queue
    WHERE subscription_id = $1 AND attempts > 0
      AND next_attempt_at > app_now() AND next_attempt_at >= coalesce($2::timestamptz, app_now())
    ORDER BY next_attempt_at LIMIT $3
  ),
  free AS MATERIALIZED (
    SELECT delivery_id FROM webhook_queue
    WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM waiting)) AND next_attempt_at > app_now()
    FOR UPDATE SKIP LOCKED
  ),
  made_due AS (
    UPDATE webhook_queue SET next_attempt_at = app_now()
    WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM free))
  )
  SELECT max(next_attempt_at)::text AS last, count(*)::int AS scanned,
    (SELECT count(*) FROM free)::int AS "madeDue"
  FROM waiting
`;

const UNMARK = `
  UPDATE webhook_lanes SET drain_since = NULL
  WHERE subscription_id = $1 AND drain_since = $2::timestamptz
`;
