import { Module } from '@nestjs/common';
import { DeleteSubscription } from './delete-subscription.service.js';
import { DeliveryUpkeep } from './delivery-upkeep.repository.js';
import { EventsModule } from './events.module.js';
import { DeliveriesController } from './handling/deliveries.controller.js';
import { EnableSubscription } from './handling/enable-subscription.service.js';
import { PartnerDeliveries } from './handling/partner-deliveries.repository.js';
import { RecoverDeliveries } from './handling/recover-deliveries.service.js';
import { TestSubscription } from './handling/test-subscription.service.js';
import { RegisterSubscription } from './register-subscription.service.js';
import { RotateSecret } from './rotate-secret.service.js';
import { SENDING } from './sending/sending.providers.js';
import { SubscriptionSecrets } from './subscription-secrets.js';
import { SubscriptionsRepository } from './subscriptions.repository.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksTasks } from './webhooks.tasks.js';

/** Who wants to be told of events, the events, and the way there. */
@Module({
  imports: [EventsModule],
  controllers: [WebhooksController, DeliveriesController],
  providers: [
    SubscriptionsRepository,
    SubscriptionSecrets,
    RegisterSubscription,
    RotateSecret,
    DeleteSubscription,
    EnableSubscription,
    TestSubscription,
    PartnerDeliveries,
    RecoverDeliveries,
    ...SENDING,
    DeliveryUpkeep,
    WebhooksTasks,
  ],
  exports: [EventsModule],
})
export class WebhooksModule {}
