import { Slots, within } from '../platform/index.js';

const MAX_CALLERS = 16;
const WAIT_MS = 2_000;
const SLOW_AFTER = 3;

/**
 * The slots for messages that a caller waits for. Each waits two seconds at most; its message goes
 * on without it. After three who waited in vain, one caller at a time finds out whether the gateway
 * is quick again, and all others are told at once that their message goes in the background: a stuck
 * gateway costs one call in a while its two seconds, and the rest nothing.
 */
export class CallerSlots {
  private readonly slots = new Slots(MAX_CALLERS);
  private waitedInVain = 0;

  /**
   * Runs `work`, which never rejects, and answers what it answered.
   * @returns false when there is no slot, or no answer in time
   */
  async within(work: () => Promise<boolean>): Promise<boolean> {
    if (!this.hasSlot) return false;
    const running = work();
    this.slots.start(
      async () => void (await running),
      () => undefined,
    );
    const outcome = await within(WAIT_MS, running, () => 'LATE' as const);
    this.waitedInVain = outcome === 'LATE' ? this.waitedInVain + 1 : 0;
    return outcome === true;
  }

  /** Resolves when everything that was begun has ended. */
  drained(): Promise<void> {
    return this.slots.drained();
  }

  private get hasSlot(): boolean {
    const { free } = this.slots;
    return this.waitedInVain >= SLOW_AFTER ? free === MAX_CALLERS : free > 0;
  }
}
