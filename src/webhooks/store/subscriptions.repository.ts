import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { appNow, Columns, Database, type Tx } from '../../platform/index.js';
import type { SendingTarget } from './lane-claims.repository.js';
import { makeRetriesDue } from './make-retries-due.js';
import { previousSecrets, previousSecretsColumn } from './lane-claim-statements.js';
import { WebhookLane, WebhookSubscription } from './webhook-subscription.entity.js';

const columns = new Columns(WebhookSubscription);
const laneColumns = new Columns(WebhookLane);

const SUBSCRIPTION_ID = /^sub_[0-9a-f]{32}$/;

type NewSubscription = Pick<WebhookSubscription, 'id' | 'partnerId' | 'url' | 'events'> & {
  readonly secretSealed: string;
};

/** Without secrets. */
export type Subscription = Pick<WebhookSubscription, 'id' | 'url' | 'events'> &
  Pick<WebhookLane, 'isActive' | 'failureCount' | 'lastDeliveryAt'>;

/** Rotations in the last 24 hours; at the limit, the seconds until the next. */
type RotationCount = { readonly replaced: number; readonly secondsUntilNext: number };

/** A partner's subscriptions, without deleted ones. */
@Injectable()
export class SubscriptionsRepository {
  constructor(private readonly database: Database) {}

  /** Oldest first. */
  list(partnerId: string): Promise<Subscription[]> {
    return this.database.query(`${SELECT} ORDER BY s.created_at, s.id`, [partnerId]);
  }

  /** Null if the partner has no such subscription. */
  async find(partnerId: string, id: string): Promise<Subscription | null> {
    if (!SUBSCRIPTION_ID.test(id)) return null;
    return this.database.first(`${SELECT} AND s.id = $2`, [partnerId, id]);
  }

  /** Null if the partner has no such subscription. Sets `tested_at`, which `delete` reads. */
  async findForTest(partnerId: string, id: string): Promise<SendingTarget | null> {
    if (!SUBSCRIPTION_ID.test(id)) return null;
    return this.database.first(
      `UPDATE webhook_lanes l SET tested_at = app_now() FROM webhook_subscriptions s
       WHERE l.partner_id = $1 AND l.subscription_id = $2 AND s.id = l.subscription_id
       RETURNING ${columns.selected(['url', 'secretSealed'], 's')},
         s.id AS "subscriptionId", ${previousSecretsColumn('app_now()')}`,
      [partnerId, id],
    );
  }

