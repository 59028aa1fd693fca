import { UNWOKEN_MS } from './due-poller.js';
import { Slots, WorkLoop } from './work-loop.js';

interface ClaimWork<Claimed> {
  /** For the log. */
  readonly name: string;
  readonly slots: number;
  /** Claims at most `free`, each under a lease that outlasts its work. */
  readonly claim: (free: number) => Promise<readonly Claimed[]>;
  /** Handles its own errors. */
  readonly work: (claimed: Claimed) => Promise<unknown>;
  /** Runs even without a free slot; returns a count of its work. */
  readonly before?: () => Promise<number>;
}

/** Claims only into free slots, so that no lease expires while waiting. Needs a `DuePoller`. */
export class ClaimWorker<Claimed> {
  private readonly slots: Slots;
  private readonly loop: WorkLoop;

  constructor(private readonly options: ClaimWork<Claimed>) {
    const { name, slots } = options;
    this.slots = new Slots(slots);
    this.loop = new WorkLoop({
      name,
      run: () => this.fillSlots(),
      pollMs: UNWOKEN_MS,
      beginsAtRest: true,
    });
  }

  get isStopping(): boolean {
    return this.loop.isStopping;
  }

  start(): void {
    this.loop.start();
  }

  wake(): void {
    this.loop.wake();
  }

  /** Waits for work in progress. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.slots.drained();
  }

  private async fillSlots(): Promise<number> {
    const { before, claim, work } = this.options;
    const done = before ? await before() : 0;
    const { free } = this.slots;
    if (free === 0) return done;
    const claims = await claim(free);
    for (const claimed of claims) {
      this.slots.start(
        async () => void (await work(claimed)),
        () => this.loop.wake(),
      );
    }
    return done + claims.length;
  }
}
