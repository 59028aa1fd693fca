import type { Pool, PoolConfig, QueryResultRow } from 'pg';
import { newPool } from './data-source.js';

type Watch = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * A plan is made once and kept for as long as its connection, and the queue that it was made for was
 * empty as likely as not: what reads all of that in no time reads 100,000 rows forever. So each
 * statement goes from row to row by index. Left to itself the server would plan some of them again
 * each time, to the same end. Which table a join begins with is still the server's choice, so a statement looks the
 * keys of a list up in a `LATERAL (… OFFSET 0)`, or gives them once more as `= ANY`: it would read a small table
 * by the whole of an index otherwise, and the keys then. Where many rows are written, it asks for each by
 * `= ANY (ARRAY[key])`, which cannot be joined by but from the key to its row: with all the keys given once more each
 * look-up goes through all of them.
 */
export const PLANS_BY_INDEX = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // Rows that are kept aside for a join are all of a table.
  enable_material: 'off',
  // Where a table is read whole for want of an index, its price would have the statement compiled.
  jit: 'off',
};

export interface WorkerPoolOptions {
  readonly connections: number;
  /** How long each lasts before another takes its place; as long as it can when left out. */
  readonly lastsSeconds?: number;
  /** Server settings of these connections alone, by name. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Connections of background work, apart from those that requests are answered on: neither waits for
 * the other, and they may have settings of their own.
 */
export class WorkerPool {
  private readonly pool: Pool;

  constructor(
    connection: PoolConfig,
    { connections, lastsSeconds = 0, settings }: WorkerPoolOptions,
    /** Takes note when the database is away, and when it is back. */
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

  /** One statement that each connection plans once and keeps under `name`. */
  prepared<Row extends QueryResultRow>(
    name: string,
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    return this.watch(async () => (await this.pool.query<Row>({ name, text, values })).rows);
  }

  /** Waits for what is under way, and closes. */
  async end(): Promise<void> {
    if (!this.pool.ending) await this.pool.end();
  }
}
