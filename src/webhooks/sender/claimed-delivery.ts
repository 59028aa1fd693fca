import type { EventName } from '../events/webhook-events.js';

/** How long a sender may start to send what it has read. */
export const GOOD_FOR_MS = 500;
/** How long after a change a sender may still send what it read before: with the time to the socket. */
export const SETTLED_MS = GOOD_FOR_MS + 100;

/**
 * How the slots are parted, so that lanes of one kind do not wait for those of another.
 * `PROMPT`: the last attempt succeeded, and the receiver answers soon. `UNTRIED`: none has succeeded,
 * since it was registered or enabled, nor failed. `SLOW`: the last one failed, or answers take long.
 */
export type LaneClass = 'PROMPT' | 'UNTRIED' | 'SLOW';

/** What signs the deliveries of a lane. */
export interface LaneSecrets {
  readonly secretSealed: string;
  /** Replaced by rotations of the last day, newest first. */
  readonly previousSecretsSealed: readonly string[];
}

/** A lane that this process holds for a while, and what is needed to send on it. */
export interface LaneLease extends LaneSecrets {
  readonly subscriptionId: string;
  readonly partnerId: string;
  /** Which slots it is sent in. */
  readonly laneClass: LaneClass;
  /** Whoever takes the lane from us raises it; what we report then is void. */
  readonly leaseToken: number;
  readonly url: string;
  /** How many deliveries may be in flight on it. */
  readonly capacity: number;
  /** Whether the breaker is open, and this is the one delivery that tries. */
  readonly isProbe: boolean;
}

/** Where to send and how to sign. */
export type SendingTarget = Pick<
  LaneLease,
  'subscriptionId' | 'url' | 'secretSealed' | 'previousSecretsSealed'
>;

/** A delivery that this process alone may send, with everything that sending takes. */
export interface ClaimedDelivery {
  readonly lane: LaneLease;
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventName: EventName;
  readonly body: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** How long it had been due when it was read. */
  readonly waitedSeconds: number;
  /** When it was read, on a lane that was ours then: milliseconds of the machine's monotonic clock. */
  readonly readAt: number;
}

/** A row's place in the queue of its lane, which is in the order of these. */
export interface QueueKey {
  /** When it was due, in seconds of Unix time, to the microsecond. */
  readonly dueAt: number;
  readonly deliveryId: string;
}

/**
 * How far a lane has been read: first attempts and retries each have a queue of their own. What
 * comes before it was read, or is of a transaction that was late to commit.
 */
export interface LaneCursor {
  readonly first: QueueKey;
  readonly again: QueueKey;
}

const START: QueueKey = { dueAt: Number.NEGATIVE_INFINITY, deliveryId: '' };

/** Before everything. */
export const LANE_START: LaneCursor = { first: START, again: START };
