import { Injectable } from '@nestjs/common';
import { LEASE_SECONDS, SLOTS } from '../store/lane-claim-statements.js';
import {
  type ClaimedDelivery,
  type ClaimedLane,
  LaneClaimsRepository,
  type LaneLease,
} from '../store/lane-claims.repository.js';
import type { Attempt } from '../store/attempts.repository.js';

const LEASE_MS = LEASE_SECONDS * 1_000;
/** A delivery that was not started by then waits for the next claim. */
const START_WITHIN_MS = 250;

interface UnderWay {
  readonly claim: ClaimedDelivery;
  /** `LOST`: it failed internally, and is left alone until its lease would have expired. */
  state: 'POSTING' | 'SUCCEEDED' | 'FAILED' | 'LOST';
}

interface Lane {
  lease: LaneLease;
  /** Claimed and not started, in order. */
  waiting: ClaimedDelivery[];
  /** From their start until their result is on record, by delivery. */
  readonly underWay: Map<string, UnderWay>;
  /** Whether more than the claimed deliveries may be due. */
  hasMore: boolean;
  /** When its last failure came, by the machine's monotonic clock. */
  failedAt: number;
}

/**
 * The lanes that this process has leased, and their deliveries. Only one claim or release at a time
 * may run: the caller waits for each.
 */
@Injectable()
export class DeliveryClaims {
  private readonly lanes = new Map<string, Lane>();
  private hasDryLane = false;
  private areLanesLeft = false;

  constructor(private readonly repository: LaneClaimsRepository) {}

  /** Whether another claim is likely to find deliveries for free slots. */
  get isMoreKnown(): boolean {
    return this.hasDryLane || (this.areLanesLeft && this.freeSlots > SLOTS / 2);
  }

  /** Claims lanes with due deliveries, and returns the deliveries to send now. */
  async claim(): Promise<ClaimedDelivery[]> {
    const askedAt = performance.now();
    const freeSlots = this.freeSlots;
    this.hasDryLane = false;
    const claimed = await this.repository.claim({
      freeSlots,
      held: new Map(Array.from(this.lanes, ([id, lane]) => [id, this.held(lane)])),
      posts: this.postsByPartner(),
    });
    // The leases may be over before a post ends.
    if (performance.now() - askedAt > LEASE_MS / 2) return [];
    this.areLanesLeft = claimed.areLanesLeft || freeSlots <= SLOTS / 2;
    return claimed.lanes.flatMap((lane) => this.take(lane, askedAt));
  }

  /** The next delivery of a lane, for the place of one that was answered. */
  next({ lane: { subscriptionId } }: ClaimedDelivery): ClaimedDelivery | undefined {
    const lane = this.lanes.get(subscriptionId);
    return lane && this.start(lane);
  }

  /** Extends the lease of a delivery that is too old to be sent; null if it may not be sent. */
  async renew(claim: ClaimedDelivery): Promise<ClaimedDelivery | null> {
    const readAt = performance.now();
    const secrets = await this.repository.renew(claim.lane);
    if (secrets) return { ...claim, lane: { ...claim.lane, ...secrets }, readAt };
    this.giveBack(claim);
    return null;
  }

  /**
   * A success makes room on its lane. A failure keeps its place until it is on record, since it may
   * open the breaker; until then nothing more is started on the lane.
   */
  answered({ lane, deliveryId }: ClaimedDelivery, isSuccess: boolean): void {
    const held = this.lanes.get(lane.subscriptionId);
    const underWay = held?.underWay.get(deliveryId);
    if (!held || !underWay) return;
    if (!isSuccess) {
      held.waiting = [];
      held.failedAt = performance.now();
      underWay.state = 'FAILED';
    } else if (!lane.isProbe) underWay.state = 'SUCCEEDED';
  }

  /** The result is on record, or void. */
  recorded({ claim, result }: Attempt): void {
    const lane = this.lanes.get(claim.lane.subscriptionId);
    lane?.underWay.delete(claim.deliveryId);
    if (lane && result.isSuccess && lane.hasMore) this.hasDryLane ||= !this.hasWaiting(lane);
  }

