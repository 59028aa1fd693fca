import { setTimeout as sleep } from 'node:timers/promises';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { Logger } from '@nestjs/common';
import { logFailure } from '../logging/log-failure.js';
import { BatchQueue } from '../work/batch-queue.js';
import { within } from '../work/within.js';
import {
  type Answers,
  errorOf,
  MAX_PER_MESSAGE,
  type NumberedOrder,
  type Orders,
} from './messages.js';
import { projectPath } from '../database/data-source.js';

/** A larger young generation is memory that a thread never gives back. */
const LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 12 };
/** One that dies at its start is not started again at once. */
const STARTS_APART_MS = 1_000;
const ENDS_WITHIN_MS = 5_000;
/** For a thread that hangs: whatever it works on has a deadline of its own, which is shorter. */
const HANGS_AFTER_MS = 30_000;

/** The thread ended before it had answered: whether the order was carried out is not known. */
export class ThreadEnded extends Error {
  constructor(name: string, cause: unknown) {
    super(`the thread of ${name} has ended`, { cause });
    this.name = 'ThreadEnded';
  }
}

export interface ThreadOptions extends Pick<WorkerOptions, 'workerData'> {
  /** What it does, for the log. */
  readonly name: string;
  /** As it was built: a thread is run by plain Node, which does not read the sources. */
  readonly file: string | URL;
  readonly hangsAfterMs?: number;
}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  /** By the machine's monotonic clock. */
  readonly askedAt: number;
}

/**
 * A thread that works on many orders at once (`answerOrders` is its other side). It is started when it
 * is first needed, and again after one that hung or died; what that one had not answered fails. Orders
 * of one moment go to it together.
 */
export class AnsweringThread<Order, Answer> {
  private readonly logger: Logger;
  private worker?: Worker;
  private startedAt = Number.NEGATIVE_INFINITY;
  private ending?: Promise<void>;
  private readonly waiting = new Map<number, Waiting<Answer>>();
  /** Whoever had waited for too long at the last look. */
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

  /** @throws ThreadEnded; else an error with what the thread's own had for codes and causes */
  ask(order: Order): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const id = (this.lastId += 1);
      this.waiting.set(id, { resolve, reject, askedAt: performance.now() });
      this.outgoing.add({ id, order });
    });
  }

  /** Has the thread let go of what it holds, and resolves when it has ended, which takes 5 s at most. */
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
      // It cannot be started, or it is a mistake of ours: something that does not pass between threads.
      for (const { id } of orders) this.settled(id)?.reject(error as Error);
    }
  }

  private async started(): Promise<Worker> {
    const waitMs = this.startedAt + STARTS_APART_MS - performance.now();
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

  /**
   * Whoever has waited for longest stands first, and hangs if it still does at the next look: after a
   * process was frozen, the first look comes before the answers that are there.
   */
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
  /** As it was built; its default export is given an order and resolves with the answer. */
  readonly module: URL;
}

/** A thread that has nothing to set up or to let go of: all it does is call a function. */
export function functionThread<Order, Answer>({
  module,
  ...options
}: FunctionOptions): AnsweringThread<Order, Answer> {
  return new AnsweringThread({ ...options, file: FILE, workerData: module.href });
}
