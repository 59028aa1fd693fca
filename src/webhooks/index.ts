export { WebhookEventView, WebhookTestEventView } from './event-view.js';
export {
  type DeliveriesFilter,
  DeliveryDesk,
  type DeliverySummary,
  type Redelivery,
} from './delivery-desk.js';
export { EventsModule } from './events.module.js';
export { EventPublisher } from './event-publisher.js';
export type { EventNextAction, PublishedEvent } from './published-event.js';
export { WEBHOOK_ENTITIES } from './store/webhook-entities.js';
export { TEST_EVENT, WEBHOOK_EVENTS, type WebhookEventName } from './webhook-events.js';
export { WebhooksModule } from './webhooks.module.js';
export { DELIVERY_STATUSES, type DeliveryStatus } from './store/webhook-delivery.entity.js';