  /** The delivery was not sent: the next claim may bring it again. */
  giveBack({ lane, deliveryId }: ClaimedDelivery): void {
    this.lanes.get(lane.subscriptionId)?.underWay.delete(deliveryId);
  }

  /** After an internal error: the delivery may be claimed again after a lease, as if this process had died. */
  giveBackAfterLease(claim: ClaimedDelivery): void {
    const { underWay } = this.lanes.get(claim.lane.subscriptionId) ?? {};
    if (!underWay) return;
    underWay.set(claim.deliveryId, { claim, state: 'LOST' });
    setTimeout(() => underWay.delete(claim.deliveryId), LEASE_MS).unref();
  }

  /** Ends the leases of lanes without a delivery under way or waiting. */
  async releaseIdle(): Promise<void> {
    const idle = [...this.lanes.values()].filter(
      (lane) => lane.underWay.size === 0 && !this.hasWaiting(lane),
    );
    if (idle.length === 0) return;
    for (const { lease } of idle) this.lanes.delete(lease.subscriptionId);
    await this.repository.release(idle.map(({ lease }) => lease));
  }

  /** Leaves the waiting deliveries to other processes, and ends all leases without one under way. */
  async releaseAll(): Promise<void> {
    for (const lane of this.lanes.values()) lane.waiting = [];
    await this.releaseIdle();
  }

  protected monotonicMs(): number {
    return performance.now();
  }

  private take({ lease, deliveries, hasMore }: ClaimedLane, askedAt: number): ClaimedDelivery[] {
    const { subscriptionId } = lease;
    const { underWay = new Map<string, UnderWay>(), failedAt = Number.NEGATIVE_INFINITY } =
      this.lanes.get(subscriptionId) ?? {};
    const lane: Lane = { lease, waiting: [...deliveries], underWay, hasMore, failedAt };
    // A failure since the claim began may open the breaker, also when it is on record by now.
    if (hasFailed(lane) || failedAt >= askedAt) lane.waiting = [];
    this.lanes.set(subscriptionId, lane);
    const started: ClaimedDelivery[] = [];
    for (let next = this.start(lane); next; next = this.start(lane)) started.push(next);
    return started;
  }

  private start(lane: Lane): ClaimedDelivery | undefined {
    if (busy(lane) >= lane.lease.capacity) return undefined;
    const claim = this.hasWaiting(lane) ? lane.waiting.shift() : undefined;
    if (claim) lane.underWay.set(claim.deliveryId, { claim, state: 'POSTING' });
    else if (lane.hasMore && !hasFailed(lane)) this.hasDryLane = true;
    return claim;
  }

  private hasWaiting({ waiting }: Lane): boolean {
    return waiting.length > 0 && this.monotonicMs() - waiting[0].readAt <= START_WITHIN_MS;
  }

  /** A lane that needs no claim counts as full. */
  private held(lane: Lane): { leaseToken: number; busy: number; unrecorded: string[] } {
    const { leaseToken, capacity } = lane.lease;
    const isFull = this.hasWaiting(lane) || hasFailed(lane);
    const unrecorded = [...lane.underWay.keys()];
    return { leaseToken, busy: isFull ? capacity : busy(lane), unrecorded };
  }

  private get freeSlots(): number {
    let free = SLOTS;
    for (const lane of this.lanes.values()) free -= busy(lane);
    return free;
  }

  private postsByPartner(): Map<string, number> {
    const posts = new Map<string, number>();
    for (const lane of this.lanes.values()) {
      const { partnerId } = lane.lease;
      posts.set(partnerId, (posts.get(partnerId) ?? 0) + busy(lane));
    }
    return posts;
  }
}

function busy({ underWay }: Lane): number {
  let count = 0;
  for (const { state } of underWay.values()) {
    if (state === 'POSTING' || state === 'FAILED') count += 1;
  }
  return count;
}

function hasFailed({ underWay }: Lane): boolean {
  for (const { state } of underWay.values()) if (state === 'FAILED') return true;
  return false;
}
