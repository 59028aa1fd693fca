import { Logger } from '@nestjs/common';
import { logFailure } from '../logging/log-failure.js';

interface WorkLoopOptions {
  readonly name: string;
  /** Returns how many items it processed; the loop pauses at 0. */
  readonly run: () => Promise<number>;
  /** The longest pause. */
  readonly pollMs: number;
  /** Another component checks at the start. */
  readonly beginsAtRest?: boolean;
}

/** Due work is in the database, so a lost wake-up only costs time. */
export class WorkLoop {
  private readonly logger: Logger;
  private isStopped = false;
  private isAwake = false;
  private rouse: () => void = () => undefined;
  private finished: Promise<void> = Promise.resolve();

  constructor(private readonly options: WorkLoopOptions) {
    this.logger = new Logger(`work:${options.name}`);
  }

  start(): void {
    this.finished = this.loop();
  }

  /** Long work should then end. */
  get isStopping(): boolean {
    return this.isStopped;
  }

  /** During a check: causes another check. */
  wake(): void {
    this.isAwake = true;
    this.rouse();
  }

  /** Waits for work in progress. */
  async stop(): Promise<void> {
    this.isStopped = true;
    this.rouse();
    await this.finished;
  }

  private async loop(): Promise<void> {
    if (this.options.beginsAtRest && !this.isAwake) await this.rest();
    while (!this.isStopped) {
      this.isAwake = false;
      const done = await this.runOnce();
      if (done === 0 && !this.isAwake && !this.isStopped) await this.rest();
    }
  }

  private async runOnce(): Promise<number> {
    try {
      return await this.options.run();
    } catch (error) {
      logFailure(this.logger, error);
      return 0;
    }
  }

  private rest(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.options.pollMs);
      this.rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

export class Slots {
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly size: number) {}

  get free(): number {
    return Math.max(0, this.size - this.running.size);
  }

  /** `work` handles its own errors. */
  start(work: () => Promise<void>, onFree: () => void): void {
    const running = work().finally(() => {
      this.running.delete(running);
      onFree();
    });
    this.running.add(running);
  }

  async drained(): Promise<void> {
    await Promise.allSettled(this.running);
  }
}

/** The data is in the database, so a lost signal only costs time. */
export class Signal<News = void> {
  private readonly listeners: ((news: News) => void)[] = [];

  listen(listener: (news: News) => void): void {
    this.listeners.push(listener);
  }

  raise(news: News): void {
    for (const listener of this.listeners) listener(news);
  }
}

/** Doubles from `firstMs` to `maxMs`, plus at most `jitter` of itself. */
export function exponentialBackoff(
  attempt: number,
  bounds: { firstMs: number; maxMs: number; jitter: number },
  fraction: number,
): number {
  const wait = Math.min(bounds.firstMs * 2 ** Math.max(0, attempt - 1), bounds.maxMs);
  return Math.round(wait * (1 + bounds.jitter * fraction));
}
