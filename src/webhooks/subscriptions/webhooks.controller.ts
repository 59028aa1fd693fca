import { Delete, Get, Param, Post } from '@nestjs/common';
import { CurrentPartner, type PartnerIdentity, Scoped } from '../../auth/index.js';
import {
  CurrentIdempotencyKey,
  type IdempotencyKey,
  type IdempotentResult,
  JsonBody,
  PartnerApi,
} from '../../platform/index.js';
import { DeleteSubscription, RotateSecret } from './subscription-changes.service.js';
import {
  type DeletedSubscription,
  type RegisteredSubscription,
  type RotatedSecret,
  type SubscriptionList,
  subscriptionView,
} from './subscription-view.js';
import { RegisterSubscription } from './register-subscription.service.js';
import { SubscriptionsRepository } from '../store/subscriptions.repository.js';
import {
  DeleteWebhookCall,
  ListWebhooksCall,
  RegisterWebhookCall,
  RotateSecretCall,
} from './webhooks.api.js';

@PartnerApi('webhooks')
export class WebhooksController {
  constructor(
    private readonly subscriptions: SubscriptionsRepository,
    private readonly registerSubscription: RegisterSubscription,
    private readonly rotateSecret: RotateSecret,
    private readonly deleteSubscription: DeleteSubscription,
  ) {}

  @RegisterWebhookCall
  @Post()
  @Scoped('webhooks:manage')
  register(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @JsonBody() body: Record<string, unknown>,
    @CurrentIdempotencyKey() idempotencyKey: IdempotencyKey | null,
  ): Promise<IdempotentResult<RegisteredSubscription>> {
    return this.registerSubscription.register(partnerId, body, idempotencyKey);
  }

  @ListWebhooksCall
  @Get()
  @Scoped('webhooks:manage')
  async list(@CurrentPartner() { partnerId }: PartnerIdentity): Promise<SubscriptionList> {
    const subscriptions = await this.subscriptions.list(partnerId);
    return { subscriptions: subscriptions.map(subscriptionView) };
  }

  @RotateSecretCall
  @Post(':subscriptionId/rotate-secret')
  @Scoped('webhooks:manage')
  rotate(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @Param('subscriptionId') subscriptionId: string,
    @CurrentIdempotencyKey() idempotencyKey: IdempotencyKey | null,
  ): Promise<IdempotentResult<RotatedSecret>> {
    return this.rotateSecret.rotate(partnerId, subscriptionId, idempotencyKey);
  }

  @DeleteWebhookCall
  @Delete(':subscriptionId')
  @Scoped('webhooks:manage')
  delete(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @Param('subscriptionId') subscriptionId: string,
  ): Promise<DeletedSubscription> {
    return this.deleteSubscription.delete(partnerId, subscriptionId);
  }
}
