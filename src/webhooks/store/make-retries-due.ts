import type { QueryResultRow } from 'pg';

/** What a chunk of retries came to. */
interface RetriesChunk extends QueryResultRow {
  /** Where it ended. */
  readonly last: string | null;
  /** How many it had, and how many of them it made due: the others somebody else has locked. */
  readonly looked: number;
  readonly made: number;
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
 * stand by themselves, so that no row is locked for long. That this is to be done is marked on the lane
 * (`drain_since`) with what makes it work again. The mark is taken back here, but not if there has been
 * another since, nor when some were passed over that somebody else was making due, who may yet fail.
 * Nothing is done without a mark, nor on a lane that has stopped working meanwhile, whose mark stays.
 * @throws Error when the database fails; the same call goes on where it ended
 */
export async function makeRetriesDue(run: Run, subscriptionId: string): Promise<void> {
  const [lane] = await run<{ mark: string }>('webhook-retries-mark', MARK, [subscriptionId]);
  if (!lane) return;
  let after: string | null = null;
  let areMore = true;
  let isAll = true;
  while (areMore) {
    const [chunk]: RetriesChunk[] = await run<RetriesChunk>('webhook-retries-make-due', MAKE_DUE, [
      subscriptionId,
      after,
      ROWS_A_CHUNK,
    ]);
    after = chunk.last;
    areMore = chunk.looked === ROWS_A_CHUNK && chunk.made > 0;
    isAll &&= chunk.made === chunk.looked;
  }
  if (isAll) await run('webhook-retries-unmark', UNMARK, [subscriptionId, lane.mark]);
}

const MARK = `
  SELECT drain_since::text AS mark FROM webhook_lanes
  WHERE subscription_id = $1 AND drain_since IS NOT NULL AND is_active AND probe_at IS NULL
`;

// What is in flight is due already, and stays as it is; what somebody else has locked is passed over.
// Each chunk begins where the last one ended: before that are only the traces of what has been moved.
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
  made AS (
    UPDATE webhook_queue SET next_attempt_at = app_now()
    WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM free))
  )
  SELECT max(next_attempt_at)::text AS last, count(*)::int AS looked,
    (SELECT count(*) FROM free)::int AS made
  FROM waiting
`;

const UNMARK = `
  UPDATE webhook_lanes SET drain_since = NULL
  WHERE subscription_id = $1 AND drain_since = $2::timestamptz
`;
