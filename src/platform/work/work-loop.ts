import { Logger } from '@nestjs/common';
import { logFailure } from '../logging/log-failure.js';

interface WorkLoopOptions {
  readonly name: string;
  /** Does what is due and answers how many things it did; at 0 the loop rests. */
  readonly run: () => Promise<number>;
  /** The safety net: how long the loop rests at most when nobody wakes it. */
  readonly pollMs: number;
  /** Somebody else looks for it, from the start on: it does not begin by looking. */
  readonly beginsAtRest?: boolean;
}

/**
 * Background work that is woken when there is some and looks by itself now and then. What is due
 * stands in the database, so a lost wake-up costs time, never work.
 */
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

  /** Whether the loop was told to stop: long work should come to an end. */
  get isStopping(): boolean {
    return this.isStopped;
  }

  /** Has the loop look at once, or once more when it is just looking. */
  wake(): void {
    this.isAwake = true;
    this.rouse();
  }

  /** Lets what is in progress end, and starts nothing more. */
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
