import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '../platform/index.js';
import { makeRetriesDue } from './retries-due.js';
import type { WebhookEventName } from './webhook-events.js';

const SUBSCRIPTION_ID = /^sub_[0-9a-f]{32}$/;

interface NewSubscription {
  readonly id: string;
  readonly partnerId: string;
  readonly url: string;
  readonly events: WebhookEventName[] | null;
  readonly secretSealed: string;
}

/** A subscription with its health, without its secrets. */
export interface Subscription {
  readonly id: string;
  readonly url: string;
  /** Null: every event, those added later too. */
  readonly events: WebhookEventName[] | null;
  readonly isActive: boolean;
  /** Failed attempts in a row. */
  readonly failureCount: number;
  readonly lastDeliveryAt: Date | null;
}

interface SendingTarget {
  readonly url: string;
  readonly secretSealed: string;
  /** Null when no rotation overlaps at present. */
  readonly previousSecretSealed: string | null;
}

/** The subscriptions of a partner. Another partner's, or a deleted one, is not there. */
@Injectable()
export class SubscriptionsRepository {
  constructor(private readonly database: Database) {}

  /** The partner's subscriptions, oldest first. */
  list(partnerId: string): Promise<Subscription[]> {
    return this.database.query<Subscription & Record<string, unknown>>(
      `${SELECT} ORDER BY s.created_at, s.id`,
      [partnerId],
    );
  }

  /** Null when the partner has no such subscription. */
  async find(partnerId: string, id: string): Promise<Subscription | null> {
    if (!SUBSCRIPTION_ID.test(id)) return null;
    const [found] = await this.database.query<Subscription & Record<string, unknown>>(
      `${SELECT} AND s.id = $2`,
      [partnerId, id],
    );
    return found ?? null;
  }

  /**
   * Where to send a test event and how to sign it; null when the partner has no such subscription. It is
   * noted that it was read, for `delete`.
   */
  async findForTest(partnerId: string, id: string): Promise<SendingTarget | null> {
    if (!SUBSCRIPTION_ID.test(id)) return null;
    const [found] = await this.database.query<SendingTarget & Record<string, unknown>>(
      `UPDATE webhook_lanes l SET tested_at = app_now() FROM webhook_subscriptions s
       WHERE l.partner_id = $1 AND l.subscription_id = $2 AND s.id = l.subscription_id
       RETURNING s.url, s.secret_sealed AS "secretSealed",
         CASE WHEN s.previous_secret_until > app_now() THEN s.previous_secret_sealed END
           AS "previousSecretSealed"`,
      [partnerId, id],
    );
    return found ?? null;
  }

