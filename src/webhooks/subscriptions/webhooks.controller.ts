import { Delete, Get, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentPartner, type PartnerIdentity, Scoped } from '../../auth/index.js';
import {
  CurrentIdempotencyKey,
  type IdempotencyKey,
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
  async register(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @JsonBody() body: Record<string, unknown>,
    @CurrentIdempotencyKey() idempotencyKey: IdempotencyKey | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RegisteredSubscription> {
    const result = await this.registerSubscription.register(partnerId, body, idempotencyKey);
    if (result.isReplayed) response.setHeader('Idempotency-Replayed', 'true');
    return result.answer;
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
  async rotate(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @Param('subscriptionId') subscriptionId: string,
    @CurrentIdempotencyKey() idempotencyKey: IdempotencyKey | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RotatedSecret> {
    const result = await this.rotateSecret.rotate(partnerId, subscriptionId, idempotencyKey);
    if (result.isReplayed) response.setHeader('Idempotency-Replayed', 'true');
    return result.answer;
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
