import type { ClaimedDelivery, LaneCursor, LaneLease } from './claimed-delivery.js';
import { InFlight } from './in-flight.js';
import { SlotShares } from './slot-shares.js';

/** What was read ahead is good for so long: a subscription that is paused gets nothing after that. */
const AHEAD_MS = 250;
/** Behind what is older a lane is not read on: too much of it would be too old before its turn. */
const READ_ON_MS = (AHEAD_MS * 3) / 4;
const NONE: ReadonlySet<string> = new Set();

/** What a read brings a lane. */
export interface LaneFind {
  /** In the order in which they are to be sent. */
  readonly found: readonly ClaimedDelivery[];
  /** Where the next read goes on. */
  readonly cursor: LaneCursor;
  /** Whether there may be more. */
  readonly hasMore: boolean;
}

interface Reading {
  /** Where it goes on; null when it looks at all that is due. */
  readonly cursor: LaneCursor | null;
  /** What was ahead or in flight when the read began, or has started since: it may bring them again. */
  readonly known: Set<string>;
}

interface HeldLane {
  readonly lease: LaneLease;
  readonly takenAt: number;
  readonly inFlight: InFlight;
  /**
   * Whether it may have more slots and is read on before it runs dry. While other lanes wait for
   * slots, it sends the little that was read in those that it has.
   */
  readonly isOpen: boolean;
  /** What was read and comes next, in order. */
  ahead: ClaimedDelivery[];
  /** Whether there may be more on it than what was read. */
  hasMore: boolean;
  /** Where the next read goes on; null when there is nothing to go on with. */
  cursor: LaneCursor | null;
  reading: Reading | null;
}

/** Of each lane that this process holds, by its id: the token, and how many keep it busy. */
export type HeldTokens = Record<string, readonly [leaseToken: number, busy: number]>;

/**
 * What this process knows of the lanes that it holds, of the deliveries that are in flight on them
 * and of those that it has read ahead. The database knows the leases alone: no delivery's row says
 * who has claimed it.
 */
export class HeldLanes {
  /** Who has the slots. */
  readonly shares = new SlotShares();
  private readonly lanes = new Map<string, HeldLane>();

  constructor(private readonly monotonicMs: () => number = () => performance.now()) {}

  /** Those that were given a slot of late stand last. */
  get ids(): string[] {
    return [...this.lanes.keys()];
  }

  /** The lanes that may have more slots. */
  get open(): string[] {
    return [...this.lanes].filter(([, { isOpen }]) => isOpen).map(([id]) => id);
  }

  /** Whether a lane with room has nothing to send, though there may be more on it. */
  get isAnyUnread(): boolean {
    for (const lane of this.lanes.values()) if (this.isUnread(lane)) return true;
    return false;
  }

  /** Whether a lane has nothing to do. */
  get isAnyIdle(): boolean {
    for (const lane of this.lanes.values()) if (this.isIdleBut(lane, NONE)) return true;
    return false;
  }

  /** On prompt lanes. */
  get retriesInFlight(): number {
    let count = 0;
    for (const { lease, inFlight } of this.lanes.values()) {
      if (lease.laneClass === 'PROMPT') count += inFlight.retries;
    }
    return count;
  }

  /**
   * A lane on which something is read ahead wants nothing, and counts as full. What is full is passed
   * over by the look that this is for, and may then have more than what was read.
   */
  tokens(): HeldTokens {
    const now = this.monotonicMs();
    return Object.fromEntries(
      Array.from(this.lanes, ([id, lane]) => {
        lane.inFlight.endOverdue(now);
        const { lease, inFlight } = lane;
        const busy = this.hasAhead(lane) ? lease.capacity : inFlight.busy;
        if (busy >= lease.capacity) lane.hasMore = true;
        return [id, [lease.leaseToken, busy]];
      }),
    );
  }

  /** Everything that is not on record yet, which no read may bring again. */
  inFlightOn(subscriptionId: string): string[] {
    return this.lanes.get(subscriptionId)?.inFlight.ids ?? [];
  }

