import { Injectable } from '@nestjs/common';
import { Database } from '../platform/index.js';
import { subscriptionsWithOpenDeliveries } from './subscriptions-with-open-deliveries.js';
import type { WebhookEventName } from './webhook-events.js';

/** Longer than an attempt with all that belongs to it, so that only a dead holder loses it. */
const LEASE_SECONDS = 20;
const MOST_IN_FLIGHT_PER_SUBSCRIPTION = 5;

/** A delivery that this process alone may send, for as long as nobody raises the token. */
export interface DeliveryClaim {
  readonly deliveryId: string;
  readonly leaseToken: number;
}

/** What an attempt needs to know. */
export interface DeliveryToSend extends DeliveryClaim {
  readonly subscriptionId: string;
  readonly eventId: string;
  readonly eventName: WebhookEventName;
  readonly body: string;
  readonly url: string;
  readonly secretSealed: string;
  /** Null when no rotation overlaps at present. */
  readonly previousSecretSealed: string | null;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
}

/** Hands out deliveries that are due, each to one sender at a time, whichever replica it is on. */
@Injectable()
export class DeliveryClaims {
  constructor(private readonly database: Database) {}

  /**
   * Claims deliveries into so many free slots, at most five in flight per subscription.
   *
   * Two statements, because only the second one's snapshot is sure to show what an earlier claim of
   * the same subscriptions took: the first one locks them, and passes over those that somebody else
   * is claiming from at this moment.
   */
  async claim(freeSlots: number): Promise<DeliveryClaim[]> {
    return this.database.transaction(async (tx) => {
      const subscriptions = await tx.query<{ id: string }>(LOCK_SUBSCRIPTIONS, [
        freeSlots,
        MOST_IN_FLIGHT_PER_SUBSCRIPTION,
      ]);
      if (subscriptions.length === 0) return [];
      return tx.query<DeliveryClaim>(CLAIM, [
        subscriptions.map(({ id }) => id),
        freeSlots,
        MOST_IN_FLIGHT_PER_SUBSCRIPTION,
        LEASE_SECONDS,
      ]);
    });
  }

  /**
   * Reads what to send, at the last moment before it is sent. Null when it must not be: the
   * subscription was deleted or has gone inactive, the claim is no longer ours, or what is left of
   * the lease is shorter than the attempt may take.
   */
  async read(claim: DeliveryClaim, attemptMs: number): Promise<DeliveryToSend | null> {
    const [row] = await this.database.prepared<DeliveryToSend & Record<string, unknown>>(
      'webhook-delivery-to-send',
      READ,
      [claim.deliveryId, claim.leaseToken, attemptMs],
    );
    return row ?? null;
  }
}

const IN_FLIGHT = `
  (SELECT count(*) FROM webhook_deliveries f
   WHERE f.subscription_id = s.id AND f.lease_until > app_now())`;

// NO KEY UPDATE: writing a delivery, which refers to the subscription, need not wait for it.
const LOCK_SUBSCRIPTIONS = `
  ${subscriptionsWithOpenDeliveries('PENDING')}
  SELECT s.id
  FROM busy
  JOIN webhook_subscriptions s ON s.id = busy.subscription_id
  CROSS JOIN LATERAL (
    SELECT d.next_attempt_at FROM webhook_deliveries d
    WHERE d.subscription_id = busy.subscription_id AND d.status = 'PENDING'
    ORDER BY d.next_attempt_at LIMIT 1
  ) AS first
  WHERE first.next_attempt_at <= app_now() AND s.is_active AND s.deleted_at IS NULL
    AND ${IN_FLIGHT} < $2
  ORDER BY first.next_attempt_at
  LIMIT $1
  FOR NO KEY UPDATE OF s SKIP LOCKED
`;

const CLAIM = `
  WITH free AS (
    SELECT s.id AS subscription_id, greatest(0, $3 - ${IN_FLIGHT}) AS slots
    FROM unnest($1::text[]) AS s (id)
  ),
  picked AS (
    SELECT due.id
    FROM free
    CROSS JOIN LATERAL (
      SELECT d.id, d.next_attempt_at FROM webhook_deliveries d
      WHERE d.subscription_id = free.subscription_id AND d.status = 'PENDING'
        AND d.next_attempt_at <= app_now()
      ORDER BY d.next_attempt_at
      LIMIT free.slots
      FOR UPDATE SKIP LOCKED
    ) AS due
    ORDER BY due.next_attempt_at
    LIMIT $2
  )
  UPDATE webhook_deliveries d
  SET lease_token = d.lease_token + 1, lease_until = lease.until, next_attempt_at = lease.until
  FROM picked, (SELECT app_now() + $4 * interval '1 second' AS until) AS lease
  WHERE d.id = picked.id
  RETURNING d.id AS "deliveryId", d.lease_token AS "leaseToken"
`;

const READ = `
  SELECT d.id AS "deliveryId", d.lease_token AS "leaseToken",
    d.subscription_id AS "subscriptionId", d.attempts + 1 AS attempt,
    e.id AS "eventId", e.name AS "eventName", e.body,
    s.url, s.secret_sealed AS "secretSealed",
    CASE WHEN s.previous_secret_until > app_now() THEN s.previous_secret_sealed END
      AS "previousSecretSealed"
  FROM webhook_deliveries d
  JOIN webhook_subscriptions s ON s.id = d.subscription_id
  JOIN webhook_events e ON e.id = d.event_id
  WHERE d.id = $1 AND d.lease_token = $2 AND d.status = 'PENDING'
    AND d.lease_until > app_now() + $3 * interval '1 millisecond'
    AND s.is_active AND s.deleted_at IS NULL
`;
