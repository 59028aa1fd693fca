import { Injectable } from '@nestjs/common';
import { Database, Fault, IdGenerator } from '../../platform/index.js';
import type { WebhookRegistration } from './webhook-registration.js';
import { SubscriptionSecrets } from './subscription-secrets.js';
import { SubscriptionsRepository } from '../store/subscriptions.repository.js';
import { ServiceSettings } from '../../settings/index.js';

/** Registers an address for events. The same address twice is fine: two subscriptions. */
@Injectable()
export class RegisterSubscription {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly secrets: SubscriptionSecrets,
    private readonly settings: ServiceSettings,
    private readonly ids: IdGenerator,
  ) {}

  /**
   * @returns the id, and the secret, which is shown this once
   * @throws Fault subscription_limit_reached
   */
  async register(
    partnerId: string,
    registration: WebhookRegistration,
  ): Promise<{ subscriptionId: string; secret: string }> {
    const { webhookSubscriptionsPerPartner: most } = await this.settings.operating();
    const { secret, sealed } = this.secrets.make();
    const id = this.ids.next('sub');
    await this.database.transaction(async (tx) => {
      if ((await this.subscriptions.lockAndCount(tx, partnerId)) >= most) {
        throw new Fault('subscription_limit_reached', {
          message: `The most webhook subscriptions that a partner may have (${most}) are registered`,
        });
      }
      const { url, events } = registration;
      await this.subscriptions.insert(tx, { id, partnerId, url, events, secretSealed: sealed });
    });
    return { subscriptionId: id, secret };
  }
}
