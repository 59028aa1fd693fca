import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import {
  attempt,
  Database,
  Fault,
  Idempotency,
  type IdempotencyKey,
  type IdempotentResult,
} from '../../platform/index.js';
import { SETTLED_MS } from '../sender/delivery-attempt.js';
import { SenderWakeUp } from '../sender/sender-wake-up.js';
import { DeliveryUpkeepRepository } from '../store/delivery-upkeep.repository.js';
import { type Subscription, SubscriptionsRepository } from '../store/subscriptions.repository.js';
import { SubscriptionSecrets } from './subscription-secrets.js';
import type { RotatedSecret } from './subscription-view.js';

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

const MOST_ROTATIONS_A_DAY = 10;

/** Gives a subscription a new signing secret. */
@Injectable()
export class RotateSecret {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly secrets: SubscriptionSecrets,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * Answers when no sender signs with the old secret alone any more.
   * @returns the new secret; the same again under the same key, and otherwise never again
   * @throws Fault subscription_not_found, rotation_limit_reached, and those of `Idempotency.once`
   */
  async rotate(
    partnerId: string,
    subscriptionId: string,
    idempotencyKey: IdempotencyKey | null,
  ): Promise<IdempotentResult<RotatedSecret>> {
    // An id may come with a NUL, which no text of the database can have.
    const operation = `webhooks/${encodeURIComponent(subscriptionId)}/rotate-secret`;
    const rotated = await this.database.transaction((tx) =>
      this.idempotency.once(tx, { partnerId, operation, idempotencyKey }, async () => {
        const room = await this.subscriptions.lockSecrets(tx, partnerId, subscriptionId);
        if (!room) throw new Fault('subscription_not_found');
        if (room.replaced >= MOST_ROTATIONS_A_DAY) {
          const retryAfterSeconds = room.secondsUntilNext;
          throw new Fault('rotation_limit_reached', { retryAfterSeconds });
        }
        const { secret, sealed } = this.secrets.make();
        await this.subscriptions.rotateSecret(tx, subscriptionId, sealed);
        return { secret };
      }),
    );
    if (!rotated.isReplayed) await sleep(SETTLED_MS);
    return rotated;
  }
}
