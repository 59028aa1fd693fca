import type { Client } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { connected } from '../support/create-database.ts';

const EVERY_MS = 5;

/** Milliseconds. */
export interface Waits {
  /** The longest wait; a wait that ended between two checks counts until the later check. */
  readonly waited: number;
  /** The longest time between two checks: a shorter wait may be missed. */
  readonly gap: number;
  /** Whether the upkeep ran at all. */
  readonly isUpkeepThere: boolean;
}

/**
 * Runs the work and checks every few milliseconds which calls wait for a lock that the upkeep holds or waits for. The
 * upkeep causes that part of a call's time, whatever else the machine does. Counts each lock separately.
 * @param upkeep the application name of the upkeep's connections
 */
export async function withLongestWait<Result>(
  url: string,
  upkeep: string,
  work: () => Promise<Result>,
): Promise<Waits & { result: Result }> {
  const client = await connected(url);
  const over = new AbortController();
  const looking = look(over.signal, client, upkeep);
  looking.catch(() => undefined);
  try {
    const result = await work();
    over.abort();
    return { result, ...(await looking) };
  } finally {
    over.abort();
    await looking.catch(() => undefined);
    await client.end();
  }
}

async function look(over: AbortSignal, client: Client, upkeep: string): Promise<Waits> {
  let [waited, gap, seen] = [0, 0, 0];
  let isUpkeepThere = false;
  let lookedAt = performance.now();
  const passed = (until: number) => {
    gap = Math.max(gap, until - lookedAt);
    if (seen > 0) waited = Math.max(waited, seen + until - lookedAt);
  };
  while (!over.aborted) {
    const askedAt = performance.now();
    const { rows } = await client.query<{ ms: number; sessions: number }>({
      name: 'lock-waits',
      text: WAITS,
      values: [upkeep],
    });
    passed(performance.now());
    seen = rows[0]?.ms ?? 0;
    lookedAt = askedAt;
    isUpkeepThere ||= (rows[0]?.sessions ?? 0) > 0;
    await sleep(EVERY_MS);
  }
  passed(performance.now());
  return { waited, gap, isUpkeepThere };
}

const WAITS = `
  WITH upkeep AS (
    SELECT coalesce(array_agg(pid), '{}') AS pids FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = $1
  )
  SELECT cardinality(pids) AS sessions, (
    SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart)), 0)::float8 * 1000
    FROM pg_locks
    WHERE NOT granted AND locktype = 'relation' AND pid <> ALL (pids) AND pg_blocking_pids(pid) && pids) AS ms
  FROM upkeep`;
