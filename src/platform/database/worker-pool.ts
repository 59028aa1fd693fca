import type { PoolConfig, QueryResultRow } from 'pg';
import { StatementThread } from './statement-thread/statement-thread.js';

type Watch = <Result>(work: () => Promise<Result>) => Promise<Result>;

export interface WorkerPoolOptions {
  readonly connections: number;
  /** Server settings of these connections alone, by name. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Connections of background work, apart from those that requests are answered on: neither waits for
 * the other, and they may have settings of their own.
 */
export class WorkerPool {
  private readonly thread: StatementThread;

  constructor(
    connection: PoolConfig,
    { connections, settings }: WorkerPoolOptions,
    /** Takes note when the database is away, and when it is back. */
    private readonly watch: Watch,
  ) {
    const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
    this.thread = new StatementThread({
      ...connection,
      max: connections,
      options: options.join(' '),
    });
  }

  /** One statement that each connection plans once and keeps under `name`. */
  prepared<Row extends QueryResultRow>(
    name: string,
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    return this.watch(() => this.thread.prepared<Row>(name, text, values));
  }

  /** Waits for what is under way, and closes. */
  async end(): Promise<void> {
    await this.thread.end();
  }
}