  /**
   * The lane is ours for another while.
   * @param isOpen false when others wait for slots
   * @param takenAt from when the lease counts at the latest
   */
  take(lease: LaneLease, isOpen = true, takenAt = this.monotonicMs()): void {
    const lane = this.lanes.get(lease.subscriptionId);
    const isSame = lane?.lease.leaseToken === lease.leaseToken;
    this.lanes.set(lease.subscriptionId, {
      lease,
      takenAt,
      inFlight: lane?.inFlight ?? new InFlight(),
      isOpen,
      ahead: isSame ? lane.ahead : [],
      hasMore: true,
      cursor: null,
      reading: null,
    });
  }

  /**
   * The leases of so many lanes at most that are running dry, though there is more, and that stay ours
   * for long: those with the least left.
   */
  runningDry(low: number, leaseMs: number, most: number): LaneLease[] {
    return [...this.lanes.values()]
      .filter((lane) => this.isDry(lane, low, leaseMs))
      .toSorted((a, b) => a.ahead.length - b.ahead.length)
      .slice(0, most)
      .map(({ lease }) => lease);
  }

  /** The same of one lane, which is asked at every delivery. */
  isRunningDry(subscriptionId: string, low: number, leaseMs: number): boolean {
    const lane = this.lanes.get(subscriptionId);
    return lane !== undefined && this.isDry(lane, low, leaseMs);
  }

  /**
   * A read of a lane is about to begin: from here on it is noted what starts there. Behind what is
   * about to be too old to be sent it does not go on.
   * @returns where it is to go on; null when it is to look at everything that is due
   */
  beginRead({ subscriptionId }: LaneLease): LaneCursor | null {
    const lane = this.lanes.get(subscriptionId);
    if (!lane) return null;
    const cursor = this.isFresh(lane, READ_ON_MS) ? lane.cursor : null;
    const ahead = cursor === null ? [] : lane.ahead.map(({ deliveryId }) => deliveryId);
    lane.reading = { cursor, known: new Set([...lane.inFlight.ids, ...ahead]) };
    return cursor;
  }

  /** What a read has brought follows what was read before; if it looked at everything, it takes its place. */
  endRead({ subscriptionId, leaseToken }: LaneLease, { found, cursor, hasMore }: LaneFind): void {
    const lane = this.lanes.get(subscriptionId);
    if (!lane?.reading || lane.lease.leaseToken !== leaseToken) return;
    const { known, cursor: readFrom } = lane.reading;
    const fresh = found.filter(({ deliveryId }) => !known.has(deliveryId));
    lane.ahead = readFrom === null ? fresh : [...lane.ahead, ...fresh];
    lane.hasMore = hasMore;
    lane.cursor = hasMore && lane.isOpen ? cursor : null;
    lane.reading = null;
  }

  /** The lane has just been given a slot, and is the last one to be given another. */
  putLast(subscriptionId: string): void {
    const lane = this.lanes.get(subscriptionId);
    if (!lane) return;
    this.lanes.delete(subscriptionId);
    this.lanes.set(subscriptionId, lane);
  }

  /**
   * What was read ahead on a lane that has room now, and whose partner may have one more slot; it is in
   * flight from here on.
   */
  next(subscriptionId: string, isRetryAllowed: () => boolean): ClaimedDelivery | undefined {
    const lane = this.lanes.get(subscriptionId);
    if (!lane || !this.hasAhead(lane) || lane.inFlight.busy >= lane.lease.capacity)
      return undefined;
    if (!this.shares.mayStart(lane.lease)) return undefined;
    const isPrompt = lane.lease.laneClass === 'PROMPT';
    const index = lane.ahead.findIndex(
      ({ attempt }) => attempt === 1 || !isPrompt || isRetryAllowed(),
    );
    if (index < 0) return undefined;
    const [claim] = lane.ahead.splice(index, 1);
    lane.inFlight.start(claim.deliveryId, claim.attempt > 1);
    this.shares.start(claim.deliveryId, lane.lease);
    lane.reading?.known.add(claim.deliveryId);
    return claim;
  }

