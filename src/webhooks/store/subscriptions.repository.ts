import { Injectable } from '@nestjs/common';
import { IsNull, Not } from 'typeorm';
import { Columns, Database, type Tx } from '../../platform/index.js';
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

/** A subscription with its health, without its secrets. */
export type Subscription = Pick<WebhookSubscription, 'id' | 'url' | 'events'> &
  Pick<WebhookLane, 'isActive' | 'failureCount' | 'lastDeliveryAt'>;

/** Whether a secret can be replaced; at the limit, when it can be again. */
type RotationRoom = { readonly replaced: number; readonly secondsUntilNext: number };

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
       RETURNING ${columns.selected('s', ['url', 'secretSealed'])},
         s.id AS "subscriptionId", ${previousSecretsColumn('app_now()')}`,
      [partnerId, id],
    );
    return found ?? null;
  }

  /**
   * The partner's subscriptions. Until the end of the transaction no other one reads this partner's so,
   * so that two registrations at once cannot both take the last place.
   */
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

  /**
   * How often the secret was replaced in the last day; null when there is no such subscription. No
   * other transaction replaces it until this one ends.
   */
  async lockSecrets(tx: Tx, partnerId: string, id: string): Promise<RotationRoom | null> {
    if (!SUBSCRIPTION_ID.test(id)) return null;
    const [room] = await tx.query<RotationRoom>(
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
    return room ?? null;
  }

  /** Puts a new secret in force; those that it replaces sign beside it until a day after they were replaced. */
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
   * Sends again to an inactive subscription, or to one whose breaker is open. Its failures are
   * forgotten, and what waits for a retry is to be made due: `makeRetriesDue` belongs after the commit.
   * @returns whether there was such a subscription
   */
  async enable(tx: Tx, partnerId: string, id: string): Promise<boolean> {
    if (!SUBSCRIPTION_ID.test(id)) return false;
    const { affected } = await tx
      .repository(WebhookLane)
      .update(
        { partnerId, subscriptionId: id },
        { ...WORKING, isActive: true, inactiveSince: null, hasSucceeded: false },
      );
    return affected === 1;
  }

  /**
   * The subscription's address has been seen to work: if its breaker is open, it is closed, and what
   * waits for a retry is to be made due, after the commit.
   * @returns whether it was open
   */
  async closeBreaker(tx: Tx, partnerId: string, id: string): Promise<boolean> {
    const { affected } = await tx
      .repository(WebhookLane)
      .update({ partnerId, subscriptionId: id, isActive: true, probeAt: Not(IsNull()) }, WORKING);
    return affected === 1;
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

  /** Wipes the replaced secrets that sign no longer; answers on how many subscriptions. */
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
   * Marks a subscription as deleted, wipes its secrets and ends its lane: from the commit on nothing
   * more is read of it, what a sender holds at this moment is void, and what waits is shown as
   * cancelled. `DeliveryUpkeepRepository` takes that out of the queue afterwards: see docs/adr/0014.
   * @returns null when there was no such subscription; else whether a sender held its lane, or a test
   *   had just read it, and may start to send for `GOOD_FOR_MS` what was read before
   */
  async delete(tx: Tx, partnerId: string, id: string): Promise<{ wasHeld: boolean } | null> {
    if (!SUBSCRIPTION_ID.test(id)) return null;
    const { affected } = await tx.repository(WebhookSubscription).update(
      { partnerId, id, deletedAt: IsNull() },
      {
        deletedAt: () => 'app_now()',
        secretSealed: null,
        previousSecrets: [],
      },
    );
    if (affected === 0) return null;
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

/** The address works, as far as is known; what waits for a retry is to be made due. */
const WORKING = {
  failureCount: 0,
  failingSince: null,
  failsJourneyEvents: false,
  probeAt: null,
  probeWaitSeconds: null,
  drainSince: () => 'app_now()',
};

const STILL_SIGNING = `
  (SELECT coalesce(jsonb_agg(one), '[]') FROM (${previousSecrets('app_now()')}) AS one)`;

const SELECT = `
  SELECT ${columns.selected('s', ['id', 'url', 'events'])},
    ${laneColumns.selected('l', ['isActive', 'failureCount', 'lastDeliveryAt'])}
  FROM webhook_subscriptions s JOIN webhook_lanes l ON l.subscription_id = s.id
  WHERE s.partner_id = $1 AND s.deleted_at IS NULL`;
