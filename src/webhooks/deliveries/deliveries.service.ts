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

export type Redelivery =
  /** The sender picks it up within a second. */
  | 'DUE'
  | 'NOT_FOUND'
  /** Not finished: in progress, or waiting for its subscription. */
  | 'OPEN'
  | 'SUBSCRIPTION_DELETED'
  | 'SUBSCRIPTION_INACTIVE';

export const REDELIVERY_REFUSALS: Record<Exclude<Redelivery, 'DUE'>, ErrorCode> = {
  NOT_FOUND: 'delivery_not_found',
  OPEN: 'delivery_not_finished',
  SUBSCRIPTION_DELETED: 'subscription_not_found',
  SUBSCRIPTION_INACTIVE: 'subscription_inactive',
};

/** Lists deliveries for the operator; redelivers for operators and partners. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveriesRepository,
    private readonly wakeUp: SenderWakeUp,
  ) {}

  /** Newest first. */
  list(filter: DeliveriesFilter, max: number): Promise<DeliverySummary[]> {
    return this.deliveries.list(filter, max);
  }

  /**
   * Reopens a finished delivery: an event has one per subscription. The attempt count goes on. An
   * exhausted delivery gets one more attempt, others their remaining schedule. On a failing
   * subscription it is tried next, immediately: a person waits for the result.
   * @param owner null when the operator asks
   */
  redeliver(deliveryId: string, owner: DeliveryOwner | null = null): Promise<Redelivery> {
    return this.database.transaction(async (tx) => {
      const delivery = await this.deliveries.lock(tx, deliveryId);
      if (!delivery || (owner && !isOwnedBy(delivery, owner))) return 'NOT_FOUND';
      if (delivery.isDeleted) return 'SUBSCRIPTION_DELETED';
      if (delivery.status === 'PENDING') return 'OPEN';
      if (!delivery.isActive) return 'SUBSCRIPTION_INACTIVE';
      await this.deliveries.reopen(tx, deliveryId);
      await this.deliveries.prioritise(tx, delivery.subscriptionId, deliveryId);
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

/** Redelivers permanent failures since a given time. */
@Injectable()
export class RecoverDeliveries {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly wakeUp: SenderWakeUp,
  ) {}

  /**
   * Chunks commit separately; after an interruption the same call continues. Each delivery gets one
   * more attempt.
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
