import { Injectable } from '@nestjs/common';
import type { ClaimedDelivery } from './claimed-delivery.js';
import { DueDeliveries } from './due-deliveries.repository.js';
import { HeldLanes } from './held-lanes.js';
import { LaneLeases } from './lane-leases.repository.js';

/** How many deliveries a process has in flight at most. */
export const MOST_IN_FLIGHT = 256;
/** A third of the slots is kept for first attempts. */
export const MOST_RETRIES_IN_FLIGHT = Math.floor((MOST_IN_FLIGHT * 2) / 3);

/**
 * Hands out deliveries that are due, each to one sender at a time. What is handed out is to be sent
 * at once: this is the last look at whether its subscription still wants it.
 */
@Injectable()
export class DeliveryClaims {
  readonly held = new HeldLanes();
  private claiming = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly leases: LaneLeases,
    private readonly due: DueDeliveries,
  ) {}

  /** While this is so, a lane that looks idle here may be about to be given something. */
  get isClaiming(): boolean {
    return this.claiming > 0;
  }

  /** Claims deliveries into so many free slots; one claim after the other. */
  async claim(freeSlots: number): Promise<ClaimedDelivery[]> {
    this.claiming += 1;
    const claims = this.last.then(() => this.claimOnLanes(freeSlots));
    this.last = claims.catch(() => undefined);
    try {
      return await claims;
    } finally {
      this.claiming -= 1;
    }
  }

  /** Gives back the lanes on which nothing is in flight, so that any sender may take them. */
  async releaseIdle(): Promise<void> {
    if (this.isClaiming) return;
    const { ids, tokens } = this.held.letGoOfIdle();
    await this.leases.release(ids, tokens);
  }

  private async claimOnLanes(freeSlots: number): Promise<ClaimedDelivery[]> {
    const retries = Math.max(0, MOST_RETRIES_IN_FLIGHT - this.held.retriesInFlight);
    const lanes = await this.leases.take({
      lanes: freeSlots,
      withRetries: retries > 0,
      held: this.held.columns(),
    });
    if (lanes.length === 0) return [];
    for (const lane of lanes) this.held.take(lane);
    const claims = await this.due.find({
      lanes: lanes.map((lane) => ({ lane, inFlight: this.held.inFlightOn(lane.subscriptionId) })),
      deliveries: freeSlots,
      retries,
    });
    for (const claim of claims) this.held.start(claim);
    return claims;
  }
}
