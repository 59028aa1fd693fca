import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
import { hearErrors, newPool } from './data-source.js';

export interface Position {
  /** The cluster and the database, shared by a standby. */
  readonly origin: string;
  /** Raised by one at each promotion. */
  readonly timeline: number;
  readonly lsn: string;
}

/** Everything committed before is below this position. */
export const POSITION = `
  SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || current_database() AS origin,
    ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int AS timeline,
    pg_current_wal_flush_lsn()::text AS lsn
`;

// A former primary is not in recovery, and its followers are on its timeline; either may lack the new primary's
// commits.
const STANDING = `
  SELECT pg_is_in_recovery()
      AND (SELECT system_identifier FROM pg_control_system()) || '/' || current_database() = $1
      AND greatest(
        (SELECT timeline_id FROM pg_control_checkpoint()),
        (SELECT min_recovery_end_timeline FROM pg_control_recovery())
      ) = $2 AS "isOurs",
    coalesce(pg_last_wal_replay_lsn() >= $3::pg_lsn, false) AS "isThere"
`;

const CONNECT_MS = 1_000;
const ANSWER_MS = 6_000;
const BEGIN = 'BEGIN READ ONLY; SET LOCAL statement_timeout = 5000; SET LOCAL jit = off';
/** A standby is usually some milliseconds behind. */
const WAITS_MS = [5, 15, 30];

export class StandbyPool {
  private readonly pool: Pool;

  constructor(url: string, connections: number) {
    this.pool = newPool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: ANSWER_MS,
      application_name: 'rinpath lists',
      onConnect: hearErrors,
    });
  }

  /**
   * Null when the standby lacks something before `position`, or follows another primary.
   * @throws Error when the standby is away or cancels the statement for its replay
   */
  async read<Row extends QueryResultRow>(
    position: Position,
    sql: string,
    values: unknown[],
  ): Promise<Row[] | null> {
    const client = await this.pool.connect();
    let isWhole = false;
    try {
      // In one transaction: each connection may lead to another standby.
      await client.query(BEGIN);
      const isFresh = await reaches(client, position);
      const rows = isFresh ? (await client.query<Row>(sql, values)).rows : null;
      await client.query('COMMIT');
      isWhole = true;
      return rows;
    } finally {
      client.release(!isWhole);
    }
  }

  async end(): Promise<void> {
    await this.pool.end();
  }
}

async function reaches(client: PoolClient, { origin, timeline, lsn }: Position): Promise<boolean> {
  for (const waitMs of [0, ...WAITS_MS]) {
    if (waitMs > 0) await sleep(waitMs);
    const { rows } = await client.query<{ isOurs: boolean; isThere: boolean }>(STANDING, [
      origin,
      timeline,
      lsn,
    ]);
    const [{ isOurs, isThere }] = rows;
    if (!isOurs) return false;
    if (isThere) return true;
  }
  return false;
}
