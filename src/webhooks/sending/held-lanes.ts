import type { ClaimedDelivery, LaneLease } from './claimed-delivery.js';

interface InFlight {
  readonly isRetry: boolean;
  /** When it may be claimed again, by the machine's monotonic clock. */
  readonly until: number;
}

interface HeldLane {
  leaseToken: number;
  /** By the delivery's id. */
  readonly inFlight: Map<string, InFlight>;
}

/** The lanes that this process holds, as columns for a statement; the places belong together. */
export interface HeldColumns {
  readonly ids: string[];
  readonly tokens: number[];
  readonly inFlight: number[];
}

/**
 * What this process knows of the lanes that it holds and of the deliveries that are in flight on
 * them. The database knows the leases alone: no delivery's row says who has claimed it.
 */
export class HeldLanes {
  private readonly lanes = new Map<string, HeldLane>();

  constructor(private readonly monotonicMs: () => number = () => performance.now()) {}

  get retriesInFlight(): number {
    let count = 0;
    for (const { inFlight } of this.lanes.values()) {
      for (const { isRetry } of inFlight.values()) if (isRetry) count += 1;
    }
    return count;
  }

  columns(): HeldColumns {
    this.forgetAbandoned();
    const held = [...this.lanes];
    return {
      ids: held.map(([id]) => id),
      tokens: held.map(([, { leaseToken }]) => leaseToken),
      inFlight: held.map(([, { inFlight }]) => inFlight.size),
    };
  }

  inFlightOn(subscriptionId: string): string[] {
    return [...(this.lanes.get(subscriptionId)?.inFlight.keys() ?? [])];
  }

  take({ subscriptionId, leaseToken }: LaneLease): void {
    const lane = this.lanes.get(subscriptionId);
    if (lane) lane.leaseToken = leaseToken;
    else this.lanes.set(subscriptionId, { leaseToken, inFlight: new Map() });
  }

  start(claim: ClaimedDelivery): void {
    this.note(claim, Number.POSITIVE_INFINITY);
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
    this.note(claim, this.monotonicMs() + forMs);
  }

  /** The lanes on which nothing is in flight; they are no longer held here. */
  letGoOfIdle(): { ids: string[]; tokens: number[] } {
    const idle = [...this.lanes].filter(([, { inFlight }]) => inFlight.size === 0);
    for (const [id] of idle) this.lanes.delete(id);
    return { ids: idle.map(([id]) => id), tokens: idle.map(([, lane]) => lane.leaseToken) };
  }

  /** Whether nothing but these is in flight on a lane, which is then no longer held here. */
  letGoAfter(subscriptionId: string, ending: ReadonlySet<string>): boolean {
    const lane = this.lanes.get(subscriptionId);
    if (!lane || [...lane.inFlight.keys()].some((id) => !ending.has(id))) return false;
    this.lanes.delete(subscriptionId);
    return true;
  }

  private note({ lane, deliveryId, attempt }: ClaimedDelivery, until: number): void {
    const inFlight = { isRetry: attempt > 1, until };
    this.lanes.get(lane.subscriptionId)?.inFlight.set(deliveryId, inFlight);
  }

  private forgetAbandoned(): void {
    const now = this.monotonicMs();
    for (const { inFlight } of this.lanes.values()) {
      for (const [id, { until }] of inFlight) if (until <= now) inFlight.delete(id);
    }
  }
}
