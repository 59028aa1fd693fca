import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { Database, type WorkerPool } from '../../platform/index.js';

/** One to claim on while results are recorded on the other. */
const CONNECTIONS = 2;

/**
 * The senders' own connections: a crowd of deliveries keeps no request waiting, nor the other way
 * round. Plans are kept, and the queue that they were made for was empty as likely as not, so they
 * are held to the indexes.
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
      settings: { enable_seqscan: 'off' },
    });
    return this.pool.prepared<Row>(name, sql, values);
  }

  // The last of the hooks: the sender has finished in an earlier one.
  async onApplicationShutdown(): Promise<void> {
    await this.pool?.end();
  }
}
