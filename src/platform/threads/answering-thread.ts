import { once } from 'node:events';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { Gatherer } from '../work/gatherer.js';
import { type Answers, errorOf, type NumberedOrder, type Orders } from './messages.js';

const MOST_A_MESSAGE = 256;
/** For a thread that hangs: whatever it works on has a deadline of its own, which is shorter. */
const HANGS_AFTER_MS = 30_000;

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
  private worker?: Worker;
  private readonly waiting = new Map<number, Waiting<Answer>>();
  private readonly outgoing = new Gatherer<NumberedOrder>({
    run: (orders) => this.send(orders),
    mostItems: MOST_A_MESSAGE,
    mostInFlight: 1,
  });
  private lastId = 0;

  /** @param file as it was built: a thread is run by plain Node, which does not read the sources */
  constructor(
    private readonly file: string | URL,
    private readonly options: Pick<WorkerOptions, 'workerData' | 'resourceLimits'>,
    private readonly hangsAfterMs = HANGS_AFTER_MS,
  ) {}

  /** @throws Error with what the thread's error had for a code; or that it ended without an answer */
  ask(order: Order): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const id = (this.lastId += 1);
      this.waiting.set(id, { resolve, reject, askedAt: performance.now() });
      this.outgoing.add({ id, order });
    });
  }

  /** Has the thread let go of what it holds, and resolves when it has ended. */
  async end(): Promise<void> {
    await this.outgoing.drained();
    if (!this.worker) return;
    const ended = once(this.worker, 'exit');
    this.worker.postMessage('end' satisfies Orders, []);
    await ended;
  }

  private send(orders: NumberedOrder[]): Promise<void> {
    this.worker ??= this.started();
    try {
      this.worker.postMessage(orders satisfies Orders, []);
    } catch (error) {
      // A mistake of ours: something that does not pass between threads.
      for (const { id } of orders) this.fail(id, error as Error);
    }
    return Promise.resolve();
  }

  private succeed(id: number, answer: Answer): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    waiting?.resolve(answer);
  }

  private fail(id: number, error: Error): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    waiting?.reject(error);
  }

  private started(): Worker {
    const worker = new Worker(this.file, this.options);
    const watch = setInterval(() => this.endHanging(worker), this.hangsAfterMs / 2);
    watch.unref();
    worker.on('message', (answers: Answers<Answer>) => this.take(answers));
    let reason: unknown;
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
      if ('error' in answered) this.fail(answered.id, errorOf(answered.error));
      else this.succeed(answered.id, answered.answer);
    }
  }

  /** Whoever has waited for longest stands first. */
  private endHanging(worker: Worker): void {
    const [oldest] = this.waiting.values();
    if (!oldest || performance.now() - oldest.askedAt < this.hangsAfterMs) return;
    void worker.terminate();
  }

  private forget(worker: Worker, reason: unknown): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of lost) reject(new Error('Connection terminated', { cause: reason }));
  }
}
