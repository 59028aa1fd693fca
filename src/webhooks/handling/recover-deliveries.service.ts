import { Injectable } from '@nestjs/common';
import { Database, Fault } from '../../platform/index.js';
import { DeliveriesDue } from '../deliveries-due.js';
import { queueAgain } from '../delivery-sql.js';
import { SubscriptionsRepository } from '../subscriptions.repository.js';

const ROWS_A_CHUNK = 1_000;
const MOST_CHUNKS = 50;

/** Has everything sent again that failed for good on a subscription since a moment. */
@Injectable()
export class RecoverDeliveries {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly due: DeliveriesDue,
  ) {}

  /**
   * Each chunk stands by itself: cut short, the same call goes on where it ended. Each delivery gets
   * one attempt more.
   * @throws Fault subscription_not_found, subscription_inactive
   */
  async recover(
    partnerId: string,
    subscriptionId: string,
    since: Date,
  ): Promise<{ recovered: number; hasMore: boolean }> {
    const subscription = await this.subscriptions.find(partnerId, subscriptionId);
    if (!subscription) throw new Fault('subscription_not_found');
    if (!subscription.isActive) throw new Fault('subscription_inactive');
    let recovered = 0;
    for (let chunk = 0; chunk < MOST_CHUNKS; chunk += 1) {
      const values = [partnerId, subscriptionId, since, ROWS_A_CHUNK];
      const opened = await this.database.query(RECOVER, values);
      recovered += opened.length;
      if (opened.length > 0) this.due.raise();
      if (opened.length < ROWS_A_CHUNK) return { recovered, hasMore: false };
    }
    return { recovered, hasMore: true };
  }
}

// The lane is looked at once more, and kept, so that a subscription deleted meanwhile gets nothing.
// Ids rise with time, so the index by subscription begins at the moment (a UUIDv7 begins with its
// milliseconds).
const RECOVER = queueAgain(`id = ANY (ARRAY(
  SELECT d.id FROM webhook_deliveries d
  WHERE d.partner_id = $1 AND d.subscription_id = $2 AND d.created_at >= $3
    AND d.id >= 'dlv_' || lpad(to_hex(
      greatest(0, extract(epoch FROM $3::timestamptz) * 1000 - 60000)::bigint), 12, '0')
    AND d.status IN ('EXHAUSTED', 'CANCELLED')
    AND EXISTS (SELECT FROM webhook_lanes l WHERE l.subscription_id = d.subscription_id
      FOR KEY SHARE)
  ORDER BY d.id LIMIT $4 FOR UPDATE OF d SKIP LOCKED))`);
