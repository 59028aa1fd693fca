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
import { within } from './within.js';
import { WorkLoop } from './work-loop.js';

/**
 * A query that answers a row, `true`, when something is due by `now`, an expression of SQL. It looks at the head of an
 * index, in its order, so that it costs the same whatever else waits. It may answer one when there is nothing to take
 * after all: somebody else has it.
 */
export type DueQuery = (now: string) => string;

interface Watched {
  readonly query: DueQuery;
  readonly wake: () => void;
}

const EVERY_MS = 1_000;
/** After that every loop looks by itself: one table that somebody has locked holds up no other work. */
const ANSWER_MS = 1_000;
/** A look locks all of its tables: it gives way before PostgreSQL looks for a deadlock, which it does after a second. */
const GIVES_WAY_AFTER = '800ms';
/** It never writes, and so would not notice that its server is the primary no longer. */
const CONNECTION_LASTS_S = 60;

/** How long a loop that the poller wakes rests at most: a net below it. */
export const UNWOKEN_MS = 30_000;

/**
 * Asks the database for all loops of this process at once, once a second, which of them have something due, and wakes
 * those. A loop that had to find out by itself would open a transaction each time, and nearly always for nothing. What
 * comes up in this process wakes its loop without it; this finds what became due in time, what other replicas have put
 * there, and what one that was killed has left.
 */
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
  /** A look that is under way: one that hangs is not joined by others. */
  private looking?: Promise<readonly (boolean | null)[]>;
  private pool?: WorkerPool;

  constructor(private readonly database: Database) {}

  /** Has `wake` called whenever the query answers, and when that cannot be known. */
  watch(query: DueQuery, wake: () => void): void {
    this.watched.push({ query, wake });
  }

  /** For a task that is on a schedule of its own: whether the query answers, or that cannot be known, or not soon. */
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

  /** Looks at once: the clock was moved, or something was done that only a look would show. */
  lookNow(): void {
    this.loop.wake();
  }

  private async poll(): Promise<number> {
    if (this.watched.length === 0) return 0;
    try {
      this.looking ??= this.look().finally(() => (this.looking = undefined));
      this.wakeThose(await within(ANSWER_MS, this.looking, () => null));
    } catch (error) {
      // Also when the connection is lost: it may be this one alone, and the loops have others.
      this.wakeThose(null);
      if (!isWorthRetrying(error)) throw error;
    }
    return 0;
  }

  /** @param due in their order; null: all of them */
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

  /** One connection for all looks: each would have its statements planned anew. */
  private prepared<Row extends QueryResultRow>(name: string, sql: string): Promise<Row[]> {
    this.pool ??= this.database.workerPool({
      connections: 1,
      lastsSeconds: CONNECTION_LASTS_S,
      settings: { ...PLANS_BY_INDEX, lock_timeout: GIVES_WAY_AFTER },
    });
    return this.pool.prepared<Row>(name, sql);
  }
}
