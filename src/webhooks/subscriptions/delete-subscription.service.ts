import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { attempt, Database, Fault } from '../../platform/index.js';
import { DeliveryUpkeepRepository } from '../store/delivery-upkeep.repository.js';
import { SETTLED_MS } from '../sender/delivery-attempt.js';
import { SubscriptionsRepository } from '../store/subscriptions.repository.js';

const MAX_AT_ONCE = 1_000;

/** Ends a subscription: nothing more is sent to its address. */
@Injectable()
export class DeleteSubscription {
  private readonly logger = new Logger(DeleteSubscription.name);

  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly upkeep: DeliveryUpkeepRepository,
  ) {}

  /**
   * What waited for it is cancelled with the commit, for whoever looks. A first chunk leaves the
   * queue here, the rest by `WebhooksTasks.reconcile`, as all of it does when that fails. Answers when
   * no sender can start to send any more what it had read before.
   * @throws Fault subscription_not_found
   */
  async delete(partnerId: string, subscriptionId: string): Promise<{ deleted: true }> {
    const deleted = await this.database.transaction((tx) =>
      this.subscriptions.delete(tx, partnerId, subscriptionId),
    );
    if (!deleted) throw new Fault('subscription_not_found');
    const cleared = attempt(this.logger, async () => {
      await this.upkeep.cancelDeleted(subscriptionId, MAX_AT_ONCE);
    });
    if (deleted.wasHeld) await sleep(SETTLED_MS);
    await cleared;
    return { deleted: true };
  }
}
