import { UNWOKEN_MS } from './due-poller.js';
import { Slots } from './slots.js';
import { WorkLoop } from './work-loop.js';

interface ClaimWork<Claimed> {
  /** For the log. */
  readonly name: string;
  readonly slots: number;
  /** Claims what is due, so many at most, each under a lease that outlasts its work. */
  readonly claim: (free: number) => Promise<readonly Claimed[]>;
  /** Works on one of them; it handles its own errors. */
  readonly work: (claimed: Claimed) => Promise<unknown>;
  /** Comes before every look, whether or not a slot is free; answers how many things it did. */
  readonly before?: () => Promise<number>;
}

/**
 * Works on what is due, a number of things side by side, on as many replicas as there are. It claims
 * only into free slots, so that no lease runs out while its holder waits for a turn; whatever ends
 * has it look for more. What is due by itself is for a `DuePoller` to find: its owner has it wake this.
 */
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

  /** Lets what is in progress end, and claims nothing more. */
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
