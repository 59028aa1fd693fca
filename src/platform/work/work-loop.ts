import { Logger } from '@nestjs/common';
import { logFailure } from '../logging/log-failure.js';

interface WorkLoopOptions {
  readonly name: string;
  /** Returns how many things it did; the loop pauses at 0. */
  readonly run: () => Promise<number>;
  /** The longest pause. */
  readonly pollMs: number;
  /** Another component checks at the start. */
  readonly beginsAtRest?: boolean;
}

/**
 * Background work that is woken, or checks now and then. Due work is in the database, so a lost
 * wake-up only costs time.
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

  /** Long work should then end. */
  get isStopping(): boolean {
    return this.isStopped;
  }

  /** Also during a check: then it checks again. */
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
