import type { Pool, PoolConfig, QueryResultRow } from 'pg';
import { newPool } from './data-source.js';

type Watch = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * A plan is kept with its connection, and was probably made on an empty queue, where a sequential
 * scan is cheapest; later it would read 100,000 rows each time. So every statement joins row by
 * row, by index. The planner still chooses the first table: a statement looks keys up in a `LATERAL
 * (… OFFSET 0)`, or repeats them as `= ANY`. For many written rows, `= ANY (ARRAY[key])` forces the
 * join from the key to its row.
 */
export const PLANS_BY_INDEX = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // Otherwise a join may materialise a whole table.
  enable_material: 'off',
  // The estimate of an unindexed scan would trigger compilation.
  jit: 'off',
};

export interface WorkerPoolOptions {
  readonly connections: number;
  /** Left out: unlimited. */
  readonly lastsSeconds?: number;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Connections for background work with their own settings; requests and this work do not wait for
 * each other.
 */
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

  /** Each connection plans the statement once, under `name`. */
  prepared<Row extends QueryResultRow>(
    name: string,
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    return this.watch(async () => (await this.pool.query<Row>({ name, text, values })).rows);
  }

  /** Waits for statements in progress. */
  async end(): Promise<void> {
    if (!this.pool.ending) await this.pool.end();
  }
}