  /** Locks registrations until the transaction ends: two cannot both take the last place. */
  async lockAll(tx: Tx, partnerId: string): Promise<Pick<WebhookSubscription, 'id' | 'url'>[]> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `webhook_subscriptions:${partnerId}`,
    ]);
    return tx.repository(WebhookSubscription).find({
      select: { id: true, url: true },
      where: { partnerId, deletedAt: IsNull() },
      order: { createdAt: 'ASC' },
    });
  }

  async insert(tx: Tx, subscription: NewSubscription): Promise<void> {
    const { id: subscriptionId, partnerId } = subscription;
    await tx.repository(WebhookSubscription).insert(subscription);
    await tx.repository(WebhookLane).insert({ subscriptionId, partnerId });
  }

  /** Locks the secrets until the transaction ends; null if there is no such subscription. */
  async lockSecrets(tx: Tx, partnerId: string, id: string): Promise<RotationCount | null> {
    if (!SUBSCRIPTION_ID.test(id)) return null;
    return tx.first(
      `SELECT replaced, ceil(extract(epoch FROM first_end - app_now()))::int AS "secondsUntilNext"
       FROM (
         SELECT * FROM webhook_subscriptions
         WHERE partner_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE
       ) AS s
       CROSS JOIN LATERAL (
         SELECT count(*)::int AS replaced, min(until) AS first_end
         FROM (${previousSecrets('app_now()')}) AS previous
       ) AS day`,
      [partnerId, id],
    );
  }

  /** Sets a new secret; replaced ones sign beside it for 24 hours. */
  async rotateSecret(tx: Tx, id: string, sealed: string): Promise<void> {
    await tx.execute(
      `UPDATE webhook_subscriptions s SET secret_sealed = $2,
         previous_secrets = jsonb_build_array(jsonb_build_object(
           'sealed', s.secret_sealed, 'until', app_now() + interval '24 hours')) || ${STILL_SIGNING}
       WHERE id = $1`,
      [id, sealed],
    );
  }

  /**
   * Also clears failures and breaker. Call `makeRetriesDue` after the commit.
   * @returns false if not found
   */
  async enable(tx: Tx, partnerId: string, id: string): Promise<boolean> {
    if (!SUBSCRIPTION_ID.test(id)) return false;
    return (
      (await tx.update(
        WebhookLane,
        { partnerId, subscriptionId: id },
        { ...WORKING, isActive: true, inactiveSince: null, hasSucceeded: false },
      )) === 1
    );
  }

  /** By the partner, so it raises no alert. Changes nothing if it is inactive or not found. */
  async disable(tx: Tx, partnerId: string, id: string): Promise<void> {
    if (!SUBSCRIPTION_ID.test(id)) return;
    await tx.update(
      WebhookLane,
      { partnerId, subscriptionId: id, isActive: true },
      { isActive: false, inactiveSince: appNow, failsJourneyEvents: false },
    );
  }

  /**
   * Call `makeRetriesDue` after the commit.
   * @returns whether the breaker was open
   */
  async closeBreaker(tx: Tx, partnerId: string, id: string): Promise<boolean> {
    return (
      (await tx.update(
        WebhookLane,
        { partnerId, subscriptionId: id, isActive: true, probeAt: Not(IsNull()) },
        WORKING,
      )) === 1
    );
  }

  /** Outside any transaction. */
  async makeRetriesDue(id: string): Promise<void> {
    await makeRetriesDue((_, sql, values) => this.database.query(sql, values), id);
  }

  /** Subscriptions whose retries are still not due after 30 seconds. */
  toDrain(): Promise<string[]> {
    return this.database.column<string>(
      `SELECT subscription_id AS id FROM webhook_lanes
       WHERE drain_since <= app_now() - interval '30 seconds' AND is_active AND probe_at IS NULL`,
    );
  }

  /** @returns the number of subscriptions changed */
  async wipePreviousSecrets(): Promise<number> {
    const wiped = await this.database.query(
      `UPDATE webhook_subscriptions s SET previous_secrets = ${STILL_SIGNING}
       WHERE EXISTS (
         SELECT FROM jsonb_to_recordset(s.previous_secrets) AS previous (until timestamptz)
         WHERE until <= app_now()
       ) RETURNING id`,
    );
    return wiped.length;
  }

  /**
   * Ends the lane: senders' results are void, and open deliveries appear as cancelled.
   * `DeliveryUpkeepRepository` empties the queue later (docs/adr/0014).
   * @returns null if not found; otherwise whether a post may still start within `READ_VALID_MS`
   */
  async delete(tx: Tx, partnerId: string, id: string): Promise<{ wasHeld: boolean } | null> {
    if (!SUBSCRIPTION_ID.test(id)) return null;
    const deleted = await tx.update(
      WebhookSubscription,
      { partnerId, id, deletedAt: IsNull() },
      {
        deletedAt: appNow,
        secretSealed: null,
        previousSecrets: [],
      },
    );
    if (deleted === 0) return null;
    // A stopped process may resume and send under an expired lease.
    const [lane] = await tx.query<{ wasHeld: boolean }>(
      `DELETE FROM webhook_lanes WHERE subscription_id = $1
       RETURNING lease_until IS NOT NULL OR coalesce(tested_at > app_now() - interval '1 second', false)
         AS "wasHeld"`,
      [id],
    );
    return lane;
  }
}

/** The retries must be made due. */
const WORKING = {
  failureCount: 0,
  failingSince: null,
  failsJourneyEvents: false,
  probeAt: null,
  probeWaitSeconds: null,
  drainSince: appNow,
};

const STILL_SIGNING = `
  (SELECT coalesce(jsonb_agg(one), '[]') FROM (${previousSecrets('app_now()')}) AS one)`;

const SELECT = `
  SELECT ${columns.selected(['id', 'url', 'events'], 's')},
    ${laneColumns.selected(['isActive', 'failureCount', 'lastDeliveryAt'], 'l')}
  FROM webhook_subscriptions s JOIN webhook_lanes l ON l.subscription_id = s.id
  WHERE s.partner_id = $1 AND s.deleted_at IS NULL`;
