import { Injectable, Logger } from '@nestjs/common';
import { logFailure } from '../../platform/index.js';
import type { Attempt } from './delivery-attempt.js';
import type { ClaimedDelivery, LaneClass, LaneLease } from './claimed-delivery.js';
import { DueDeliveriesRepository } from '../store/due-deliveries.repository.js';
import { HeldLanes } from './held-lanes.js';
import {
  LANE_CAPACITY,
  LaneLeasesRepository,
  LEASE_SECONDS,
  type TakenLane,
} from '../store/lane-leases.repository.js';
import { SLOTS } from './slot-shares.js';

/** A third of the slots of prompt lanes is kept for first attempts. */
export const MAX_RETRIES_IN_FLIGHT = Math.floor((SLOTS.PROMPT * 2) / 3);
/** So many free slots are worth a look at once when the last one has left prompt lanes waiting. */
const SLOTS_WORTH_A_LOOK = SLOTS.PROMPT / 4;
const LEASE_MS = LEASE_SECONDS * 1_000;
/** How much of a lane is read ahead: one read for many. */
const AHEAD_ON_A_LANE = 40;
/** The first lane that has no more left is read on, and with it those that soon will. */
const RUNNING_DRY = AHEAD_ON_A_LANE / 4;
const SOON_DRY = AHEAD_ON_A_LANE / 2;
/** So many at a time, so that none runs dry while a great many are read. */
const MAX_LANES_READ_ON = 16;

const NONE_LEFT = { PROMPT: false, UNTRIED: false, SLOW: false } as const;
const ALL_LEFT = { PROMPT: true, UNTRIED: true, SLOW: true } as const;

/**
 * Claims deliveries that are due, each for one sender at a time, and gives them and their lanes back.
 * What this process holds is known here alone; whoever sends and records tells. What is handed out is to be sent
 * at once: that it was read, a moment ago at most, is the last look at whether its subscription
 * still wants it.
 */
@Injectable()
export class DeliveryClaims {
  protected readonly held = new HeldLanes();
  private readonly logger = new Logger(DeliveryClaims.name);
  private claiming = 0;
  private last: Promise<unknown> = Promise.resolve();
  private isRefillAsked = false;
  /** Of which classes the last look may have left lanes. */
  private left: Readonly<Record<LaneClass, boolean>> = NONE_LEFT;
  private areRetriesLeft = false;

  constructor(
    private readonly leases: LaneLeasesRepository,
    private readonly due: DueDeliveriesRepository,
  ) {}

  /** Whether the last look may have left prompt lanes that wait for slots, and there are many by now. */
  get areLanesLeft(): boolean {
    return this.left.PROMPT && this.held.shares.free('PROMPT') >= SLOTS_WORTH_A_LOOK;
  }

  /**
   * Whether, as far as this process knows by itself, there is something due that it may send. Lanes of
   * the other classes, whose slots become free slowly, wait for a look that is made anyway.
   */
  get isMoreKnown(): boolean {
    const areRetriesWanted = this.areRetriesLeft && this.isRetryAllowed();
    return this.left.PROMPT || areRetriesWanted || this.held.isAnyUnread;
  }

  /** Claims deliveries into so many free slots: of those that were read ahead, and by a look at all lanes. */
  claim(freeSlots: number): Promise<ClaimedDelivery[]> {
    return this.oneByOne(() => this.claimSome(freeSlots));
  }

  /** The same of those alone that were read ahead, on lanes that may have more slots. */
  claimReadAhead(freeSlots: number): ClaimedDelivery[] {
    return this.inTurns(this.held.open, freeSlots);
  }

  /** What comes next on the lane of a delivery that has been answered, into the slot that it leaves. */
  claimNext({ lane: { subscriptionId } }: ClaimedDelivery): ClaimedDelivery | undefined {
    const next = this.next(subscriptionId);
    if (next) this.askForRefill(subscriptionId);
    return next;
  }

  /** A delivery that may be sent after all, as its lane is now; null when it may not, and is given back. */
  async renew(claim: ClaimedDelivery): Promise<ClaimedDelivery | null> {
    const readAt = performance.now();
    const secrets = await this.leases.renew(claim.lane);
    if (secrets) return { ...claim, lane: { ...claim.lane, ...secrets }, readAt };
    this.giveBack(claim);
    return null;
  }

  /** The receiver has answered; what came of it is not on record yet. */
  answered(claim: ClaimedDelivery, isSuccess: boolean): void {
    this.held.answered(claim, isSuccess);
  }

  /** The result is on record, or void. */
  recorded({ claim, result }: Attempt): void {
    const { subscriptionId, laneClass } = claim.lane;
    this.held.end(claim);
    // What was read before the record may be of a lane that it has closed, or may now have more.
    if (!result.isSuccess) this.held.forgetAhead(subscriptionId, false);
    else if (laneClass === 'UNTRIED') this.held.forgetAhead(subscriptionId);
  }

  /** Nothing of it was sent: the next look may bring it again. */
  giveBack(claim: ClaimedDelivery): void {
    this.held.end(claim);
  }

  /**
   * It could not be sent, or its result not be recorded, for a mistake of ours: it may be claimed again
   * after a lease, as if we had died.
   */
  giveBackAfterLease(claim: ClaimedDelivery): void {
    this.held.abandon(claim, LEASE_MS);
  }

  /**
   * The lanes on which nothing is in flight but these deliveries, which are about to be recorded: their
   * leases are to end with that record. None while a claim is under way: it may be giving one of them
   * something new.
   */
  giveBackLanesAfter(claims: readonly ClaimedDelivery[]): Set<string> {
    if (this.claiming > 0) return new Set();
    const ending = new Set(claims.map(({ deliveryId }) => deliveryId));
    const lanes = new Set(claims.map(({ lane }) => lane.subscriptionId));
    return new Set([...lanes].filter((lane) => this.held.letGoAfter(lane, ending)));
  }