  /**
   * What was read ahead is not to be sent any more, nor what a read under way is about to bring.
   * @param isUrgent false: the next look that is made anyway is soon enough for what there is
   */
  forgetAhead(subscriptionId: string, isUrgent = true): void {
    const lane = this.lanes.get(subscriptionId);
    if (!lane) return;
    lane.ahead = [];
    lane.hasMore = isUrgent;
    lane.cursor = null;
    lane.reading = null;
  }

  /** The same of all lanes. */
  forgetAllAhead(): void {
    for (const id of this.lanes.keys()) this.forgetAhead(id);
  }

  /**
   * The receiver has answered. A success makes room at once; a failure keeps its place until it is on
   * record, because it may be the one that closes the lane, and what was read ahead is forgotten.
   */
  answered({ lane, deliveryId }: ClaimedDelivery, isSuccess: boolean): void {
    this.shares.end(deliveryId);
    if (!isSuccess) this.forgetAhead(lane.subscriptionId, false);
    else if (!lane.isProbe) this.lanes.get(lane.subscriptionId)?.inFlight.serve(deliveryId);
  }

  /** The result is on record, or void: the delivery is nobody's concern here any more. */
  end({ lane, deliveryId }: ClaimedDelivery): void {
    this.shares.end(deliveryId);
    this.lanes.get(lane.subscriptionId)?.inFlight.end(deliveryId);
  }

  /**
   * The result could not be recorded. The delivery is left alone for as long as a lease, as if its
   * holder had died, so that a mistake of ours does not become a hail of requests.
   */
  abandon({ lane, deliveryId, attempt }: ClaimedDelivery, forMs: number): void {
    if (!this.lanes.has(lane.subscriptionId)) this.take(lane);
    this.shares.end(deliveryId);
    const until = this.monotonicMs() + forMs;
    this.lanes.get(lane.subscriptionId)?.inFlight.start(deliveryId, attempt > 1, until);
  }

  /** The lanes that have nothing to do; they are no longer held here. */
  letGoOfIdle(): { ids: string[]; tokens: number[] } {
    const idle = [...this.lanes].filter(([, lane]) => this.isIdleBut(lane, NONE));
    for (const [id] of idle) this.lanes.delete(id);
    return {
      ids: idle.map(([id]) => id),
      tokens: idle.map(([, { lease }]) => lease.leaseToken),
    };
  }

  /** Whether a lane has nothing to do but these, nor may have; it is no longer held here then. */
  letGoAfter(subscriptionId: string, ending: ReadonlySet<string>): boolean {
    const lane = this.lanes.get(subscriptionId);
    if (!lane || this.mayHaveMore(lane) || !this.isIdleBut(lane, ending)) return false;
    this.lanes.delete(subscriptionId);
    return true;
  }

  private isIdleBut(lane: HeldLane, ending: ReadonlySet<string>): boolean {
    return !this.hasAhead(lane) && lane.inFlight.isNoneBut(ending);
  }

  /** What was read and has grown old counts as not read. */
  private isUnread(lane: HeldLane): boolean {
    const hasRoom = lane.inFlight.busy < lane.lease.capacity;
    return hasRoom && !this.hasAhead(lane) && this.mayHaveMore(lane);
  }

  private mayHaveMore({ hasMore, ahead }: HeldLane): boolean {
    return hasMore || ahead.length > 0;
  }

  private isDry({ ahead, cursor, takenAt }: HeldLane, low: number, leaseMs: number): boolean {
    return cursor !== null && ahead.length <= low && this.monotonicMs() - takenAt < leaseMs / 2;
  }

  private hasAhead(lane: HeldLane): boolean {
    return lane.ahead.length > 0 && this.isFresh(lane, AHEAD_MS);
  }

  /** By what comes next on it; a lane on which nothing does is. */
  private isFresh({ ahead }: HeldLane, forMs: number): boolean {
    return ahead.length === 0 || this.monotonicMs() - ahead[0].readAt <= forMs;
  }
}
