import {
  type BeforeApplicationShutdown,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type DuePoller, UNWOKEN_MS } from './due-poller.js';
import type { DueWork } from './due-work.js';
import { Slots, WorkLoop } from './work-loop.js';

/** Claims only into free slots, so that no lease expires while waiting. Runs with the application. */
export abstract class ClaimWorker<Claimed>
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  protected readonly logger = new Logger(this.constructor.name);
  private readonly slots: Slots;
  private readonly loop: WorkLoop;

  /** @param name for the log */
  constructor(name: string, slots: number, poller: DuePoller, ...works: readonly DueWork[]) {
    this.slots = new Slots(slots);
    this.loop = new WorkLoop({
      name,
      run: () => this.fillSlots(),
      pollMs: UNWOKEN_MS,
      beginsAtRest: true,
    });
    for (const work of works) poller.watch(work, () => this.wake());
  }

  /** Claims at most `free`, each under a lease that outlasts its work. */
  protected abstract claim(free: number): Promise<readonly Claimed[]>;

  /** Handles its own errors. */
  protected abstract work(claimed: Claimed): Promise<unknown>;

  /** Runs even without a free slot; returns a count of its work. */
  protected before(): Promise<number> {
    return Promise.resolve(0);
  }

  protected get isStopping(): boolean {
    return this.loop.isStopping;
  }

  protected wake(): void {
    this.loop.wake();
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  /** Waits for work in progress. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.slots.drained();
  }

  private async fillSlots(): Promise<number> {
    const done = await this.before();
    const { free } = this.slots;
    if (free === 0) return done;
    const claims = await this.claim(free);
    for (const claimed of claims) {
      this.slots.start(
        async () => void (await this.work(claimed)),
        () => this.loop.wake(),
      );
    }
    return done + claims.length;
  }
}
