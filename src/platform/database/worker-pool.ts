import type { PoolConfig, QueryResultRow } from 'pg';
import { AnsweringThread, ThreadEnded } from '../threads/answering-thread.js';
import { projectPath } from './data-source.js';
import type { Statement } from './statement-thread/statement-worker.js';
import { rowsOf, type Table } from './statement-thread/table.js';

type Watch = <Result>(work: () => Promise<Result>) => Promise<Result>;

export interface WorkerPoolOptions {
  readonly connections: number;
  /** Server settings of these connections alone, by name. */
  readonly settings: Readonly<Record<string, string>>;
}

const FILE = projectPath('dist/src/platform/database/statement-thread/statement-worker.js');

/**
 * Connections of background work, apart from those that requests are answered on: neither waits for
 * the other, and they may have settings of their own. They have a thread, too: writing down values and
 * reading rows is no work of the one that answers requests. One that dies counts as a connection lost.
 */
export class WorkerPool {
  private readonly thread: AnsweringThread<Statement, Table>;

  constructor(
    connection: PoolConfig,
    { connections, settings }: WorkerPoolOptions,
    /** Takes note when the database is away, and when it is back. */
    private readonly watch: Watch,
  ) {
    const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
    const workerData = { ...connection, max: connections, options: options.join(' ') };
    this.thread = new AnsweringThread({
      name: 'statements',
      file: FILE,
      workerData,
    });
  }

  /** One statement that each connection plans once and keeps under `name`. */
  prepared<Row extends QueryResultRow>(
    name: string,
    text: string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    return this.watch(async () => rowsOf<Row>(await this.ask({ name, text, values })));
  }

  private async ask(statement: Statement): Promise<Table> {
    try {
      return await this.thread.ask(statement);
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      throw new Error('Connection terminated', { cause: error });
    }
  }

  /** Waits for what is under way, and closes. */
  async end(): Promise<void> {
    await this.thread.end();
  }
}
