import { Injectable, Logger } from '@nestjs/common';
import { type DueWork, logFailure } from '../../platform/index.js';
import type { EventName } from '../domain/webhook-events.js';
import {
  LANE_CAPACITY,
  LEASE_SECONDS,
  READ,
  RELEASE,
  RENEW,
  TAKE,
} from './lane-claim-statements.js';
import { SenderDatabase } from './sender-database.js';

/** Deliveries of a lane per claim. */
const MAX_A_LANE = 45;
/** About as many as are sent before a claim is too old. */
const MAX_A_CLAIM = 1_000;

interface LaneSecrets {
  readonly secretSealed: string;
  /** Replaced in the last 24 hours, newest first. */
  readonly previousSecretsSealed: readonly string[];
}

export interface SendingTarget extends LaneSecrets {
  readonly subscriptionId: string;
  readonly url: string;
}

export interface LaneLease extends SendingTarget {
  readonly partnerId: string;
  /** Raised for each new holder: results with an older token are void. */
  readonly leaseToken: number;
  /** How many deliveries may be in flight. */
  readonly capacity: number;
  /** Whether the breaker is open and this delivery is the probe. */
  readonly isProbe: boolean;
}

export interface ClaimedDelivery {
  readonly lane: LaneLease;
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventName: EventName;
  readonly body: string;
  /** From 1. */
  readonly attempt: number;
  /** Since it became due. */
  readonly waitedSeconds: number;
  /** Monotonic milliseconds, just before the last check of its subscription. */
  readonly readAt: number;
}

export interface ClaimedLane {
  readonly lease: LaneLease;
  /** In sending order. */
  readonly deliveries: readonly ClaimedDelivery[];
  readonly hasMore: boolean;
}

interface HeldLane {
  readonly leaseToken: number;
  /** Slots in use. */
  readonly busy: number;
  readonly unrecorded: readonly string[];
}

interface ClaimRequest {
  readonly freeSlots: number;
  /** By subscription. */
  readonly held: ReadonlyMap<string, HeldLane>;
  /** Posts in progress, by partner. */
  readonly posts: ReadonlyMap<string, number>;
}

interface LaneClaim {
  readonly lanes: readonly ClaimedLane[];
  /** Whether more lanes than slots were ready. */
  readonly hasMoreLanes: boolean;
}

type TakenLane = LaneLease & { readonly readyLanes: number };

interface DueRow extends LaneSecrets, Omit<ClaimedDelivery, 'lane' | 'readAt'> {
  readonly ordinal: number;
}

/** Leases each lane to one process at a time. */
@Injectable()
export class LaneClaimsRepository {
  /** Deliveries to active subscriptions; those in flight are due. */
  static readonly WAITING: DueWork = {
    isDue: () =>
      `SELECT coalesce((${anyWaiting('attempts = 0')}), (${anyWaiting('attempts > 0')}))`,
    times: () => `
      SELECT greatest(q.next_attempt_at, l.probe_at) AS at
      FROM webhook_queue AS q JOIN webhook_lanes AS l USING (subscription_id) WHERE l.is_active`,
  };

  private readonly logger = new Logger(LaneClaimsRepository.name);

  constructor(private readonly database: SenderDatabase) {}

  /**
   * A second statement reads the deliveries: only it reliably sees what the last holder recorded.
   */
  async claim({ freeSlots, held, posts }: ClaimRequest): Promise<LaneClaim> {
    const lanes = Array.from(held, ([id, { leaseToken, busy, unrecorded }]) => [
      id,
      [leaseToken, busy, unrecorded.join(' ')],
    ]);
    const taken = await this.database.prepared<TakenLane>('webhook-lanes-take', TAKE, [
      freeSlots,
      JSON.stringify(Object.fromEntries(lanes)),
      JSON.stringify(Object.fromEntries(posts)),
    ]);
    if (taken.length === 0) return { lanes: [], hasMoreLanes: false };
    return {
      lanes: await this.readOrNone(taken, held),
      hasMoreLanes: taken[0].readyLanes > taken.length,
    };
  }

  /** After a failed read the caller still gets the leases, to release them. */
  private async readOrNone(
    leases: readonly LaneLease[],
    held: ClaimRequest['held'],
  ): Promise<ClaimedLane[]> {
    try {
      return await this.read(leases, held);
    } catch (error) {
      logFailure(this.logger, error);
      return leases.map((lease) => ({ lease, deliveries: [], hasMore: true }));
    }
  }

  private async read(
    leases: readonly LaneLease[],
    held: ClaimRequest['held'],
  ): Promise<ClaimedLane[]> {
    const share = Math.floor(MAX_A_CLAIM / leases.length);
    const maxOfLane = Math.max(LANE_CAPACITY, Math.min(MAX_A_LANE, share));
    const maxOfEach = leases.map(({ capacity }) => (capacity === 1 ? 1 : maxOfLane));
    const readAt = performance.now();
    const rows = await this.database.prepared<DueRow>('webhook-deliveries-due', READ, [
      leases.map(({ subscriptionId }) => subscriptionId),
      leases.map(({ leaseToken }) => leaseToken),
      leases.map(({ subscriptionId }) => held.get(subscriptionId)?.unrecorded.join(' ') ?? ''),
      maxOfEach,
    ]);
    const byLane = Map.groupBy(rows, ({ ordinal }) => ordinal - 1);
    return leases.map((lease, index) => {
      const due = byLane.get(index) ?? [];
      const deliveries = due.map((row) => claimOf(row, lease, readAt));
      return { lease, deliveries, hasMore: due.length >= maxOfEach[index] };
    });
  }

  /** Null if the lane is lost or inactive. */
  async renew({ subscriptionId, leaseToken }: LaneLease): Promise<LaneSecrets | null> {
    const values = [subscriptionId, leaseToken, LEASE_SECONDS];
    const [secrets] = await this.database.prepared<LaneSecrets>(
      'webhook-lane-renew',
      RENEW,
      values,
    );
    return secrets ?? null;
  }

  /** Skips lanes that another process has taken over. */
  async release(leases: readonly LaneLease[]): Promise<void> {
    await this.database.prepared('webhook-lanes-release', RELEASE, [
      leases.map(({ subscriptionId }) => subscriptionId),
      leases.map(({ leaseToken }) => leaseToken),
    ]);
  }
}

function claimOf(row: DueRow, lease: LaneLease, readAt: number): ClaimedDelivery {
  const { deliveryId, eventId, eventName, body, attempt, waitedSeconds } = row;
  const { secretSealed, previousSecretsSealed } = row;
  // The secrets may have changed since the lane was leased.
  const lane = { ...lease, secretSealed, previousSecretsSealed };
  return { lane, deliveryId, eventId, eventName, body, attempt, waitedSeconds, readAt };
}

function anyWaiting(kind: string): string {
  return `
    SELECT true FROM webhook_queue WHERE ${kind} ORDER BY subscription_id, next_attempt_at LIMIT 1`;
}
