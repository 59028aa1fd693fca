import type { ClaimedDelivery, LaneLease } from './claimed-delivery.js';

/** What was read ahead is good for so long: a subscription that is paused gets nothing after that. */
const AHEAD_MS = 250;

interface InFlight {
  readonly isRetry: boolean;
  /** Whether its receiver has answered, and a success is all that is left to record. */
  readonly isServed: boolean;
  /** When it may be claimed again, by the machine's monotonic clock. */
  readonly until: number;
}

interface HeldLane {
  readonly lease: LaneLease;
  readonly takenAt: number;
  /** By the delivery's id: from the start to the record. */
  readonly inFlight: Map<string, InFlight>;
  /** What was read and comes next, in order. */
  ahead: ClaimedDelivery[];
  /** Whether the last read may have left something. */
  hasMore: boolean;
  /** What was started while a read is under way, which may bring it once more. */
  startedMeanwhile: Set<string> | null;
}

/** Of each lane that this process holds, by its id: the token, and how many keep it busy. */
export type HeldTokens = Record<string, readonly [leaseToken: number, busy: number]>;

/**
 * What this process knows of the lanes that it holds, of the deliveries that are in flight on them
 * and of those that it has read ahead. The database knows the leases alone: no delivery's row says
 * who has claimed it.
 */
export class HeldLanes {
  private readonly lanes = new Map<string, HeldLane>();

  constructor(private readonly monotonicMs: () => number = () => performance.now()) {}

  get ids(): string[] {
    return [...this.lanes.keys()];
  }

  get retriesInFlight(): number {
    let count = 0;
    for (const { inFlight } of this.lanes.values()) {
      for (const { isRetry } of inFlight.values()) if (isRetry) count += 1;
    }
    return count;
  }

  /** A lane on which something is read ahead wants nothing, and counts as full. */
  tokens(): HeldTokens {
    this.forgetAbandoned();
    return Object.fromEntries(
      Array.from(this.lanes, ([id, lane]) => [
        id,
        [lane.lease.leaseToken, this.hasAhead(lane) ? lane.lease.capacity : busy(lane)],
      ]),
    );
  }

  /** Everything that is not on record yet, which no read may bring again. */
  inFlightOn(subscriptionId: string): string[] {
    return [...(this.lanes.get(subscriptionId)?.inFlight.keys() ?? [])];
  }

  /** The lane is ours for another while. */
  take(lease: LaneLease): void {
    const lane = this.lanes.get(lease.subscriptionId);
    const isSame = lane?.lease.leaseToken === lease.leaseToken;
    this.lanes.set(lease.subscriptionId, {
      lease,
      takenAt: this.monotonicMs(),
      inFlight: lane?.inFlight ?? new Map(),
      ahead: isSame ? lane.ahead : [],
      hasMore: false,
      startedMeanwhile: null,
    });
  }

  /** The leases of the lanes that are running dry, though there is more, and that stay ours for long. */
  runningDry(low: number, leaseMs: number): LaneLease[] {
    return [...this.lanes.values()]
      .filter((lane) => this.isDry(lane, low, leaseMs))
      .map(({ lease }) => lease);
  }

  /** The same of one lane, which is asked at every delivery. */
  isRunningDry(subscriptionId: string, low: number, leaseMs: number): boolean {
    const lane = this.lanes.get(subscriptionId);
    return lane !== undefined && this.isDry(lane, low, leaseMs);
  }

  /** From here on it is noted what starts on these lanes: a read of them is about to begin. */
  beginRead(leases: readonly LaneLease[]): void {
    for (const { subscriptionId } of leases) {
      const lane = this.lanes.get(subscriptionId);
      if (lane) lane.startedMeanwhile = new Set();
    }
  }

  /** What a read has brought takes the place of what was read before. */
  endRead({ subscriptionId, leaseToken }: LaneLease, found: ClaimedDelivery[], most: number): void {
    const lane = this.lanes.get(subscriptionId);
    if (!lane || lane.lease.leaseToken !== leaseToken) return;
    const { startedMeanwhile } = lane;
    if (!startedMeanwhile) return;
    lane.ahead = found.filter(({ deliveryId }) => !startedMeanwhile.has(deliveryId));
    lane.hasMore = found.length >= most;
    lane.startedMeanwhile = null;
  }

