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
/** Claimed deliveries not started by then wait for the next claim. */
const START_WITHIN_MS = 250;

interface UnrecordedDelivery {
  readonly claim: ClaimedDelivery;
  /** `LOST`: internal error; not retried until its lease would have expired. */
  state: 'POSTING' | 'SUCCEEDED' | 'FAILED' | 'LOST';
}

interface Lane {
  lease: LaneLease;
  /** Claimed but not started, in order. */
  waiting: ClaimedDelivery[];
  /** By delivery. */
  readonly unrecorded: Map<string, UnrecordedDelivery>;
  /** Whether unclaimed deliveries may be due. */
  hasMore: boolean;
  /** Time of the last failure, monotonic clock. */
  failedAt: number;
}

/**
 * This process's leased lanes and their deliveries. Callers must not run two claims or releases at
 * once.
 */
@Injectable()
export class DeliveryClaims {
  private readonly lanes = new Map<string, Lane>();
  private hasStarvedLane = false;
  private hasMoreLanes = false;

  constructor(private readonly repository: LaneClaimsRepository) {}

  /** Whether another claim is likely to fill free slots. */
  get isMoreExpected(): boolean {
    return this.hasStarvedLane || (this.hasMoreLanes && this.freeSlots > SLOTS / 2);
  }

  /** Returns the deliveries to send now. */
  async claim(): Promise<ClaimedDelivery[]> {
    const claimStartedAt = performance.now();
    const freeSlots = this.freeSlots;
    this.hasStarvedLane = false;
    const claimed = await this.repository.claim({
      freeSlots,
      held: new Map(Array.from(this.lanes, ([id, lane]) => [id, this.held(lane)])),
      posts: this.postsByPartner(),
    });
    // The leases may expire before a post ends.
    if (performance.now() - claimStartedAt > LEASE_MS / 2) return [];
    this.hasMoreLanes = claimed.hasMoreLanes || freeSlots <= SLOTS / 2;
    return claimed.lanes.flatMap((lane) => this.take(lane, claimStartedAt));
  }

  /** The lane's next delivery, after one has ended. */
  next({ lane: { subscriptionId } }: ClaimedDelivery): ClaimedDelivery | undefined {
    const lane = this.lanes.get(subscriptionId);
    return lane && this.start(lane);
  }

  /** Extends the lease of a delivery too old to send; null if it may not be sent. */
  async renew(claim: ClaimedDelivery): Promise<ClaimedDelivery | null> {
    const readAt = performance.now();
    const secrets = await this.repository.renew(claim.lane);
    if (secrets) return { ...claim, lane: { ...claim.lane, ...secrets }, readAt };
    this.releaseUnsent(claim);
    return null;
  }

  /**
   * A success frees a slot. A failure blocks the lane until recorded, since it may open the
   * breaker.
   */
  markAnswered({ lane, deliveryId }: ClaimedDelivery, isSuccess: boolean): void {
    const held = this.lanes.get(lane.subscriptionId);
    const unrecorded = held?.unrecorded.get(deliveryId);
    if (!held || !unrecorded) return;
    if (!isSuccess) {
      held.waiting = [];
      held.failedAt = performance.now();
      unrecorded.state = 'FAILED';
    } else if (!lane.isProbe) unrecorded.state = 'SUCCEEDED';
  }

  /** Also called for results that do not count. */
  markRecorded({ claim, result }: Attempt): void {
    const lane = this.lanes.get(claim.lane.subscriptionId);
    lane?.unrecorded.delete(claim.deliveryId);
    if (lane && result.isSuccess && lane.hasMore) this.hasStarvedLane ||= !this.hasWaiting(lane);
  }

  releaseUnsent({ lane, deliveryId }: ClaimedDelivery): void {
    this.lanes.get(lane.subscriptionId)?.unrecorded.delete(deliveryId);
  }

  /** After an internal error: claimable again after a lease, as if this process had died. */
  releaseAfterLease(claim: ClaimedDelivery): void {
    const { unrecorded } = this.lanes.get(claim.lane.subscriptionId) ?? {};
    if (!unrecorded) return;
    unrecorded.set(claim.deliveryId, { claim, state: 'LOST' });
    setTimeout(() => unrecorded.delete(claim.deliveryId), LEASE_MS).unref();
  }

  async releaseIdle(): Promise<void> {
    const idle = [...this.lanes.values()].filter(
      (lane) => lane.unrecorded.size === 0 && !this.hasWaiting(lane),
    );
    if (idle.length === 0) return;
    for (const { lease } of idle) this.lanes.delete(lease.subscriptionId);
    await this.repository.release(idle.map(({ lease }) => lease));
  }

  async releaseAll(): Promise<void> {
    for (const lane of this.lanes.values()) lane.waiting = [];
    await this.releaseIdle();
  }

  protected monotonicMs(): number {
    return performance.now();
  }

  private take(
    { lease, deliveries, hasMore }: ClaimedLane,
    claimStartedAt: number,
  ): ClaimedDelivery[] {
    const { subscriptionId } = lease;
    const {
      unrecorded = new Map<string, UnrecordedDelivery>(),
      failedAt = Number.NEGATIVE_INFINITY,
    } = this.lanes.get(subscriptionId) ?? {};
    const lane: Lane = { lease, waiting: [...deliveries], unrecorded, hasMore, failedAt };
    // A failure since the claim started may open the breaker, even if already recorded.
    if (hasFailed(lane) || failedAt >= claimStartedAt) lane.waiting = [];
    this.lanes.set(subscriptionId, lane);
    const started: ClaimedDelivery[] = [];
    for (let next = this.start(lane); next; next = this.start(lane)) started.push(next);
    return started;
  }

  private start(lane: Lane): ClaimedDelivery | undefined {
    if (busy(lane) >= lane.lease.capacity) return undefined;
    const claim = this.hasWaiting(lane) ? lane.waiting.shift() : undefined;
    if (claim) lane.unrecorded.set(claim.deliveryId, { claim, state: 'POSTING' });
    else if (lane.hasMore && !hasFailed(lane)) this.hasStarvedLane = true;
    return claim;
  }

  private hasWaiting({ waiting }: Lane): boolean {
    return waiting.length > 0 && this.monotonicMs() - waiting[0].readAt <= START_WITHIN_MS;
  }

  /** Lanes that need no claim are reported as full. */
  private held(lane: Lane): { leaseToken: number; busy: number; unrecorded: string[] } {
    const { leaseToken, capacity } = lane.lease;
    const isFull = this.hasWaiting(lane) || hasFailed(lane);
    const unrecorded = [...lane.unrecorded.keys()];
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

function busy({ unrecorded }: Lane): number {
  let count = 0;
  for (const { state } of unrecorded.values()) {
    if (state === 'POSTING' || state === 'FAILED') count += 1;
  }
  return count;
}

function hasFailed({ unrecorded }: Lane): boolean {
  for (const { state } of unrecorded.values()) if (state === 'FAILED') return true;
  return false;
}
