export { ALERT_VIEWS } from './alerts/alert-views.js';
export { type AlertEvent, AlertsRepository } from './store/alerts.repository.js';
export { WebhookEventView, WebhookTestEventView } from './events/event-view.js';
export {
  DeliveriesService,
  type Redelivery,
  REDELIVERY_REFUSALS,
} from './deliveries/deliveries.service.js';
export { RecoverDeliveries } from './deliveries/recover-deliveries.service.js';
export type { TestResult } from './deliveries/delivery-views.js';
export {
  type DeliveryRow,
  PartnerDeliveriesRepository,
} from './store/partner-deliveries.repository.js';
export { EnableSubscription } from './subscriptions/enable-subscription.service.js';
export { TestSubscription } from './subscriptions/test-subscription.service.js';
export type { DeliveriesFilter, DeliverySummary } from './store/deliveries.repository.js';
export {
  type DeliveryTry,
  type EventDelivery,
  EventHistories,
  type EventHistory,
  type JourneyEvent,
} from './store/event-histories.js';
export { type Subscription, SubscriptionsRepository } from './store/subscriptions.repository.js';
export { EventsModule } from './events/events.module.js';
export { eventRecord } from './store/event.record.js';
export type { OutgoingEvent } from './store/events.repository.js';
export { EventPublisher } from './events/event-publisher.js';
export type { EventNextAction, PublishedEvent } from './events/published-event.js';
export { WEBHOOK_ENTITIES } from './store/webhook-entities.js';
export {
  ALERT_KINDS,
  ALERT_NAMES,
  type AlertName,
  EVENT_KINDS,
  EVENT_NAMES,
  TEST_EVENT,
  WEBHOOK_EVENTS,
  type WebhookEventName,
} from './domain/webhook-events.js';
export { WebhooksModule } from './webhooks.module.js';
export { DELIVERY_STATUSES, type DeliveryStatus } from './domain/delivery-status.js';
