import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import {
  Database,
  PLANS_BY_INDEX,
  type TimesQuery,
  type WorkerPool,
} from '../../platform/index.js';

/** One to claim on, one to record results on, and one for what a recovery sets free. */
const CONNECTIONS = 3;

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
      // All of its statements are written to go from row to row by index.
      settings: PLANS_BY_INDEX,
    });
    return this.pool.prepared<Row>(name, sql, values);
  }

  // The last of the hooks: the sender has finished in an earlier one.
  async onApplicationShutdown(): Promise<void> {
    await this.pool?.end();
  }
}

/** When deliveries are due to endpoints that are sent to; one that is in flight is due. */
export const DELIVERY_TIMES: TimesQuery = () => `
  SELECT greatest(q.next_attempt_at, l.probe_at) AS at
  FROM webhook_queue AS q JOIN webhook_lanes AS l USING (subscription_id) WHERE l.is_active`;
