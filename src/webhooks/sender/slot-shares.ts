import type { LaneClass } from './claimed-delivery.js';

/** How many posts of each class a process has under way, but for partners' first ones. */
export const SLOTS: Readonly<Record<LaneClass, number>> = { PROMPT: 352, UNTRIED: 256, SLOW: 512 };
/** So many partners may have their first one beside them. */
const FIRSTS = 1_024;
/** How many posts a process has under way at most. */
export const MAX_IN_FLIGHT = SLOTS.PROMPT + SLOTS.UNTRIED + SLOTS.SLOW + FIRSTS;
/** A partner may have so many times the slots of a class that are free: by itself, three quarters. */
const TIMES_THE_FREE = 3;

/** Whose slot it is. */
export interface SlotOwner {
  readonly partnerId: string;
  readonly laneClass: LaneClass;
}

/** Of each partner how many slots of each class it has. */
export type SlotsOfPartners = Record<string, Partial<Record<LaneClass, number>>>;

/**
 * Who has the slots of a process. In each class a partner’s first one is always to be had, whatever the
 * others have; of the rest a partner may have three times what it leaves free, so that there is some left
 * for whoever comes next, and the less the more there are.
 */
export class SlotShares {
  private readonly owners = new Map<string, SlotOwner>();
  private readonly taken: Record<LaneClass, Map<string, number>> = {
    PROMPT: new Map(),
    UNTRIED: new Map(),
    SLOW: new Map(),
  };
  private readonly counts: Record<LaneClass, number> = { PROMPT: 0, UNTRIED: 0, SLOW: 0 };

  /** How many slots of a class are free. */
  free(laneClass: LaneClass): number {
    return Math.max(0, SLOTS[laneClass] - this.counts[laneClass]);
  }

  freeByClass(): Record<LaneClass, number> {
    const [prompt, untried, slow] = [this.free('PROMPT'), this.free('UNTRIED'), this.free('SLOW')];
    return { PROMPT: prompt, UNTRIED: untried, SLOW: slow };
  }

  mayStart({ partnerId, laneClass }: SlotOwner): boolean {
    const used = this.taken[laneClass].get(partnerId) ?? 0;
    if (used === 0) return this.owners.size < MAX_IN_FLIGHT;
    return used < TIMES_THE_FREE * this.free(laneClass);
  }

  start(deliveryId: string, { partnerId, laneClass }: SlotOwner): void {
    this.end(deliveryId);
    this.owners.set(deliveryId, { partnerId, laneClass });
    this.change(partnerId, laneClass, 1);
  }

  /** The receiver has answered, or nothing was sent. */
  end(deliveryId: string): void {
    const owner = this.owners.get(deliveryId);
    if (!owner) return;
    this.owners.delete(deliveryId);
    this.change(owner.partnerId, owner.laneClass, -1);
  }

  ofPartners(): SlotsOfPartners {
    const partners: SlotsOfPartners = {};
    for (const laneClass of ['PROMPT', 'UNTRIED', 'SLOW'] as const) {
      for (const [partnerId, count] of this.taken[laneClass]) {
        (partners[partnerId] ??= {})[laneClass] = count;
      }
    }
    return partners;
  }

  private change(partnerId: string, laneClass: LaneClass, by: 1 | -1): void {
    this.counts[laneClass] += by;
    const count = (this.taken[laneClass].get(partnerId) ?? 0) + by;
    if (count === 0) this.taken[laneClass].delete(partnerId);
    else this.taken[laneClass].set(partnerId, count);
  }
}
