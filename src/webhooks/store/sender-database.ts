import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { Database, type WorkerPool } from '../../platform/index.js';

/** One to claim on, one to record results on, and one for what a recovery sets free. */
const CONNECTIONS = 3;

/**
 * A plan is made once and kept for as long as its connection, and the queue that it was made for was
 * empty as likely as not: what reads all of that in no time reads 100,000 rows forever. So each
 * statement goes from row to row by index, which is how all of them are written. Left to itself the
 * server would plan the reading of what is due again each time, to the same end.
 */
const PLANS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

/**
 * The senders' own connections: a crowd of deliveries keeps no request waiting, nor the other way
 * round.
 */
@Injectable()
export class SenderDatabase implements OnApplicationShutdown {
  private pool?: WorkerPool;

  constructor(private readonly database: Database) {}

  prepared<Row extends QueryResultRow>(
    name: string,
    sql: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    this.pool ??= this.database.workerPool({
      connections: CONNECTIONS,
      settings: PLANS,
    });
    return this.pool.prepared<Row>(name, sql, values);
  }

  // The last of the hooks: the sender has finished in an earlier one.
  async onApplicationShutdown(): Promise<void> {
    await this.pool?.end();
  }
}
