import { setTimeout as sleep } from 'node:timers/promises';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import { logFailure } from '../logging/log-failure.js';
import { BatchQueue } from '../work/batcher.js';
import { within } from '../work/few-at-a-time.js';
import {
  type Answers,
  errorOf,
  MAX_PER_MESSAGE,
  type NumberedOrder,
  type Orders,
} from './messages.js';
import { projectPath } from '../database/data-source.js';

/** A larger young generation is never released. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 12 };
/** Delays a restart after a crash at startup. */
const MIN_START_INTERVAL_MS = 1_000;
const ENDS_WITHIN_MS = 5_000;
/** Longer than any deadline of its work. */
const HANGS_AFTER_MS = 30_000;

/** The order's outcome is unknown. */
export class ThreadEnded extends Error {
  constructor(name: string, cause: unknown) {
    super(`the thread of ${name} has ended`, { cause });
    this.name = 'ThreadEnded';
  }
}

interface ThreadOptions extends Pick<WorkerOptions, 'workerData'> {
  /** For the log. */
  readonly name: string;
  /** A built file: threads run plain Node, which does not read the sources. */
  readonly file: string | URL;
  readonly hangsAfterMs?: number;
}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  /** Monotonic. */
  readonly askedAt: number;
}

/** `answerOrders` is its other side. Restarts after it hung or died; open orders then fail. */
export class AnsweringThread<Order, Answer> {
  private readonly logger: Logger;
  private worker?: Worker;
  private startedAt = Number.NEGATIVE_INFINITY;
  private ending?: Promise<void>;
  private readonly waiting = new Map<number, Waiting<Answer>>();
  /** The oldest order at the last check, if overdue. */
  private overdue?: number;
  private readonly outgoing = new BatchQueue<NumberedOrder>({
    run: (orders) => this.send(orders),
    maxItems: MAX_PER_MESSAGE,
    maxInFlight: 1,
  });
  private lastId = 0;

  constructor(private readonly options: ThreadOptions) {
    this.logger = new Logger(`thread:${options.name}`);
  }

  /** @throws ThreadEnded, or the thread's error */
  ask(order: Order): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const id = (this.lastId += 1);
      this.waiting.set(id, { resolve, reject, askedAt: performance.now() });
      this.outgoing.add({ id, order });
    });
  }

  /** Resolves within 5 s. */
  end(): Promise<void> {
    this.ending ??= this.endNow().finally(() => {
      this.ending = undefined;
    });
    return this.ending;
  }

  private async endNow(): Promise<void> {
    await this.outgoing.drained();
    const { worker } = this;
    if (!worker) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage('end' satisfies Orders, []);
    await within(ENDS_WITHIN_MS, ended, () => worker.terminate());
  }

  private async send(orders: readonly NumberedOrder[]): Promise<void> {
    try {
      this.worker ??= await this.started();
      this.worker.postMessage(orders satisfies Orders, []);
    } catch (error) {
      // The thread cannot start, or an order cannot be cloned.
      for (const { id } of orders) this.settled(id)?.reject(error as Error);
    }
  }

  private async started(): Promise<Worker> {
    const waitMs = this.startedAt + MIN_START_INTERVAL_MS - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    this.startedAt = performance.now();
    const { name, file, workerData, hangsAfterMs = HANGS_AFTER_MS } = this.options;
    const worker = new Worker(file, {
      name,
      workerData: workerData as unknown,
      resourceLimits: LIMITS,
    });
    const watch = setInterval(() => this.endHanging(worker, hangsAfterMs), hangsAfterMs / 2);
    watch.unref();
    let reason: unknown;
    worker.on('message', (answers: Answers<Answer>) => this.take(answers));
    worker.on('messageerror', () => void worker.terminate());
    worker.on('error', (error) => {
      reason = error;
    });
    worker.on('exit', () => {
      clearInterval(watch);
      this.forget(worker, reason);
    });
    return worker;
  }

  private take(answers: Answers<Answer>): void {
    for (const answered of answers) {
      const waiting = this.settled(answered.id);
      if ('error' in answered) waiting?.reject(errorOf(answered.error));
      else waiting?.resolve(answered.answer);
    }
  }

  private settled(id: number): Waiting<Answer> | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    return waiting;
  }

  /** Only if overdue at two checks: after the process was frozen, responses may be waiting. */
  private endHanging(worker: Worker, hangsAfterMs: number): void {
    const [oldest] = this.waiting;
    const isOverdue = oldest && performance.now() - oldest[1].askedAt >= hangsAfterMs;
    if (isOverdue && oldest[0] === this.overdue) void worker.terminate();
    this.overdue = isOverdue ? oldest[0] : undefined;
  }

  private forget(worker: Worker, reason: unknown): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    const error = new ThreadEnded(this.options.name, reason);
    if (!this.ending) logFailure(this.logger, error);
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of lost) reject(error);
  }
}

const FILE = projectPath('dist/src/platform/threads/function-worker.js');

interface FunctionOptions extends Pick<ThreadOptions, 'name' | 'hangsAfterMs'> {
  /** A built file; its default export answers an order. */
  readonly module: URL;
}

export function functionThread<Order, Answer>({
  module,
  ...options
}: FunctionOptions): AnsweringThread<Order, Answer> {
  return new AnsweringThread({ ...options, file: FILE, workerData: module.href });
}
