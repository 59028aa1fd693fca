import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { Gauge } from 'prom-client';
import { clearGauge, Metrics } from '../metrics/metrics.js';
import { ScheduledTask } from '../work/scheduled-task.js';
import { poolOf } from './data-source.js';
import { Database } from './database.js';

type Connect = (
  done?: (error: Error | undefined, client: PoolClient, release: () => void) => void,
) => unknown;

interface LongWaits {
  readonly calls: number;
  readonly longestMs: number;
}

export class PoolWaits {
  private readonly waiting = new Set<number[]>();
  private ended: number[] = [];

  constructor(
    private readonly longFromMs: number,
    private readonly onWait: (ms: number) => void,
    /** Monotonic milliseconds. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  watch(pool: Pool): void {
    const connect = pool.connect.bind(pool) as Connect;
    const watched: Connect = (done) => {
      const end = this.begin();
      if (!done) return (connect() as Promise<PoolClient>).finally(end);
      return connect((error, client, release) => {
        end();
        done(error, client, release);
      });
    };
    pool.connect = watched as Pool['connect'];
  }

  takeLongWaits(): LongWaits | null {
    const lasting = [...this.waiting].map(([beganAt]) => this.now() - beganAt);
    const long = [...this.ended, ...lasting].filter((ms) => ms > this.longFromMs);
    this.ended = [];
    return long.length === 0 ? null : { calls: long.length, longestMs: Math.max(...long) };
  }

  private begin(): () => void {
    const wait = [this.now()];
    this.waiting.add(wait);
    return () => {
      if (!this.waiting.delete(wait)) return;
      const ms = this.now() - wait[0];
      this.onWait(ms);
      if (ms > this.longFromMs) this.ended.push(ms);
    };
  }
}

const EVERY_MS = 10_000;
const LONG_MS = 1_000;
const MOST_EXPLAINED = 10;

interface LockWaits {
  readonly statements: number;
  readonly longestSeconds: number | null;
  readonly tables: string | null;
  readonly holders: string | null;
}

// Reads lock holders only for the longest waits: each read locks PostgreSQL's whole lock table.
// Excludes advisory locks, which an upgrade holds for long.
const LOCK_WAITS = `
  WITH waiting AS MATERIALIZED (
    SELECT l.pid, CASE WHEN l.locktype = 'relation' THEN l.relation END AS relation,
      extract(epoch FROM clock_timestamp() - l.waitstart) AS seconds
    FROM pg_locks AS l JOIN pg_stat_activity AS a ON a.pid = l.pid AND a.datname = current_database()
    WHERE NOT l.granted AND l.locktype <> 'advisory'
      AND l.waitstart < clock_timestamp() - interval '${LONG_MS} milliseconds'
  ), longest AS MATERIALIZED (
    SELECT pid FROM waiting ORDER BY seconds DESC LIMIT ${MOST_EXPLAINED}
  ), holding AS MATERIALIZED (
    SELECT DISTINCT unnest(pg_blocking_pids(pid)) AS pid FROM longest
  )
  SELECT (SELECT count(*) FROM waiting)::int AS statements,
    (SELECT max(seconds) FROM waiting)::float8 AS "longestSeconds",
    (SELECT string_agg(DISTINCT relation::regclass::text, ', ') FROM waiting) AS tables,
    (SELECT string_agg(format('process %s (%s, %s, %s s in its transaction)', pid, coalesce(application_name, '?'),
        coalesce(state, '?'), coalesce(round(extract(epoch FROM clock_timestamp() - xact_start))::text, '?')), ', ')
      FROM pg_stat_activity
      WHERE pid IN (SELECT pid FROM holding) AND wait_event_type IS DISTINCT FROM 'Lock') AS holders
`;

@Injectable()
export class DatabaseWaits implements OnModuleInit {
  private readonly logger = new Logger('Database');
  private readonly waits: PoolWaits;
  private readonly lockWaits: Gauge;

  constructor(
    private readonly database: Database,
    metrics: Metrics,
  ) {
    const seconds = metrics.histogram(
      'database_pool_wait_seconds',
      'Time that a call waits for a pool connection',
      [0.001, 0.01, 0.1, 0.5, 1, 2.5, 5, 10],
    );
    this.waits = new PoolWaits(LONG_MS, (ms) => seconds.observe(ms / 1_000));
    const waiting: Gauge = new Gauge({
      name: 'database_calls_waiting',
      help: 'Calls that now wait for a pool connection',
      registers: [metrics.registry],
      collect: () => waiting.set(poolOf(database.dataSource).waitingCount),
    });
    this.lockWaits = metrics.gauge(
      'database_lock_waits',
      'Statements in the whole database that waited over 1 s for a lock at the last check',
    );
    clearGauge(this.lockWaits);
  }

  onModuleInit(): void {
    this.waits.watch(poolOf(this.database.dataSource));
  }

  @ScheduledTask('database-waits', EVERY_MS)
  async check(): Promise<void> {
    const pool = this.waits.takeLongWaits();
    // First, since the database may not answer.
    if (pool && !this.database.isAway) this.logger.warn(describePoolWaits(pool));
    const locks = await this.readLockWaits();
    this.lockWaits.set(locks.statements);
    if (locks.statements > 0) this.logger.warn(describeLockWaits(locks));
  }

  private async readLockWaits(): Promise<LockWaits> {
    try {
      // Every pool connection may be waiting.
      const [locks] = await this.database.queryReserved<LockWaits>(LOCK_WAITS);
      return locks;
    } catch (error) {
      clearGauge(this.lockWaits);
      throw error;
    }
  }
}

function describePoolWaits({ calls, longestMs }: LongWaits): string {
  const seconds = (longestMs / 1_000).toFixed(1);
  return `Calls that waited over 1 s for a database connection: ${calls}, the longest ${seconds} s`;
}

function describeLockWaits({ statements, longestSeconds, tables, holders }: LockWaits): string {
  const seconds = (longestSeconds ?? 0).toFixed(1);
  const where = tables === null ? 'a row' : `a lock on ${tables}`;
  return (
    `${statements} statements wait for ${where}, the longest for ${seconds} s; ` +
    `held by ${holders ?? 'a process that has ended'}`
  );
}
