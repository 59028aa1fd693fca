import { Injectable } from '@nestjs/common';

const MICROSECONDS = 1_000;

/** Estimates a request's processor time: the thread's time divided equally among requests in progress. */
@Injectable()
export class ProcessorMeter {
  private inProgress = 0;
  /** In milliseconds, for a request in progress since the start. */
  private usedByEach = 0;
  private readAt = this.threadMs();

  /** The returned function ends the measurement and returns milliseconds. */
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
