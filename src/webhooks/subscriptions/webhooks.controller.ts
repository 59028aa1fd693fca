import { Delete, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { CurrentPartner, type PartnerIdentity, Scoped } from '../../auth/index.js';
import { ENVIRONMENT, type Environment, JsonBody, PartnerApi } from '../../platform/index.js';
import { DeleteSubscription } from './delete-subscription.service.js';
import {
  type DeletedSubscription,
  type RegisteredSubscription,
  type RotatedSecret,
  type SubscriptionList,
  subscriptionView,
} from './subscription-view.js';
import { readWebhookRegistration } from './webhook-registration.js';
import { RegisterSubscription } from './register-subscription.service.js';
import { RotateSecret } from './rotate-secret.service.js';
import { SubscriptionsRepository } from '../store/subscriptions.repository.js';
import {
  DeleteWebhookCall,
  ListWebhooksCall,
  RegisterWebhookCall,
  RotateSecretCall,
} from './webhooks.api.js';

/** A partner's webhook subscriptions. */
@PartnerApi('webhooks')
export class WebhooksController {
  constructor(
    private readonly subscriptions: SubscriptionsRepository,
    private readonly registerSubscription: RegisterSubscription,
    private readonly rotateSecret: RotateSecret,
    private readonly deleteSubscription: DeleteSubscription,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  @RegisterWebhookCall()
  @Post()
  @HttpCode(200)
  @Scoped('webhooks:manage')
  register(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @JsonBody() body: Record<string, unknown>,
  ): Promise<RegisteredSubscription> {
    const registration = readWebhookRegistration(body, this.environment.isLoopback);
    return this.registerSubscription.register(partnerId, registration);
  }

  @ListWebhooksCall()
  @Get()
  @Scoped('webhooks:manage')
  async list(@CurrentPartner() { partnerId }: PartnerIdentity): Promise<SubscriptionList> {
    const subscriptions = await this.subscriptions.list(partnerId);
    return { subscriptions: subscriptions.map(subscriptionView) };
  }

  @RotateSecretCall()
  @Post(':subscriptionId/rotate-secret')
  @HttpCode(200)
  @Scoped('webhooks:manage')
  rotate(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @Param('subscriptionId') subscriptionId: string,
  ): Promise<RotatedSecret> {
    return this.rotateSecret.rotate(partnerId, subscriptionId);
  }

  @DeleteWebhookCall()
  @Delete(':subscriptionId')
  @Scoped('webhooks:manage')
  delete(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @Param('subscriptionId') subscriptionId: string,
  ): Promise<DeletedSubscription> {
    return this.deleteSubscription.delete(partnerId, subscriptionId);
  }
}
