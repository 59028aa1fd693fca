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
import { READS_EXPIRED_AFTER_MS } from '../sender/delivery-attempt.js';
import { SenderWakeUp } from '../sender/sender-wake-up.js';
import { DeliveryUpkeepRepository } from '../store/delivery-upkeep.repository.js';
import { type Subscription, SubscriptionsRepository } from '../store/subscriptions.repository.js';
import { SubscriptionSecrets } from './subscription-secrets.js';
import type { RotatedSecret } from './subscription-view.js';

const MAX_AT_ONCE = 1_000;

@Injectable()
export class DeleteSubscription {
  private readonly logger = new Logger(DeleteSubscription.name);

  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly upkeep: DeliveryUpkeepRepository,
  ) {}

  /**
   * Open deliveries appear as cancelled from the commit. `WebhooksTasks.reconcile` empties the
   * queue. Returns when no sender can start a post with data read earlier.
   * @throws Fault subscription_not_found
   */
  async delete(partnerId: string, subscriptionId: string): Promise<{ deleted: true }> {
    const deleted = await this.database.transaction((tx) =>
      this.subscriptions.delete(tx, partnerId, subscriptionId),
    );
    if (!deleted) {
      // Another call may have deleted it just now.
      await sleep(READS_EXPIRED_AFTER_MS);
      throw new Fault('subscription_not_found');
    }
    const cleared = attempt(this.logger, async () => {
      await this.upkeep.cancelDeleted(subscriptionId, MAX_AT_ONCE);
    });
    if (deleted.wasHeld) await sleep(READS_EXPIRED_AFTER_MS);
    await cleared;
    return { deleted: true };
  }
}

@Injectable()
export class SubscriptionActivation {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly wakeUp: SenderWakeUp,
  ) {}

  /**
   * If interrupted, the upkeep or the same call makes the retries due.
   * @throws Fault subscription_not_found
   */
  async enable(partnerId: string, subscriptionId: string): Promise<Subscription> {
    const isEnabled = await this.database.transaction((tx) =>
      this.subscriptions.enable(tx, partnerId, subscriptionId),
    );
    if (!isEnabled) throw new Fault('subscription_not_found');
    // First attempts are already due.
    this.wakeUp.raise();
    await this.subscriptions.makeRetriesDue(subscriptionId);
    this.wakeUp.raise();
    return this.found(partnerId, subscriptionId);
  }

  /**
   * Open deliveries wait. Returns when no sender can start a post with data read earlier; tests
   * may.
   * @throws Fault subscription_not_found
   */
  async disable(partnerId: string, subscriptionId: string): Promise<Subscription> {
    await this.database.transaction((tx) =>
      this.subscriptions.disable(tx, partnerId, subscriptionId),
    );
    // Also if it was inactive: another call may have disabled it just now.
    await sleep(READS_EXPIRED_AFTER_MS);
    return this.found(partnerId, subscriptionId);
  }

  private async found(partnerId: string, subscriptionId: string): Promise<Subscription> {
    const subscription = await this.subscriptions.find(partnerId, subscriptionId);
    if (!subscription) throw new Fault('subscription_not_found');
    return subscription;
  }
}

const MAX_ROTATIONS_A_DAY = 10;

@Injectable()
export class RotateSecret {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly secrets: SubscriptionSecrets,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * Returns when no sender signs with only the old secret.
   * @returns the new secret, repeated only under the same idempotency key
   * @throws Fault subscription_not_found, rotation_limit_reached, and those of `Idempotency.once`
   */
  async rotate(
    partnerId: string,
    subscriptionId: string,
    idempotencyKey: IdempotencyKey | null,
  ): Promise<IdempotentResult<RotatedSecret>> {
    // The id may contain a NUL, which PostgreSQL cannot store.
    const operation = `webhooks/${encodeURIComponent(subscriptionId)}/rotate-secret`;
    const rotated = await this.database.transaction((tx) =>
      this.idempotency.once(tx, { partnerId, operation, idempotencyKey }, async () => {
        const rotations = await this.subscriptions.lockSecrets(tx, partnerId, subscriptionId);
        if (!rotations) throw new Fault('subscription_not_found');
        if (rotations.replaced >= MAX_ROTATIONS_A_DAY) {
          const retryAfterSeconds = rotations.secondsUntilNext;
          throw new Fault('rotation_limit_reached', { retryAfterSeconds });
        }
        const { secret, sealed } = this.secrets.make();
        await this.subscriptions.rotateSecret(tx, subscriptionId, sealed);
        return { secret };
      }),
    );
    if (!rotated.isReplayed) await sleep(READS_EXPIRED_AFTER_MS);
    return rotated;
  }
}
