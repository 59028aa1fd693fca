import { Injectable } from '@nestjs/common';
import {
  Database,
  type Environment,
  Fault,
  Idempotency,
  type IdempotencyKey,
  type IdempotentResult,
  IdGenerator,
  InjectEnvironment,
  type Tx,
} from '../../platform/index.js';
import type { RegisteredSubscription } from './subscription-view.js';
import { readWebhookRegistration, type WebhookRegistration } from './webhook-registration.js';
import { SubscriptionSecrets } from './subscription-secrets.js';
import { SubscriptionsRepository } from '../store/subscriptions.repository.js';
import { ServiceSettings } from '../../settings/index.js';

/** Registers a webhook. A second one with the same URL gets a warning. */
@Injectable()
export class RegisterSubscription {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly secrets: SubscriptionSecrets,
    private readonly settings: ServiceSettings,
    private readonly ids: IdGenerator,
    private readonly idempotency: Idempotency,
    @InjectEnvironment private readonly environment: Environment,
  ) {}

  /**
   * @returns the id and the secret, repeated only under the same idempotency key
   * @throws Fault validation_failed, subscription_limit_reached, and those of `Idempotency.once`
   */
  async register(
    partnerId: string,
    body: Record<string, unknown>,
    idempotencyKey: IdempotencyKey | null,
  ): Promise<IdempotentResult<RegisteredSubscription>> {
    const registration = readWebhookRegistration(body, this.environment.isLoopback);
    const { webhookSubscriptionsPerPartner: max } = await this.settings.operating();
    const { slug } = await this.settings.brand();
    const call = { partnerId, operation: 'webhooks', idempotencyKey };
    return this.database.transaction((tx) =>
      this.idempotency.once(tx, call, async () => {
        const { subscriptionId, secret, sameUrlId } = await this.insert(
          tx,
          partnerId,
          registration,
          max,
        );
        const warning = sameUrlId && warningOf(sameUrlId, slug);
        return { subscriptionId, secret, warning };
      }),
    );
  }

  private async insert(
    tx: Tx,
    partnerId: string,
    { url, events }: WebhookRegistration,
    max: number,
  ): Promise<RegisteredSubscription & { sameUrlId?: string }> {
    const existing = await this.subscriptions.lockAll(tx, partnerId);
    if (existing.length >= max) {
      throw new Fault('subscription_limit_reached', {
        message: `Webhook subscription limit reached (${max}); delete one first`,
      });
    }
    const { secret, sealed: secretSealed } = this.secrets.make();
    const id = this.ids.next('sub');
    await this.subscriptions.insert(tx, { id, partnerId, url, events, secretSealed });
    const sameUrlId = existing.find((other) => isSameUrl(other.url, url))?.id;
    return { subscriptionId: id, secret, sameUrlId };
  }
}

function warningOf(otherId: string, slug: string): string {
  return `${otherId} has the same url. An event of both is sent twice; x-${slug}-subscription-id names the subscription.`;
}

function isSameUrl(one: string, other: string): boolean {
  return URL.parse(one)?.href === URL.parse(other)?.href;
}
