import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { QueryResultRow } from 'pg';
import { projectPath } from '../data-source.js';
import {
  errorOf,
  rowsOf,
  type Table,
  type ThreadAnswer,
  type ThreadOrder,
  type ThreadSetUp,
} from './messages.js';

/** As it was built, whoever asks: a thread is run by plain Node, which does not read the sources. */
const BUILT_FILE = projectPath('dist/src/platform/database/statement-thread/statement-worker.js');
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 64 };

interface Waiting {
  readonly resolve: (table: Table) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Connections to PostgreSQL on a thread of their own: writing down values and reading rows is then no
 * work of the thread that answers requests and signs deliveries. It is started when it is first
 * needed, and again after one that died, which counts as a connection that was lost.
 */
export class StatementThread {
  private worker?: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;

  constructor(
    private readonly setUp: ThreadSetUp,
    private readonly file: string | URL = BUILT_FILE,
  ) {}

  /**
   * One statement that each connection plans once and keeps under `name`.
   * @throws Error with the server's or the socket's code
   */
  async prepared<Row extends QueryResultRow>(
    name: string,
    text: string,
    values: unknown[],
  ): Promise<Row[]> {
    this.worker ??= this.started();
    const id = (this.lastId += 1);
    const { worker } = this;
    const table = await new Promise<Table>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      worker.postMessage({ id, name, text, values } satisfies ThreadOrder);
    });
    return rowsOf<Row>(table);
  }

  /** Waits for what is under way, and ends. */
  async end(): Promise<void> {
    const { worker } = this;
    if (!worker) return;
    const ended = once(worker, 'exit');
    worker.postMessage('end' satisfies ThreadOrder);
    await ended;
  }

  private started(): Worker {
    const worker = new Worker(this.file, { workerData: this.setUp, resourceLimits: LIMITS });
    worker.on('message', (answer: ThreadAnswer) => this.take(answer));
    // An error that nobody hears would end the process; the thread ends with it.
    worker.on('error', () => undefined);
    worker.on('exit', () => this.forget(worker));
    return worker;
  }

  private take(answer: ThreadAnswer): void {
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if ('error' in answer) waiting?.reject(errorOf(answer.error));
    else waiting?.resolve(answer.table);
  }

  private forget(worker: Worker): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of lost) reject(new Error('Connection terminated with its thread'));
  }
}
