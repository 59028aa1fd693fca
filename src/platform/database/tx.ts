import type { EntityManager, QueryRunner } from 'typeorm';

/** One open transaction, handed down explicitly to everything that takes part in it. */
export class Tx {
  private readonly callbacks: (() => void)[] = [];

  constructor(private readonly runner: QueryRunner) {}

  /** TypeORM's manager, bound to this transaction. */
  get manager(): EntityManager {
    return this.runner.manager;
  }

  /** The rows that a statement returns. */
  async query<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const result = await this.runner.query(sql, values, true);
    return result.records as Row[];
  }

  /** How many rows a statement changed. */
  async execute(sql: string, values: unknown[] = []): Promise<number> {
    const result = await this.runner.query(sql, values, true);
    return result.affected ?? 0;
  }

  /** Registers what shall happen once this transaction is durable: waking a worker, say. */
  afterCommit(callback: () => void): void {
    this.callbacks.push(callback);
  }

  /** Called by `Database` alone. */
  committed(): void {
    for (const callback of this.callbacks) callback();
  }
}
