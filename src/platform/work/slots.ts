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
