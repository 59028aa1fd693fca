import type { Pool, PoolConfig } from 'pg';
import { newPool } from './data-source.js';

type Watch = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Plans are made on an empty queue, where a sequential scan is cheapest; later it would read
 * 100,000 rows. So every statement joins row by row, by index.
 *
 * The planner still chooses the first table. Statements therefore look keys up in a `LATERAL (…
 * OFFSET 0)`, or repeat them as `= ANY`. For many written rows, `= ANY (ARRAY[key])` forces the
 * join from the key.
 */
export const PLANS_BY_INDEX = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // A join might otherwise materialise a whole table.
  enable_material: 'off',
  // An unindexed scan's estimate would trigger compilation.
  jit: 'off',
};

export interface WorkerPoolOptions {
  readonly connections: number;
  /** Absent: unlimited. */
  readonly lastsSeconds?: number;
  readonly settings: Readonly<Record<string, string>>;
}

/** Requests and background work do not wait for each other. */
export class WorkerPool {
  private readonly pool: Pool;

  constructor(
    connection: PoolConfig,
    { connections, lastsSeconds = 0, settings }: WorkerPoolOptions,
    private readonly watch: Watch,
  ) {
    const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
    this.pool = newPool({
      ...connection,
      max: connections,
      maxLifetimeSeconds: lastsSeconds,
      options: options.join(' '),
    });
  }

  prepared<Row>(name: string, text: string, values: unknown[] = []): Promise<Row[]> {
    return this.watch(async () => (await this.pool.query({ name, text, values })).rows as Row[]);
  }

  /** Waits for statements in progress. */
  async end(): Promise<void> {
    if (!this.pool.ending) await this.pool.end();
  }
}