  /** What was read ahead on a lane and has room now; it is in flight from here on. */
  next(subscriptionId: string, isRetryAllowed: () => boolean): ClaimedDelivery | undefined {
    const lane = this.lanes.get(subscriptionId);
    if (!lane || !this.hasAhead(lane) || busy(lane) >= lane.lease.capacity) return undefined;
    const place = lane.ahead.findIndex(({ attempt }) => attempt === 1 || isRetryAllowed());
    if (place < 0) return undefined;
    const [claim] = lane.ahead.splice(place, 1);
    this.note(claim, { isServed: false, until: Number.POSITIVE_INFINITY });
    lane.startedMeanwhile?.add(claim.deliveryId);
    return claim;
  }

  /** What was read ahead is not to be sent any more, nor what a read under way is about to bring. */
  forgetAhead(subscriptionId: string): void {
    const lane = this.lanes.get(subscriptionId);
    if (!lane) return;
    lane.ahead = [];
    lane.hasMore = false;
    lane.startedMeanwhile = null;
  }

  /**
   * The receiver has answered. A success makes room at once; a failure keeps its place until it is on
   * record, because it may be the one that closes the lane, and what was read ahead is forgotten.
   */
  answered(claim: ClaimedDelivery, isSuccess: boolean): void {
    if (!isSuccess) this.forgetAhead(claim.lane.subscriptionId);
    else if (!claim.lane.isProbe) {
      this.note(claim, { isServed: true, until: Number.POSITIVE_INFINITY });
    }
  }

  /** The result is on record, or void: the delivery is nobody's concern here any more. */
  end({ lane, deliveryId }: ClaimedDelivery): void {
    this.lanes.get(lane.subscriptionId)?.inFlight.delete(deliveryId);
  }

  /**
   * The result could not be recorded. The delivery is left alone for as long as a lease, as if its
   * holder had died, so that a mistake of ours does not become a hail of requests.
   */
  abandon(claim: ClaimedDelivery, forMs: number): void {
    if (!this.lanes.has(claim.lane.subscriptionId)) this.take(claim.lane);
    this.note(claim, { isServed: false, until: this.monotonicMs() + forMs });
  }

  /** The lanes that have nothing to do; they are no longer held here. */
  letGoOfIdle(): { ids: string[]; tokens: number[] } {
    const idle = [...this.lanes].filter(([, lane]) => this.isIdleBut(lane, new Set()));
    for (const [id] of idle) this.lanes.delete(id);
    return {
      ids: idle.map(([id]) => id),
      tokens: idle.map(([, { lease }]) => lease.leaseToken),
    };
  }

  /** Whether a lane has nothing to do but these, and is no longer held here then. */
  letGoAfter(subscriptionId: string, ending: ReadonlySet<string>): boolean {
    const lane = this.lanes.get(subscriptionId);
    if (!lane || !this.isIdleBut(lane, ending)) return false;
    this.lanes.delete(subscriptionId);
    return true;
  }

  private isIdleBut(lane: HeldLane, ending: ReadonlySet<string>): boolean {
    return !this.hasAhead(lane) && [...lane.inFlight.keys()].every((id) => ending.has(id));
  }

  private isDry({ ahead, hasMore, takenAt }: HeldLane, low: number, leaseMs: number): boolean {
    return hasMore && ahead.length <= low && this.monotonicMs() - takenAt < leaseMs / 2;
  }

  private hasAhead({ ahead }: HeldLane): boolean {
    return ahead.length > 0 && this.monotonicMs() - ahead[0].readAt <= AHEAD_MS;
  }

  private note(
    { lane, deliveryId, attempt }: ClaimedDelivery,
    state: Pick<InFlight, 'isServed' | 'until'>,
  ): void {
    const inFlight = { isRetry: attempt > 1, ...state };
    this.lanes.get(lane.subscriptionId)?.inFlight.set(deliveryId, inFlight);
  }

  private forgetAbandoned(): void {
    const now = this.monotonicMs();
    for (const { inFlight } of this.lanes.values()) {
      for (const [id, { until }] of inFlight) if (until <= now) inFlight.delete(id);
    }
  }
}

function busy({ inFlight }: HeldLane): number {
  let count = 0;
  for (const { isServed } of inFlight.values()) if (!isServed) count += 1;
  return count;
}
