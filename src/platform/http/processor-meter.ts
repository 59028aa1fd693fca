import { Injectable } from '@nestjs/common';

const MICROSECONDS = 1_000;

/**
 * Estimates the processor time of each request: what this thread uses is divided equally among the
 * requests in progress. A request that waits while the thread is idle uses none.
 */
@Injectable()
export class ProcessorMeter {
  private inProgress = 0;
  /** What a request would have used that had been in progress from the start, in milliseconds. */
  private usedByEach = 0;
  private readAt = this.threadMs();

  /** Starts to measure a request. The function returned ends that, and returns milliseconds. */
  begin(): () => number {
    this.divide();
    this.inProgress += 1;
    const before = this.usedByEach;
    return () => {
      this.divide();
      this.inProgress -= 1;
      return this.usedByEach - before;
    };
  }

  /** The thread's processor time so far. */
  protected threadMs(): number {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / MICROSECONDS;
  }

  private divide(): void {
    const now = this.threadMs();
    if (this.inProgress > 0) this.usedByEach += (now - this.readAt) / this.inProgress;
    this.readAt = now;
  }
}