  /**
   * How many the partner has. Until the end of the transaction no other one counts this partner's,
   * so that two registrations at once cannot both take the last place.
   */
  async lockAndCount(tx: Tx, partnerId: string): Promise<number> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `webhook_subscriptions:${partnerId}`,
    ]);
    const [row] = await tx.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM webhook_subscriptions
       WHERE partner_id = $1 AND deleted_at IS NULL`,
      [partnerId],
    );
    return row.count;
  }

  async insert(tx: Tx, subscription: NewSubscription): Promise<void> {
    const { id, partnerId, url, events, secretSealed } = subscription;
    await tx.execute(
      `WITH lane AS (INSERT INTO webhook_lanes (subscription_id, partner_id) VALUES ($1, $2))
       INSERT INTO webhook_subscriptions (id, partner_id, url, events, secret_sealed, created_at)
       VALUES ($1, $2, $3, $4, $5, app_now())`,
      [id, partnerId, url, events, secretSealed],
    );
  }

  /**
   * Puts a new secret in force and keeps the old one beside it for so long.
   * @returns whether there was such a subscription
   */
  async rotateSecret(
    tx: Tx,
    partnerId: string,
    id: string,
    { sealed, overlapHours }: { sealed: string; overlapHours: number },
  ): Promise<boolean> {
    if (!SUBSCRIPTION_ID.test(id)) return false;
    const rotated = await tx.execute(
      `UPDATE webhook_subscriptions SET secret_sealed = $3, previous_secret_sealed = secret_sealed,
         previous_secret_until = app_now() + $4 * interval '1 hour'
       WHERE partner_id = $1 AND id = $2 AND deleted_at IS NULL`,
      [partnerId, id, sealed, overlapHours],
    );
    return rotated === 1;
  }

  /**
   * Sends again to an inactive subscription, or to one whose breaker is open. Its failures are
   * forgotten, and what waits for a retry is to be made due: `makeRetriesDue` belongs after the commit.
   * @returns whether there was such a subscription
   */
  async enable(tx: Tx, partnerId: string, id: string): Promise<boolean> {
    if (!SUBSCRIPTION_ID.test(id)) return false;
    const enabled = await tx.execute(
      `UPDATE webhook_lanes SET is_active = true, inactive_since = NULL, failure_count = 0,
         failing_since = NULL, probe_at = NULL, probe_wait_seconds = NULL, answer_ms = NULL,
         drain_since = app_now()
       WHERE partner_id = $1 AND subscription_id = $2`,
      [partnerId, id],
    );
    return enabled === 1;
  }

  /**
   * The subscription's address has been seen to work: if its breaker is open, it is closed, and what
   * waits for a retry is to be made due, after the commit.
   * @returns whether it was open
   */
  async closeBreaker(tx: Tx, partnerId: string, id: string): Promise<boolean> {
    const closed = await tx.execute(
      `UPDATE webhook_lanes SET failure_count = 0, failing_since = NULL, probe_at = NULL,
         probe_wait_seconds = NULL, drain_since = app_now()
       WHERE partner_id = $1 AND subscription_id = $2 AND is_active AND probe_at IS NOT NULL`,
      [partnerId, id],
    );
    return closed === 1;
  }

  /** Makes due what waits for a retry, if that is to be done; outside any transaction. */
  async makeRetriesDue(id: string): Promise<void> {
    await makeRetriesDue((_, sql, values) => this.database.query(sql, values), id);
  }

  /** Those on which somebody was to make due what waits for a retry, and has not done so in half a minute. */
  async toDrain(): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `SELECT subscription_id AS id FROM webhook_lanes
       WHERE drain_since <= app_now() - interval '30 seconds' AND is_active AND probe_at IS NULL`,
    );
    return rows.map(({ id }) => id);
  }

  /** Wipes the secrets before a rotation whose overlap is over; answers how many. */
  async wipePreviousSecrets(): Promise<number> {
    const wiped = await this.database.query(
      `UPDATE webhook_subscriptions SET previous_secret_sealed = NULL, previous_secret_until = NULL
       WHERE previous_secret_until <= app_now() RETURNING id`,
    );
    return wiped.length;
  }

  /**
   * Marks a subscription as deleted, wipes its secrets and ends its lane: from the commit on nothing
   * more is read of it, what a sender holds at this moment is void, and what waits is shown as
   * cancelled. `DeliveryUpkeep` takes that out of the queue afterwards: see docs/adr/0015.
   * @returns null when there was no such subscription; else whether a sender held its lane, or a test
   *   had just read it, and may start to send for `GOOD_FOR_MS` what was read before
   */
  async delete(tx: Tx, partnerId: string, id: string): Promise<{ wasHeld: boolean } | null> {
    if (!SUBSCRIPTION_ID.test(id)) return null;
    const deleted = await tx.execute(
      `UPDATE webhook_subscriptions SET deleted_at = app_now(), secret_sealed = NULL,
         previous_secret_sealed = NULL, previous_secret_until = NULL
       WHERE partner_id = $1 AND id = $2 AND deleted_at IS NULL`,
      [partnerId, id],
    );
    if (deleted === 0) return null;
    // A lease that has run out may be that of a sender that was stopped and goes on.
    const [lane] = await tx.query<{ wasHeld: boolean }>(
      `DELETE FROM webhook_lanes WHERE subscription_id = $1
       RETURNING lease_until IS NOT NULL OR coalesce(tested_at > app_now() - interval '1 second', false)
         AS "wasHeld"`,
      [id],
    );
    return lane;
  }
}

const SELECT = `
  SELECT s.id, s.url, s.events, l.is_active AS "isActive", l.failure_count AS "failureCount",
    l.last_delivery_at AS "lastDeliveryAt"
  FROM webhook_subscriptions s JOIN webhook_lanes l ON l.subscription_id = s.id
  WHERE s.partner_id = $1 AND s.deleted_at IS NULL`;
