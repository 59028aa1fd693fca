import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Database, PLANS_BY_INDEX, type WorkerPool } from '../../platform/index.js';

/** One each to claim, to record results and to make retries due. */
const CONNECTIONS = 3;

/** Separate connections, so that deliveries and requests do not delay each other. */
@Injectable()
export class SenderDatabase implements OnApplicationShutdown {
  private pool?: WorkerPool;

  constructor(private readonly database: Database) {}

  prepared<Row>(name: string, sql: string, values: unknown[] = []): Promise<Row[]> {
    this.pool ??= this.database.workerPool({
      connections: CONNECTIONS,
      // All its statements go from row to row by index.
      settings: PLANS_BY_INDEX,
    });
    return this.pool.prepared(name, sql, values);
  }

  // The last hook; the sender has already stopped.
  async onApplicationShutdown(): Promise<void> {
    await this.pool?.end();
  }
}
