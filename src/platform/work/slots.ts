/**
 * A bounded number of slots for work that runs side by side, so that one slow piece holds one
 * slot and nothing else.
 */
export class Slots {
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly size: number) {}

  get free(): number {
    return Math.max(0, this.size - this.running.size);
  }

  /** Starts a piece of work that handles its own errors; `onFree` is called when it has ended. */
  start(work: () => Promise<void>, onFree: () => void): void {
    const running = work().finally(() => {
      this.running.delete(running);
      onFree();
    });
    this.running.add(running);
  }

  /** Resolves when everything that was started has ended. */
  async drained(): Promise<void> {
    await Promise.allSettled(this.running);
  }
}