  /** Gives back the lanes that have nothing to do, so that any sender may take them. */
  async giveBackIdle(): Promise<void> {
    if (this.held.isAnyIdle) await this.oneByOne(() => this.releaseIdle());
  }

  /** The same at the end: what was read ahead is left to others. */
  giveBackAll(): Promise<void> {
    return this.oneByOne(() => {
      this.held.forgetAllAhead();
      return this.releaseIdle();
    });
  }

  private async releaseIdle(): Promise<void> {
    const { ids, tokens } = this.held.letGoOfIdle();
    await this.leases.release(ids, tokens);
  }

  private async oneByOne<Result>(work: () => Promise<Result>): Promise<Result> {
    this.claiming += 1;
    const result = this.last.then(work);
    this.last = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      this.claiming -= 1;
    }
  }

  /** First what may have more slots, then what waits for its first, and last what goes on in its own. */
  private async claimSome(freeSlots: number): Promise<ClaimedDelivery[]> {
    // Until a look has seen them all.
    this.left = ALL_LEFT;
    const claims = this.inTurns(this.held.open, freeSlots);
    try {
      if (claims.length < freeSlots) {
        claims.push(...(await this.claimOnLanes(freeSlots - claims.length)));
      }
    } catch (error) {
      if (claims.length === 0) throw error;
      // What has been handed out is in flight, and may be sent.
      logFailure(this.logger, error);
    }
    claims.push(...this.inTurns(this.held.ids, freeSlots - claims.length));
    return claims;
  }

  private async claimOnLanes(freeSlots: number): Promise<ClaimedDelivery[]> {
    const askedAt = performance.now();
    const withRetries = this.isRetryAllowed();
    this.areRetriesLeft = !withRetries;
    const free = this.held.shares.freeByClass();
    const lanes = await this.leases.take({
      lanes: freeSlots,
      withRetries,
      held: this.held.tokens(),
      free,
      slots: this.held.shares.ofPartners(),
    });
    // An answer that was as long in coming is of leases that are as good as over.
    if (performance.now() - askedAt > LEASE_MS / 2) return [];
    this.left = lanes.length < freeSlots ? leftBy(lanes, free) : ALL_LEFT;
    if (lanes.length === 0) return [];
    for (const lane of lanes) this.held.take(lane, !this.left[lane.laneClass], askedAt);
    // While lanes wait for slots, none keeps its own for longer than a few deliveries.
    await this.read(lanes, (lane) =>
      this.left[lane.laneClass] ? LANE_CAPACITY : LANE_CAPACITY + AHEAD_ON_A_LANE,
    );
    return this.inTurns(
      lanes.map(({ subscriptionId }) => subscriptionId),
      freeSlots,
    );
  }

  /** One of each lane before the second of any. */
  private inTurns(lanes: readonly string[], most: number): ClaimedDelivery[] {
    const claims: ClaimedDelivery[] = [];
    let before = -1;
    while (claims.length > before && claims.length < most) {
      before = claims.length;
      for (const id of lanes) {
        const claim = claims.length < most ? this.next(id) : undefined;
        if (!claim) continue;
        claims.push(claim);
        this.held.putLast(id);
      }
    }
    return claims;
  }

  private next(subscriptionId: string): ClaimedDelivery | undefined {
    return this.held.next(subscriptionId, () => this.mayRetry());
  }

  private mayRetry(): boolean {
    const isAllowed = this.isRetryAllowed();
    if (!isAllowed) this.areRetriesLeft = true;
    return isAllowed;
  }

  private isRetryAllowed(): boolean {
    return this.held.retriesInFlight < MAX_RETRIES_IN_FLIGHT;
  }

  /** @throws Error when the database is away; the lanes have then nothing more read ahead */
  private async read(
    lanes: readonly LaneLease[],
    most: (lane: LaneLease) => number,
  ): Promise<void> {
    const rooms = lanes.map((lane) => ({
      lane,
      inFlight: this.held.inFlightOn(lane.subscriptionId),
      cursor: this.held.beginRead(lane),
      most: lane.capacity === 1 ? 1 : most(lane),
    }));
    const finds = await this.due.find(rooms);
    lanes.forEach((lane, index) => this.held.endRead(lane, finds[index]));
  }

  /** Reads on, in the background, before a lane runs dry. */
  private askForRefill(subscriptionId: string): void {
    if (this.isRefillAsked) return;
    if (!this.held.isRunningDry(subscriptionId, RUNNING_DRY, LEASE_MS)) return;
    this.isRefillAsked = true;
    const refilled = this.oneByOne(async () => {
      this.isRefillAsked = false;
      const lanes = this.held.runningDry(SOON_DRY, LEASE_MS, MAX_LANES_READ_ON);
      if (lanes.length > 0) await this.read(lanes, () => AHEAD_ON_A_LANE);
    });
    refilled.catch((error: unknown) => logFailure(this.logger, error));
  }
}

/** Of which classes there were more lanes than were taken, or may have been. */
function leftBy(
  lanes: readonly TakenLane[],
  free: Readonly<Record<LaneClass, number>>,
): Record<LaneClass, boolean> {
  const isLeft = (laneClass: LaneClass) => {
    const taken = lanes.filter((lane) => lane.laneClass === laneClass);
    return taken.length === 0 ? free[laneClass] === 0 : taken[0].ready > taken.length;
  };
  return { PROMPT: isLeft('PROMPT'), UNTRIED: isLeft('UNTRIED'), SLOW: isLeft('SLOW') };
}
