import { Get, Param, Post, Query, Req } from '@nestjs/common';
import { CurrentPartner, type PartnerIdentity, Scoped } from '../../auth/index.js';
import {
  Fault,
  ignoredParameters,
  missingOr,
  parseIsoInstant,
  parseJsonBody,
  PartnerApi,
  type RawRequest,
  validationFault,
} from '../../platform/index.js';
import { DeliveriesService, RecoverDeliveries, REDELIVERY_REFUSALS } from './deliveries.service.js';
import { type SubscriptionView, subscriptionView } from '../subscriptions/subscription-view.js';
import { SubscriptionsRepository } from '../store/subscriptions.repository.js';
import {
  DeliveriesQuery,
  DisableWebhookCall,
  EnableWebhookCall,
  ListDeliveriesCall,
  readDeliveriesQuery,
  RecoverDeliveriesCall,
  RedeliverCall,
  TestWebhookCall,
} from './deliveries.api.js';
import type {
  DeliveryPage,
  DeliveryView,
  RecoveredDeliveries,
  RedeliveredDelivery,
  TestResult,
} from './delivery-views.js';
import { SubscriptionActivation } from '../subscriptions/subscription-changes.service.js';
import {
  type DeliveryRow,
  PartnerDeliveriesRepository,
} from '../store/partner-deliveries.repository.js';
import { TestSubscription } from '../subscriptions/test-subscription.service.js';

const INSTANT_PROBLEM = 'must be an ISO 8601 date-time with its offset';

@PartnerApi('webhooks')
export class DeliveriesController {
  constructor(
    private readonly subscriptions: SubscriptionsRepository,
    private readonly partnerDeliveries: PartnerDeliveriesRepository,
    private readonly deliveries: DeliveriesService,
    private readonly activation: SubscriptionActivation,
    private readonly testing: TestSubscription,
    private readonly recovery: RecoverDeliveries,
  ) {}

  @EnableWebhookCall
  @Post(':subscriptionId/enable')
  @Scoped('webhooks:manage')
  async enable(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @Param('subscriptionId') subscriptionId: string,
  ): Promise<SubscriptionView> {
    return subscriptionView(await this.activation.enable(partnerId, subscriptionId));
  }

  @DisableWebhookCall
  @Post(':subscriptionId/disable')
  @Scoped('webhooks:manage')
  async disable(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @Param('subscriptionId') subscriptionId: string,
  ): Promise<SubscriptionView> {
    return subscriptionView(await this.activation.disable(partnerId, subscriptionId));
  }

  @TestWebhookCall
  @Post(':subscriptionId/test')
  @Scoped('webhooks:manage')
  test(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @Param('subscriptionId') subscriptionId: string,
  ): Promise<TestResult> {
    return this.testing.test(partnerId, subscriptionId);
  }

  @ListDeliveriesCall
  @Get(':subscriptionId/deliveries')
  @Scoped('webhooks:manage')
  async list(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @Param('subscriptionId') subscriptionId: string,
    @Query() parameters: Record<string, unknown>,
  ): Promise<DeliveryPage> {
    await this.mustExist(partnerId, subscriptionId);
    const query = readDeliveriesQuery(parameters);
    const { rows, nextBefore } = await this.partnerDeliveries.list(
      partnerId,
      subscriptionId,
      query,
    );
    const ignored = ignoredParameters(parameters, DeliveriesQuery);
    return { deliveries: rows.map(viewOf), nextBefore, ...ignored };
  }

  @RedeliverCall
  @Post(':subscriptionId/deliveries/:deliveryId/redeliver')
  @Scoped('webhooks:manage')
  async redeliver(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @Param('subscriptionId') subscriptionId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<RedeliveredDelivery> {
    await this.mustExist(partnerId, subscriptionId);
    const result = await this.deliveries.redeliver(deliveryId, { partnerId, subscriptionId });
    if (result !== 'DUE') throw new Fault(REDELIVERY_REFUSALS[result]);
    return { deliveryId };
  }

  @RecoverDeliveriesCall
  @Post(':subscriptionId/recover')
  @Scoped('webhooks:manage')
  async recover(
    @CurrentPartner() { partnerId }: PartnerIdentity,
    @Param('subscriptionId') subscriptionId: string,
    @Req() request: RawRequest,
  ): Promise<RecoveredDeliveries> {
    // The owner is checked before the body.
    await this.mustExist(partnerId, subscriptionId);
    const { since } = parseJsonBody(request.rawBody, request.headers);
    const instant = typeof since === 'string' ? parseIsoInstant(since.trim()) : null;
    if (!instant) {
      throw validationFault([{ field: 'since', message: missingOr(since, INSTANT_PROBLEM) }]);
    }
    return this.recovery.recover(partnerId, subscriptionId, instant);
  }

  private async mustExist(partnerId: string, subscriptionId: string): Promise<void> {
    const subscription = await this.subscriptions.find(partnerId, subscriptionId);
    if (!subscription) throw new Fault('subscription_not_found');
  }
}

function viewOf(row: DeliveryRow): DeliveryView {
  const { id, createdAt, nextAttemptAt, attempts } = row;
  return {
    deliveryId: id,
    eventId: row.eventId,
    event: row.event,
    journeyId: row.journeyId,
    status: row.status,
    createdAt: createdAt.toISOString(),
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    attempts: attempts.map((attempt) => ({
      ...attempt,
      startedAt: new Date(attempt.startedAt).toISOString(),
    })),
  };
}
