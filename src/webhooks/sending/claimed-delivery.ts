import type { WebhookEventName } from '../webhook-events.js';
import type { LaneClass } from './lane-class.js';

/**
 * What was read may be started for so long: whoever ends a subscription waits this long, and can then be
 * sure that no sender has anything left that was read before.
 */
export const GOOD_FOR_MS = 500;

/** A lane that this process holds for a while, and what is needed to send on it. */
export interface LaneLease {
  readonly subscriptionId: string;
  readonly partnerId: string;
  /** Which slots it is sent in. */
  readonly laneClass: LaneClass;
  /** Whoever takes the lane from us raises it; what we report then is void. */
  readonly leaseToken: number;
  readonly url: string;
  readonly secretSealed: string;
  /** Null when no rotation overlaps at present. */
  readonly previousSecretSealed: string | null;
  /** How many deliveries may be in flight on it. */
  readonly capacity: number;
  /** Whether the breaker is open, and this is the one delivery that tries. */
  readonly isProbe: boolean;
}

/** A delivery that this process alone may send, with everything that sending takes. */
export interface ClaimedDelivery {
  readonly lane: LaneLease;
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventName: WebhookEventName;
  readonly body: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** How long it had been due when it was read. */
  readonly waitedSeconds: number;
  /** When it was read, on a lane that was ours then: milliseconds of the machine's monotonic clock. */
  readonly readAt: number;
}
