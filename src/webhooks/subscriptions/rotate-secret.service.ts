import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  Database,
  Fault,
  Idempotency,
  type IdempotencyKey,
  type IdempotentResult,
} from '../../platform/index.js';
import { SETTLED_MS } from '../sender/delivery-attempt.js';
import { SubscriptionSecrets } from './subscription-secrets.js';
import type { RotatedSecret } from './subscription-view.js';
import { SubscriptionsRepository } from '../store/subscriptions.repository.js';

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
