import { Injectable } from '@nestjs/common';
import { Database, Fault } from '../platform/index.js';
import { SubscriptionsRepository } from './subscriptions.repository.js';

/** Ends a subscription: nothing more is sent to its address. */
@Injectable()
export class DeleteSubscription {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsRepository,
  ) {}

  /** @throws Fault subscription_not_found */
  async delete(partnerId: string, subscriptionId: string): Promise<{ deleted: true }> {
    const isDeleted = await this.database.transaction((tx) =>
      this.subscriptions.delete(tx, partnerId, subscriptionId),
    );
    if (!isDeleted) throw new Fault('subscription_not_found');
    return { deleted: true };
  }
}
