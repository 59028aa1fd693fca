import { Module } from '@nestjs/common';
import { PartitionsModule } from '../partitions/index.js';
import { AlertEmails, AlertPublisher } from './alerts/alert-publisher.js';
import { AlertsTasks } from './alerts/alerts.tasks.js';
import { AlertEmailsRepository, AlertsRepository } from './store/alerts.repository.js';
import {
  DeleteSubscription,
  RotateSecret,
  SubscriptionActivation,
} from './subscriptions/subscription-changes.service.js';
import { DeliveryUpkeepRepository } from './store/delivery-upkeep.repository.js';
import { EventCursors } from './events/event-cursor.js';
import { EventsController, EventStream } from './events/events.controller.js';
import { EventStreamRepository } from './store/event-stream.repository.js';
import { EventHistories } from './store/event-histories.js';
import { EventsModule } from './events/events.module.js';
import { HistoryTasks, WebhooksTasks } from './webhooks.tasks.js';
import { DeliveriesController } from './deliveries/deliveries.controller.js';
import { PartnerDeliveriesRepository } from './store/partner-deliveries.repository.js';
import { RecoverDeliveries } from './deliveries/deliveries.service.js';
import { TestSubscription } from './subscriptions/test-subscription.service.js';
import { RegisterSubscription } from './subscriptions/register-subscription.service.js';
import { SENDER_PROVIDERS } from './sender/delivery-sender.js';
import { SubscriptionSecrets } from './subscriptions/subscription-secrets.js';
import { SubscriptionsRepository } from './store/subscriptions.repository.js';
import { WebhooksController } from './subscriptions/webhooks.controller.js';

@Module({
  imports: [EventsModule, PartitionsModule],
  controllers: [WebhooksController, DeliveriesController, EventsController],
  providers: [
    SubscriptionsRepository,
    EventHistories,
    SubscriptionSecrets,
    RegisterSubscription,
    RotateSecret,
    DeleteSubscription,
    SubscriptionActivation,
    TestSubscription,
    PartnerDeliveriesRepository,
    EventStreamRepository,
    EventCursors,
    EventStream,
    RecoverDeliveries,
    ...SENDER_PROVIDERS,
    DeliveryUpkeepRepository,
    WebhooksTasks,
    HistoryTasks,
    AlertsRepository,
    AlertEmailsRepository,
    AlertEmails,
    AlertPublisher,
    AlertsTasks,
  ],
  exports: [
    AlertsRepository,
    EventsModule,
    EventHistories,
    SubscriptionsRepository,
    PartnerDeliveriesRepository,
    RegisterSubscription,
    RotateSecret,
    SubscriptionActivation,
    TestSubscription,
    RecoverDeliveries,
  ],
})
export class WebhooksModule {}
