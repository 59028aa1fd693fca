export { ALERT_VIEWS } from './alerts/alert-views.js';
export { type AlertEvent, AlertsRepository } from './store/alerts.repository.js';
export { LeadEventView, WebhookEventView, WebhookTestEventView } from './events/events.api.js';
export {
  DeliveriesService,
  RecoverDeliveries,
  type Redelivery,
  REDELIVERY_REFUSALS,
} from './deliveries/deliveries.service.js';
export type { TestResult } from './deliveries/delivery-views.js';
export {
  type DeliveryRow,
  PartnerDeliveriesRepository,
} from './store/partner-deliveries.repository.js';
export { RegisterSubscription } from './subscriptions/register-subscription.service.js';
export {
  RotateSecret,
  SubscriptionActivation,
} from './subscriptions/subscription-changes.service.js';
export { TestSubscription } from './subscriptions/test-subscription.service.js';
export {
  DELIVERY_ID,
  type DeliveriesFilter,
  type DeliverySummary,
  WEBHOOK_ENTITIES,
  WEBHOOKS_KEPT,
} from './store/deliveries.repository.js';
export {
  type DeliveryTry,
  type EventDelivery,
  EventHistories,
  type EventHistory,
  type JourneyEvent,
} from './store/event-histories.js';
export { type Subscription, SubscriptionsRepository } from './store/subscriptions.repository.js';
export { EventPublisher, type LeadChange, type PublishedEvent } from './events/event-publisher.js';
export { EventsModule } from './events/events.module.js';
export { eventRecord, type OutgoingEvent } from './store/events.repository.js';
export {
  ALERT_KINDS,
  type AlertName,
  DELIVERY_STATUSES,
  type DeliveryStatus,
  EVENT_KINDS,
  EVENT_NAMES,
  LEAD_EVENT,
  TEST_EVENT,
  WEBHOOK_EVENTS,
  type WebhookEventName,
} from './domain/webhook-events.js';
export { WebhooksModule } from './webhooks.module.js';
