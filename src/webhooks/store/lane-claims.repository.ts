import { Injectable, Logger } from '@nestjs/common';
import { type DueQuery, logFailure } from '../../platform/index.js';
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

/** The most deliveries of a lane in one claim. */
const MAX_A_LANE = 45;
/** About as many deliveries as are sent before a claim is too old. */
const MAX_A_CLAIM = 1_000;

interface LaneSecrets {
  readonly secretSealed: string;
  /** Replaced by rotations of the last day, newest first. */
  readonly previousSecretsSealed: readonly string[];
}

/** Where to send and how to sign. */
export interface SendingTarget extends LaneSecrets {
  readonly subscriptionId: string;
  readonly url: string;
}

/** A subscription's lane that this process has leased. */
export interface LaneLease extends SendingTarget {
  readonly partnerId: string;
  /** Raised when the lane changes hands: results under a lower one are void. */
  readonly leaseToken: number;
  /** How many deliveries may be in flight. */
  readonly capacity: number;
  /** Whether the breaker is open and this delivery tests the receiver. */
  readonly isProbe: boolean;
}

export interface ClaimedDelivery {
  readonly lane: LaneLease;
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventName: EventName;
  readonly body: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** How long it had been due when it was claimed. */
  readonly waitedSeconds: number;
  /** Before it was read, which is the last check of its subscription; milliseconds of the machine's monotonic clock. */
  readonly readAt: number;
}

export interface ClaimedLane {
  readonly lease: LaneLease;
  /** In sending order. */
  readonly deliveries: readonly ClaimedDelivery[];
  /** Whether more may be due on the lane. */
  readonly hasMore: boolean;
}

/** A lane that this process holds. */
export interface HeldLane {
  readonly leaseToken: number;
  /** How many of its capacity are in use. */
  readonly busy: number;
  /** Its deliveries without a recorded result. */
  readonly unrecorded: readonly string[];
}

export interface ClaimRequest {
  readonly freeSlots: number;
  /** By subscription. */
  readonly held: ReadonlyMap<string, HeldLane>;
  /** The posts under way, by partner. */
  readonly posts: ReadonlyMap<string, number>;
}

export interface LaneClaim {
  readonly lanes: readonly ClaimedLane[];
  /** Whether there were more lanes than slots. */
  readonly areLanesLeft: boolean;
}

type TakenLane = LaneLease & { readonly readyLanes: number };

interface DueRow extends LaneSecrets, Omit<ClaimedDelivery, 'lane' | 'readAt'> {
  readonly ordinal: number;
}

/** Leases lanes with the deliveries that are due on them, each lane to one process at a time. */
@Injectable()
export class LaneClaimsRepository {
  /** Whether any delivery is open. */
  static readonly WAITING: DueQuery = () => `
    SELECT coalesce((${anyWaiting('attempts = 0')}), (${anyWaiting('attempts > 0')}))`;

  private readonly logger = new Logger(LaneClaimsRepository.name);

  constructor(private readonly database: SenderDatabase) {}

  /**
   * What is due is read by a second statement: the first may take long, and only the second is sure
   * to see the results that the last holder recorded.
   */
  async claim({ freeSlots, held, posts }: ClaimRequest): Promise<LaneClaim> {
    const lanes = Array.from(held, ([id, { leaseToken, busy, unrecorded }]) => [
      id,
      [leaseToken, busy, unrecorded.join(' ')],
    ]);
    const taken = await this.database.prepared<TakenLane & Record<string, unknown>>(
      'webhook-lanes-take',
      TAKE,
      [
        freeSlots,
        JSON.stringify(Object.fromEntries(lanes)),
        JSON.stringify(Object.fromEntries(posts)),
      ],
    );
    if (taken.length === 0) return { lanes: [], areLanesLeft: false };
    return {
      lanes: await this.readOrNone(taken, held),
      areLanesLeft: taken[0].readyLanes > taken.length,
    };
  }

  /** Without a read the leases are known all the same, so that the caller can release them. */
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
    const many = Math.max(LANE_CAPACITY, Math.min(MAX_A_LANE, share));
    const most = leases.map(({ capacity }) => (capacity === 1 ? 1 : many));
    const readAt = performance.now();
    const rows = await this.database.prepared<DueRow & Record<string, unknown>>(
      'webhook-deliveries-due',
      READ,
      [
        leases.map(({ subscriptionId }) => subscriptionId),
        leases.map(({ leaseToken }) => leaseToken),
        leases.map(({ subscriptionId }) => held.get(subscriptionId)?.unrecorded.join(' ') ?? ''),
        most,
      ],
    );
    const byLane = Map.groupBy(rows, ({ ordinal }) => ordinal - 1);
    return leases.map((lease, index) => {
      const due = byLane.get(index) ?? [];
      const deliveries = due.map((row) => claimOf(row, lease, readAt));
      return { lease, deliveries, hasMore: due.length >= most[index] };
    });
  }

  /** Extends a lease and returns the lane's secrets; null if the lane is lost or inactive. */
  async renew({ subscriptionId, leaseToken }: LaneLease): Promise<LaneSecrets | null> {
    const values = [subscriptionId, leaseToken, LEASE_SECONDS];
    const [secrets] = await this.database.prepared<LaneSecrets & Record<string, unknown>>(
      'webhook-lane-renew',
      RENEW,
      values,
    );
    return secrets ?? null;
  }

  /** Ends leases, except of lanes that another process has taken over. */
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
  // The secrets may have been replaced since the lane was taken.
  const lane = { ...lease, secretSealed, previousSecretsSealed };
  return { lane, deliveryId, eventId, eventName, body, attempt, waitedSeconds, readAt };
}

function anyWaiting(kind: string): string {
  return `
    SELECT true FROM webhook_queue WHERE ${kind} ORDER BY subscription_id, next_attempt_at LIMIT 1`;
}
