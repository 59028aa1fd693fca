import { Injectable } from '@nestjs/common';
import { Database, Fault } from '../../platform/index.js';
import { SenderWakeUp } from '../sender/sender-wake-up.js';
import { type Subscription, SubscriptionsRepository } from '../store/subscriptions.repository.js';

/** Has an inactive subscription sent to again; what waited for it goes out at once. */
@Injectable()
export class EnableSubscription {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly wakeUp: SenderWakeUp,
  ) {}

  /**
   * Cut short, it has enabled the subscription; the upkeep, or the same call, goes on with what waits.
   * @returns the subscription as it is then
   * @throws Fault subscription_not_found
   */
  async enable(partnerId: string, subscriptionId: string): Promise<Subscription> {
    const isEnabled = await this.database.transaction((tx) =>
      this.subscriptions.enable(tx, partnerId, subscriptionId),
    );
    if (!isEnabled) throw new Fault('subscription_not_found');
    // What has not been tried yet is due already.
    this.wakeUp.raise();
    await this.subscriptions.makeRetriesDue(subscriptionId);
    this.wakeUp.raise();
    const subscription = await this.subscriptions.find(partnerId, subscriptionId);
    if (!subscription) throw new Fault('subscription_not_found');
    return subscription;
  }
}
