import { Module } from '@nestjs/common';
import { AttemptRecords } from './attempt-records.repository.js';
import { DeleteSubscription } from './delete-subscription.service.js';
import { DeliveryAttempt } from './delivery-attempt.js';
import { DeliveryClaims } from './delivery-claims.repository.js';
import { DeliverySender } from './delivery-sender.js';
import { DeliveryUpkeep } from './delivery-upkeep.repository.js';
import { EventsModule } from './events.module.js';
import { RegisterSubscription } from './register-subscription.service.js';
import { RotateSecret } from './rotate-secret.service.js';
import { SubscriptionSecrets } from './subscription-secrets.js';
import { SubscriptionsRepository } from './subscriptions.repository.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksTasks } from './webhooks.tasks.js';

/** Who wants to be told of events, the events, and the way there. */
@Module({
  imports: [EventsModule],
  controllers: [WebhooksController],
  providers: [
    SubscriptionsRepository,
    SubscriptionSecrets,
    RegisterSubscription,
    RotateSecret,
    DeleteSubscription,
    DeliveryClaims,
    DeliveryAttempt,
    AttemptRecords,
    DeliverySender,
    DeliveryUpkeep,
    WebhooksTasks,
  ],
  exports: [EventsModule],
})
export class WebhooksModule {}
