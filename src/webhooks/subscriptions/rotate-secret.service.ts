import { Injectable } from '@nestjs/common';
import { Database, Fault } from '../../platform/index.js';
import { SubscriptionSecrets } from './subscription-secrets.js';
import { SubscriptionsRepository } from '../store/subscriptions.repository.js';

/** How long the old secret signs beside the new one in `webhook-signature`. */
const OVERLAP_HOURS = 24;

/** Gives a subscription a new signing secret. */
@Injectable()
export class RotateSecret {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly secrets: SubscriptionSecrets,
  ) {}

  /**
   * @returns the new secret, which is shown this once
   * @throws Fault subscription_not_found
   */
  async rotate(partnerId: string, subscriptionId: string): Promise<{ secret: string }> {
    const { secret, sealed } = this.secrets.make();
    const isRotated = await this.database.transaction((tx) =>
      this.subscriptions.rotateSecret(tx, partnerId, subscriptionId, {
        sealed,
        overlapHours: OVERLAP_HOURS,
      }),
    );
    if (!isRotated) throw new Fault('subscription_not_found');
    return { secret };
  }
}
