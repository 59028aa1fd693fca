import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool, PoolClient, QueryResultRow } from 'pg';
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
import { within } from '../work/within.js';
import { Outage } from './outage.js';
import { Tx } from './tx.js';
import { PLANS_BY_INDEX, WorkerPool, type WorkerPoolOptions } from './worker-pool.js';

/** For what a caller waits for, which an index answers in milliseconds. */
const QUICK_QUERY_MS = 5_000;

const PLAN_BY_INDEX = Object.entries(PLANS_BY_INDEX)
  .map(([name, value]) => `SET LOCAL ${name} = ${value}`)
  .join('; ');

/**
 * The way to PostgreSQL. A write goes through `transaction`, which is opened at the edge of a
 * request or task and handed down; `query` is for single statements that stand by themselves.
 */
@Injectable()
export class Database implements BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly outage = new Outage();
  private reservedPool?: Pool;
  private asking: Promise<void> | null = null;

  constructor(@InjectDataSource() readonly dataSource: DataSource) {}

  /**
   * Runs `work` in one transaction. What `work` registered with `tx.afterCommit` runs once the
   * commit is durable, and never when it failed. No call over a network belongs inside: `work` is
   * done once more when PostgreSQL ended it for the sake of another (a deadlock, say).
   */
  async transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.twiceAtMost(() => this.runOnce(work));
  }

  /**
   * The same for what is done again and again with many rows at a time: its connection plans each statement
   * once, and from row to row by index (`PLANS_BY_INDEX`), those of TypeORM and of triggers included. Not for statements that read a whole table, nor for
   * those whose text is never the same.
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
        // TypeORM lets go of a connection that breaks, and of the statement after it says just that.
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

  /**
   * Work with TypeORM's repository of an entity outside any transaction of ours: a plain read, or one
   * statement that stands by itself.
   */
  async with<Entity extends ObjectLiteral, Result>(
    entity: EntityTarget<Entity>,
    work: (repository: Repository<Entity>) => Promise<Result>,
  ): Promise<Result> {
    return this.watched(() => work(this.dataSource.getRepository(entity)));
  }

  /** One statement outside any transaction of ours. */
  async query<Row extends QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.watched(async () => (await this.pool.query<Row>(sql, values)).rows);
  }

  /** One statement that each connection plans once and keeps under `name`, where statements are kept. */
  async prepared<Row extends QueryResultRow>(
    name: string,
    sql: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    const isKept = waysOf(this.dataSource).keepsStatements;
    const query = { ...(isKept && { name }), text: sql, values, query_timeout: QUICK_QUERY_MS };
    return this.watched(async () => (await this.pool.query<Row>(query)).rows);
  }

  /**
   * One read on a reserved connection. A transaction may wait for such a read (of a configuration
   * that is cached) although it may hold the last connection of the pool.
   */
  async queryReserved<Row extends QueryResultRow>(sql: string): Promise<Row[]> {
    return this.watched(async () => (await this.reserved().query<Row>(sql)).rows);
  }

  /** Connections of their own for background work; whoever asks for them ends them. */
  workerPool(options: WorkerPoolOptions): WorkerPool {
    return new WorkerPool(sessionConnection(this.dataSource), options, (work) =>
      this.watched(work),
    );
  }

  /**
   * Whether the database says within so many milliseconds that it takes writes. A pool whose connections are all taken,
   * as by statements that wait for a locked table, says nothing about the database: the reserved one is asked.
   */
  async isThere(withinMs: number): Promise<boolean> {
    const isFull = this.pool.idleCount === 0 && this.pool.totalCount >= this.pool.options.max;
    const pool = isFull ? this.reserved() : this.pool;
    const there = this.watched(() => assertWritable(pool, withinMs)).then(
      () => true,
      () => false,
    );
    return within(withinMs, there, () => false);
  }

  /** Whether the last call found that the database is away or takes no writes, which the log has said. */
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

  /** A statement that got no answer in time may wait for a lock: the reserved connection shows whether the database is away. */
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

/**
 * Ends a transaction that failed. A broken connection cannot roll back; the server does that by
 * itself. It must not go back to the pool either: one on which an answer never came would keep the
 * next one waiting, too.
 */
async function undo(runner: QueryRunner, error: unknown): Promise<void> {
  if (!runner.isTransactionActive) return;
  if (!isConnectionLost(error)) {
    await runner.rollbackTransaction().catch(() => undefined);
    return;
  }
  breakConnection((await runner.connect()) as PoolClient);
}
