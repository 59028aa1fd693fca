import { Injectable } from '@nestjs/common';
import { Database, type ErrorCode, Fault } from '../../platform/index.js';
import { SenderWakeUp } from '../sender/sender-wake-up.js';
import {
  type DeliveriesFilter,
  DeliveriesRepository,
  type DeliveryOwner,
  type DeliverySummary,
} from '../store/deliveries.repository.js';
import { SubscriptionsRepository } from '../store/subscriptions.repository.js';

/** What came of the request to have a delivery sent again. */
export type Redelivery =
  /** It is due now; the sender takes it at its next look, within a second. */
  | 'DUE'
  | 'NOT_FOUND'
  /** It has not been finished: it is on its way, or waits for its subscription. */
  | 'OPEN'
  | 'SUBSCRIPTION_DELETED'
  | 'SUBSCRIPTION_INACTIVE';

/** What a partner is told of one that is not sent again. */
export const REDELIVERY_REFUSALS: Record<Exclude<Redelivery, 'DUE'>, ErrorCode> = {
  NOT_FOUND: 'delivery_not_found',
  OPEN: 'delivery_not_finished',
  SUBSCRIPTION_DELETED: 'subscription_not_found',
  SUBSCRIPTION_INACTIVE: 'subscription_inactive',
};

/** The deliveries as the operator lists them, across partners, and as both have them sent again. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveriesRepository,
    private readonly wakeUp: SenderWakeUp,
  ) {}

  /** The newest first. */
  list(filter: DeliveriesFilter, max: number): Promise<DeliverySummary[]> {
    return this.deliveries.list(filter, max);
  }

  /**
   * Has a finished delivery sent again: the same one, since an event has one delivery a
   * subscription. Its attempts count on, so one that used all of its attempts up gets one more, and
   * one that was delivered early on gets the rest of its schedule if it fails now. Somebody wants to see
   * whether it arrives, so on a subscription that fails it is the next to be tried, at once.
   * @param owner whose it must be; null: the operator asks
   */
  redeliver(deliveryId: string, owner: DeliveryOwner | null = null): Promise<Redelivery> {
    return this.database.transaction(async (tx) => {
      const delivery = await this.deliveries.lock(tx, deliveryId);
      if (!delivery || (owner && !isOwnedBy(delivery, owner))) return 'NOT_FOUND';
      if (delivery.isDeleted) return 'SUBSCRIPTION_DELETED';
      if (delivery.status === 'PENDING') return 'OPEN';
      if (!delivery.isActive) return 'SUBSCRIPTION_INACTIVE';
      await this.deliveries.sendAgain(tx, deliveryId);
      await this.deliveries.tryNext(tx, delivery.subscriptionId, deliveryId);
      tx.afterCommit(() => this.wakeUp.raise());
      return 'DUE';
    });
  }
}

function isOwnedBy(delivery: DeliveryOwner, owner: DeliveryOwner): boolean {
  return delivery.partnerId === owner.partnerId && delivery.subscriptionId === owner.subscriptionId;
}

const ROWS_A_CHUNK = 1_000;
const MAX_CHUNKS = 50;

/** Has everything sent again that failed for good on a subscription since a moment. */
@Injectable()
export class RecoverDeliveries {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly wakeUp: SenderWakeUp,
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
    const owner = { partnerId, subscriptionId };
    let recovered = 0;
    for (let chunk = 0; chunk < MAX_CHUNKS; chunk += 1) {
      const opened = await this.deliveries.recover(owner, since, ROWS_A_CHUNK);
      recovered += opened;
      if (opened > 0) this.wakeUp.raise();
      if (opened < ROWS_A_CHUNK) return { recovered, hasMore: false };
    }
    return { recovered, hasMore: true };
  }
}
