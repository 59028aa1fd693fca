import { Slots, within } from '../platform/index.js';

const MAX_CALLERS = 16;
const WAIT_MS = 2_000;
const SLOW_AFTER = 3;

/**
 * Slots for messages whose callers wait, two seconds at most. After three timeouts in a row only
 * one caller at a time tries; the others' messages go in the background at once, so that a stuck
 * gateway costs one call its two seconds.
 */
export class CallerSlots {
  private readonly slots = new Slots(MAX_CALLERS);
  private waitedInVain = 0;

  /**
   * @param work never rejects
   * @returns false without a slot or an answer in time
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

  drained(): Promise<void> {
    return this.slots.drained();
  }

  private get hasSlot(): boolean {
    const { free } = this.slots;
    return this.waitedInVain >= SLOW_AFTER ? free === MAX_CALLERS : free > 0;
  }
}
