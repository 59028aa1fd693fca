import { Injectable } from '@nestjs/common';
import { Fault } from '../../platform/index.js';
import { SenderWakeUp } from '../sender/sender-wake-up.js';
import { DeliveriesRepository } from '../store/deliveries.repository.js';
import { SubscriptionsRepository } from '../store/subscriptions.repository.js';

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
