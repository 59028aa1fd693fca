import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Database, type Tx } from '../platform/index.js';
import type { WebhookEventName } from './webhook-events.js';
import { WebhookSubscription } from './webhook-subscription.entity.js';

const SUBSCRIPTION_ID = /^sub_[0-9a-f]{32}$/;

interface NewSubscription {
  readonly id: string;
  readonly partnerId: string;
  readonly url: string;
  readonly events: WebhookEventName[] | null;
  readonly secretSealed: string;
}

/** The subscriptions of a partner. Another partner's, or a deleted one, is not there. */
@Injectable()
export class SubscriptionsRepository {
  constructor(private readonly database: Database) {}

  /** The partner's subscriptions, oldest first. */
  list(partnerId: string): Promise<WebhookSubscription[]> {
    return this.database.dataSource.getRepository(WebhookSubscription).find({
      where: { partnerId, deletedAt: IsNull() },
      order: { createdAt: 'ASC', id: 'ASC' },
    });
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
      `INSERT INTO webhook_subscriptions (id, partner_id, url, events, secret_sealed, created_at)
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
   * Marks a subscription as deleted, wipes its secrets and cancels what still waits for it. What a
   * sender holds at this moment loses its row's PENDING status, and with it its right to go on.
   * @returns whether there was such a subscription
   */
  async delete(tx: Tx, partnerId: string, id: string): Promise<boolean> {
    if (!SUBSCRIPTION_ID.test(id)) return false;
    const deleted = await tx.execute(
      `UPDATE webhook_subscriptions SET deleted_at = app_now(), secret_sealed = NULL,
         previous_secret_sealed = NULL, previous_secret_until = NULL
       WHERE partner_id = $1 AND id = $2 AND deleted_at IS NULL`,
      [partnerId, id],
    );
    if (deleted === 0) return false;
    await tx.execute(
      `UPDATE webhook_deliveries
       SET status = 'CANCELLED', finished_at = app_now(), lease_until = NULL
       WHERE subscription_id = $1 AND status IN ('PENDING', 'PAUSED')`,
      [id],
    );
    return true;
  }
}
