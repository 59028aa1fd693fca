import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { Database } from '../database/database.js';
import { PLANS_BY_INDEX, type WorkerPool } from '../database/worker-pool.js';
import { isWorthRetrying } from '../database/connection-lost.js';
import { within } from './few-at-a-time.js';
import { WorkLoop } from './work-loop.js';

/** SQL with a row `true` when work is due by `now`. Must read only the head of an index. */
export type DueQuery = (now: string) => string;

interface Watched {
  readonly query: DueQuery;
  readonly wake: () => void;
}

const EVERY_MS = 1_000;
/** After this time every loop checks, so that one locked table blocks no other work. */
const ANSWER_MS = 1_000;
/** Below PostgreSQL's deadlock_timeout of one second: the query locks all its tables. */
const LOCK_TIMEOUT = '800ms';
/** It never writes, so it would not notice a failover. */
const CONNECTION_LASTS_S = 60;

/** The longest pause of a loop that the poller wakes. */
export const UNWOKEN_MS = 30_000;

/** One query a second; otherwise each loop would open a transaction, mostly in vain. */
@Injectable()
export class DuePoller
  implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  private readonly watched: Watched[] = [];
  private readonly loop = new WorkLoop({
    name: 'due-poller',
    run: () => this.poll(),
    pollMs: EVERY_MS,
  });
  /** Shared, so that a hanging query is not repeated. */
  private looking?: Promise<readonly (boolean | null)[]>;
  private pool?: WorkerPool;

  constructor(private readonly database: Database) {}

  /** Calls `wake` also when the query fails. */
  watch(query: DueQuery, wake: () => void): void {
    this.watched.push({ query, wake });
  }

  /** For tasks with their own schedule; true also on a failure or timeout. */
  isDue(name: string, query: DueQuery): Promise<boolean> {
    const isUnknown = () => true;
    const rows = this.prepared(name, query('app_now()'));
    return within(
      ANSWER_MS,
      rows.then(({ length }) => length > 0, isUnknown),
      isUnknown,
    );
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.end();
  }

  /** Call it after the clock was moved or work was added. */
  lookNow(): void {
    this.loop.wake();
  }

  private async poll(): Promise<number> {
    if (this.watched.length === 0) return 0;
    try {
      this.looking ??= this.look().finally(() => (this.looking = undefined));
      this.wakeThose(await within(ANSWER_MS, this.looking, () => null));
    } catch (error) {
      // Only this connection may be lost; the loops have others.
      this.wakeThose(null);
      if (!isWorthRetrying(error)) throw error;
    }
    return 0;
  }

  /** @param due in order; null: all */
  private wakeThose(due: readonly (boolean | null)[] | null): void {
    this.watched.forEach(({ wake }, index) => {
      if (due === null || due[index]) wake();
    });
  }

  private async look(): Promise<readonly (boolean | null)[]> {
    const queries = this.watched.map(({ query }) => `(${query('(SELECT now FROM moment)')})`);
    const [row] = await this.prepared<{ due: (boolean | null)[] }>(
      `due-${queries.length}`,
      `WITH moment AS MATERIALIZED (SELECT app_now() AS now)
       SELECT ARRAY[${queries.join(', ')}] AS due`,
    );
    return row.due;
  }

  /** One connection, since each plans the statements for itself. */
  private prepared<Row extends QueryResultRow>(name: string, sql: string): Promise<Row[]> {
    this.pool ??= this.database.workerPool({
      connections: 1,
      lastsSeconds: CONNECTION_LASTS_S,
      settings: { ...PLANS_BY_INDEX, lock_timeout: LOCK_TIMEOUT },
    });
    return this.pool.prepared<Row>(name, sql);
  }
}
