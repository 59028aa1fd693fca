import { Injectable, Logger } from '@nestjs/common';
import { attempt, Database, Fault } from '../platform/index.js';
import { DeliveryUpkeep } from './delivery-upkeep.repository.js';
import { SubscriptionsRepository } from './subscriptions.repository.js';

const MOST_AT_ONCE = 1_000;

/** Ends a subscription: nothing more is sent to its address. */
@Injectable()
export class DeleteSubscription {
  private readonly logger = new Logger(DeleteSubscription.name);

  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly upkeep: DeliveryUpkeep,
  ) {}

  /**
   * What waited for it is cancelled with the commit, for whoever looks. A first chunk leaves the
   * queue here, the rest by `WebhooksTasks.reconcile`, as all of it does when that fails.
   * @throws Fault subscription_not_found
   */
  async delete(partnerId: string, subscriptionId: string): Promise<{ deleted: true }> {
    const isDeleted = await this.database.transaction((tx) =>
      this.subscriptions.delete(tx, partnerId, subscriptionId),
    );
    if (!isDeleted) throw new Fault('subscription_not_found');
    await attempt(this.logger, async () => {
      await this.upkeep.cancelDeleted(subscriptionId, MOST_AT_ONCE);
    });
    return { deleted: true };
  }
}
