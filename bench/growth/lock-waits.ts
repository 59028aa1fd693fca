import type { Client } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { connected } from '../support/create-database.ts';

const EVERY_MS = 5;

/** What calls ask for: to read rows, to lock them, to write them. The upkeep asks for more. */
const OF_CALLS = ['AccessShareLock', 'RowShareLock', 'RowExclusiveLock'];

/**
 * Does some work, and looks every few milliseconds which calls wait for a table meanwhile: that part of a call's time
 * somebody else's lock is to blame for, whatever the machine does besides.
 * @returns beside the work's result the milliseconds of the call that waited longest
 */
export async function withLongestWait<Result>(
  url: string,
  work: () => Promise<Result>,
): Promise<{ result: Result; waited: number }> {
  const client = await connected(url);
  const over = new AbortController();
  const looking = longestUntil(over.signal, client);
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

async function longestUntil(over: AbortSignal, client: Client): Promise<number> {
  let longest = 0;
  while (!over.aborted) {
    const { rows } = await client.query<{ ms: number }>(WAITS, [OF_CALLS]);
    longest = Math.max(longest, rows[0]?.ms ?? 0);
    await sleep(EVERY_MS);
  }
  return longest;
}

const WAITS = `
  SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart)), 0)::float8 * 1000 AS ms
  FROM pg_locks WHERE NOT granted AND locktype = 'relation' AND mode = ANY ($1)
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
