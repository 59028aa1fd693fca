import {
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { isWorthRetrying } from '../database/connection-lost.js';
import { Database } from '../database/database.js';
import { PLANS_BY_INDEX, type WorkerPool } from '../database/worker-pool.js';
import type { DueWork, TimesQuery } from './due-work.js';
import { within } from './few-at-a-time.js';
import { WorkLoop } from './work-loop.js';

interface Watched {
  readonly work: DueWork;
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
export class DuePoller implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
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
  watch(work: DueWork, wake: () => void): void {
    this.watched.push({ work, wake });
  }

  get works(): readonly DueWork[] {
    return this.watched.map(({ work }) => work);
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /** Before the hook that waits for running tasks: none is woken after it. */
  async onModuleDestroy(): Promise<void> {
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
    const queries = this.works.map(({ isDue }) => `(${isDue('(SELECT now FROM moment)')})`);
    // One connection, since each plans the statement for itself.
    this.pool ??= this.database.workerPool({
      connections: 1,
      lastsSeconds: CONNECTION_LASTS_S,
      settings: { ...PLANS_BY_INDEX, lock_timeout: LOCK_TIMEOUT },
    });
    const [row] = await this.pool.prepared<{ due: (boolean | null)[] }>(
      `due-${queries.length}`,
      `WITH moment AS MATERIALIZED (SELECT app_now() AS now)
       SELECT ARRAY[${queries.join(', ')}] AS due`,
    );
    return row.due;
  }
}

export interface TimedWork {
  readonly times: TimesQuery;
  /** For work that has only its own schedule. */
  readonly run?: () => Promise<void>;
}

interface DueLook {
  /** Unix milliseconds of `app_now()`. */
  readonly now: number;
  readonly due: readonly TimedWork[];
  /** Null when nothing will fall due. */
  readonly nextInMs: number | null;
}

/** The clock stops at each due time until its work is done. Reads all waiting work. */
@Injectable()
export class DueTimes {
  private readonly scheduled: TimedWork[] = [];

  constructor(
    private readonly database: Database,
    private readonly poller: DuePoller,
  ) {}

  /** For work that the poller does not watch. */
  watch(times: TimesQuery, run: () => Promise<void>): void {
    this.scheduled.push({ times, run });
  }

  async look(): Promise<DueLook> {
    const now = '(SELECT now FROM moment)';
    const works = [...this.poller.works.filter(isTimed), ...this.scheduled];
    const queries = await Promise.all(works.map(({ times }) => Promise.resolve(times(now))));
    const waiting = queries.map(
      (query, place) => `SELECT ${place} AS place, at FROM (${query}) AS w`,
    );
    const [row] = await this.database.query<{
      now: number;
      due: number[];
      nextInMs: number | null;
    }>(
      `WITH moment AS MATERIALIZED (SELECT app_now() AS now),
       waiting AS (
         SELECT place, at FROM (${waiting.join(' UNION ALL ')}) AS all_kinds WHERE at IS NOT NULL
       )
       SELECT (extract(epoch FROM moment.now) * 1000)::float8 AS now,
         ARRAY(SELECT DISTINCT place FROM waiting WHERE at <= moment.now) AS due,
         (SELECT ceil(extract(epoch FROM min(at) - moment.now) * 1000) FROM waiting
          WHERE at > moment.now)::float8 AS "nextInMs"
       FROM moment`,
    );
    return { ...row, due: row.due.map((place) => works[place]) };
  }
}

function isTimed(work: DueWork): work is DueWork & TimedWork {
  return work.times !== undefined;
}
