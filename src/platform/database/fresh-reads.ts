import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import type { Counter } from 'prom-client';
import { messageOf } from '../errors/fault.js';
import { Metrics } from '../metrics/metrics.js';
import { hearErrors, newPool, waysOf } from './data-source.js';
import { Database } from './database.js';

interface Position {
  /** Cluster and database; equal on a standby. */
  readonly origin: string;
  /** Increases by one at each promotion. */
  readonly timeline: number;
  readonly lsn: string;
}

/** Every earlier commit is below this position. */
const POSITION = `
  SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || current_database() AS origin,
    ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int AS timeline,
    pg_current_wal_flush_lsn()::text AS lsn
`;

// A former primary and its followers keep the old timeline and may lack new commits.
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
/** A standby usually lags by milliseconds. */
const WAITS_MS = [5, 15, 30];

class StandbyPool {
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
   * Null when the standby lags or follows another primary.
   * @throws Error when the standby is unreachable or cancels the statement
   */
  async read<Row>(position: Position, sql: string, values: unknown[]): Promise<Row[] | null> {
    const client = await this.pool.connect();
    let isWhole = false;
    try {
      // Each connection may lead to another standby.
      await client.query(BEGIN);
      const isFresh = await reaches(client, position);
      const rows = isFresh ? ((await client.query(sql, values)).rows as Row[]) : null;
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

/** Pauses after a lag, and after no response. */
const BEHIND_MS = 1_000;
const AWAY_MS = 5_000;
const LOG_EVERY_MS = 60_000;

/** Lists only: a single row is cheaper on the primary (docs/adr/0058). */
@Injectable()
export class FreshReads implements OnApplicationShutdown {
  private readonly logger = new Logger('Database');
  private readonly standby: StandbyPool | null;
  private readonly answers: Counter<'server'>;
  private leftAloneUntil = Number.NEGATIVE_INFINITY;
  private loggedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly database: Database,
    metrics: Metrics,
  ) {
    const { readUrl, poolSize } = waysOf(database.dataSource);
    this.standby = readUrl === undefined ? null : new StandbyPool(readUrl, poolSize);
    this.answers = metrics.counter(
      'database_list_reads_total',
      'Reads of lists by server, if DATABASE_READ_URL names a standby',
      ['server'],
    );
  }

  async query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    if (this.standby === null) return this.database.query(sql, values);
    const rows = await this.fromStandby<Row>(this.standby, sql, values);
    this.answers.inc({ server: rows === null ? 'primary' : 'standby' });
    return rows ?? this.database.query<Row>(sql, values);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.standby?.end();
  }

  private async fromStandby<Row>(
    standby: StandbyPool,
    sql: string,
    values: unknown[],
  ): Promise<Row[] | null> {
    if (performance.now() < this.leftAloneUntil) return null;
    const [position] = await this.database.query<Position>(POSITION);
    try {
      const rows = await standby.read<Row>(position, sql, values);
      if (rows === null) this.leaveAlone(BEHIND_MS);
      return rows;
    } catch (error) {
      this.leaveAlone(AWAY_MS);
      this.log(error);
      return null;
    }
  }

  private leaveAlone(ms: number): void {
    this.leftAloneUntil = performance.now() + ms;
  }

  /** Omits PostgreSQL's message, which may quote a value. */
  private log(error: unknown): void {
    if (performance.now() - this.loggedAt < LOG_EVERY_MS) return;
    this.loggedAt = performance.now();
    const { code } = (error ?? {}) as { code?: unknown };
    const why = typeof code === 'string' ? code : messageOf(error);
    this.logger.warn(
      `The standby does not answer (${why}); the primary answers lists until it does`,
    );
  }
}
