import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient } from 'pg';
import {
  DataSource,
  type EntityTarget,
  type ObjectLiteral,
  type QueryRunner,
  type Repository,
} from 'typeorm';
import {
  breakConnection,
  newPool,
  poolOf,
  sessionConnection,
  waysOf,
  assertWritable,
} from './data-source.js';
import { isConnectionLost, isReadTimeout, isWorthRetrying } from './connection-lost.js';
import { within } from '../work/few-at-a-time.js';
import { Outage } from './outage.js';
import { Queries } from './queries.js';
import { Tx } from './tx.js';
import { PLANS_BY_INDEX, WorkerPool, type WorkerPoolOptions } from './worker-pool.js';

const QUICK_QUERY_MS = 5_000;

const PLAN_BY_INDEX = Object.entries(PLANS_BY_INDEX)
  .map(([name, value]) => `SET LOCAL ${name} = ${value}`)
  .join('; ');

/** Open `transaction` at the edge of a request or task. */
@Injectable()
export class Database extends Queries implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly outage = new Outage();
  private reservedPool?: Pool;
  private asking: Promise<void> | null = null;

  constructor(@InjectDataSource() readonly dataSource: DataSource) {
    super();
  }

  /** Make no network call in `work`. A deadlock or serialization failure is retried once. */
  async transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.twiceAtMost(() => this.runOnce(work));
  }

  /**
   * For frequent batches: plans each statement once per connection (`PLANS_BY_INDEX`). Not for
   * full-table reads or varying text.
   */
  async plannedTransaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    if (!waysOf(this.dataSource).keepsStatements) return this.transaction(work);
    return this.twiceAtMost(() => this.runOnce(work, PLAN_BY_INDEX));
  }

  private async twiceAtMost<Result>(run: () => Promise<Result>): Promise<Result> {
    try {
      return await run();
    } catch (error) {
      if (!isWorthRetrying(error)) throw error;
      return run();
    }
  }

  private async runOnce<Result>(
    work: (tx: Tx) => Promise<Result>,
    planned?: string,
  ): Promise<Result> {
    const runner = this.dataSource.createQueryRunner();
    const tx = new Tx(runner, planned !== undefined);
    const result = await this.watched(async () => {
      try {
        await runner.connect();
        await runner.startTransaction();
        if (planned !== undefined) await tx.execute(planned);
        const done = await work(tx);
        await runner.commitTransaction();
        return done;
      } catch (error) {
        // TypeORM reports only the release of a broken connection.
        const isBroken = runner.isReleased && !isConnectionLost(error);
        const cause = isBroken ? new Error('Connection terminated', { cause: error }) : error;
        await undo(runner, cause);
        throw cause;
      } finally {
        await runner.release();
      }
    });
    tx.committed();
    return result;
  }

  async with<Entity extends ObjectLiteral, Result>(
    entity: EntityTarget<Entity>,
    work: (repository: Repository<Entity>) => Promise<Result>,
  ): Promise<Result> {
    return this.watched(() => work(this.dataSource.getRepository(entity)));
  }

  async query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.watched(async () => (await this.pool.query(sql, values)).rows as Row[]);
  }

  async prepared<Row>(name: string, sql: string, values: unknown[] = []): Promise<Row[]> {
    const isKept = waysOf(this.dataSource).keepsStatements;
    const query = { ...(isKept && { name }), text: sql, values, query_timeout: QUICK_QUERY_MS };
    return this.watched(async () => (await this.pool.query(query)).rows as Row[]);
  }

  /** A waiting transaction may hold the pool's last connection. */
  async queryReserved<Row>(sql: string): Promise<Row[]> {
    return this.watched(async () => (await this.reserved().query(sql)).rows as Row[]);
  }

  /** For background work. The caller must end the pool. */
  workerPool(options: WorkerPoolOptions): WorkerPool {
    return new WorkerPool(sessionConnection(this.dataSource), options, (work) =>
      this.watched(work),
    );
  }

  /** A full pool proves nothing, so the reserved connection is then used. */
  async isThere(withinMs: number): Promise<boolean> {
    const isFull = this.pool.idleCount === 0 && this.pool.totalCount >= this.pool.options.max;
    const pool = isFull ? this.reserved() : this.pool;
    const there = this.watched(() => assertWritable(pool, withinMs)).then(
      () => true,
      () => false,
    );
    return within(withinMs, there, () => false);
  }

  get isAway(): boolean {
    return this.outage.isGoingOn;
  }

  beforeApplicationShutdown(): void {
    this.outage.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.reservedPool?.end();
  }

  private async watched<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      this.outage.answered();
      return result;
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }

  /** A timed-out statement may only wait for a lock. */
  private failed(error: unknown): void {
    if (!isReadTimeout(error)) return this.outage.failed(error);
    this.outage.explained(error);
    this.asking ??= assertWritable(this.reserved(), QUICK_QUERY_MS)
      .catch((problem: unknown) => this.outage.failed(problem))
      .finally(() => (this.asking = null));
  }

  private reserved(): Pool {
    const limits = { query_timeout: QUICK_QUERY_MS, max: 1 };
    return (this.reservedPool ??= newPool({ ...sessionConnection(this.dataSource), ...limits }));
  }

  private get pool(): Pool {
    return poolOf(this.dataSource);
  }
}

/** A broken connection cannot roll back; back in the pool it would block its next user. */
async function undo(runner: QueryRunner, error: unknown): Promise<void> {
  if (!runner.isTransactionActive) return;
  if (!isConnectionLost(error)) {
    await runner.rollbackTransaction().catch(() => undefined);
    return;
  }
  breakConnection((await runner.connect()) as PoolClient);
}
