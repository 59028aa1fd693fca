import type { Client } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { connected } from '../support/create-database.ts';

const EVERY_MS = 5;

/**
 * Does some work, and looks every few milliseconds who waits meanwhile for a lock of a table that the upkeep holds or
 * waits for: for that part of a call's time the upkeep is to blame, whatever the machine does besides. Each lock is
 * counted by itself.
 * @param upkeep the name that the upkeep's connections have
 * @returns beside the work's result the milliseconds of the longest wait; where it may have gone on after it was last
 *   looked at, until the next look
 */
export async function withLongestWait<Result>(
  url: string,
  upkeep: string,
  work: () => Promise<Result>,
): Promise<{ result: Result; waited: number }> {
  const client = await connected(url);
  const over = new AbortController();
  const looking = longestUntil(over.signal, client, upkeep);
  looking.catch(() => undefined);
  try {
    const result = await work();
    over.abort();
    return { result, waited: await looking };
  } finally {
    over.abort();
    await looking.catch(() => undefined);
    await client.end();
  }
}

async function longestUntil(over: AbortSignal, client: Client, upkeep: string): Promise<number> {
  let longest = 0;
  let seen = 0;
  let lookedAt = performance.now();
  while (!over.aborted) {
    const { rows } = await client.query<{ ms: number }>(WAITS, [upkeep]);
    const now = performance.now();
    if (seen > 0) longest = Math.max(longest, seen + now - lookedAt);
    seen = rows[0]?.ms ?? 0;
    lookedAt = now;
    await sleep(EVERY_MS);
  }
  return longest;
}

const WAITS = `
  WITH upkeep AS (
    SELECT array_agg(pid) AS pids FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = $1
  )
  SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart)), 0)::float8 * 1000 AS ms
  FROM pg_locks, upkeep
  WHERE NOT granted AND locktype = 'relation' AND pid <> ALL (pids) AND pg_blocking_pids(pid) && pids`;
