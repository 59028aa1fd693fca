import { WebhookAlert } from './webhook-alert.entity.js';
import { WebhookAlertEmail } from './webhook-alert-email.entity.js';
import { WebhookAttempt } from './webhook-attempt.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { WebhookEvent } from './webhook-event.entity.js';
import { WebhookLane } from './webhook-lane.entity.js';
import { WebhookQueueEntry } from './webhook-queue-entry.entity.js';
import { WebhookStream } from './webhook-stream.entity.js';
import { WebhookSubscription } from './webhook-subscription.entity.js';

/** The tables of this module, for the data source. */
export const WEBHOOK_ENTITIES = [
  WebhookSubscription,
  WebhookLane,
  WebhookEvent,
  WebhookStream,
  WebhookDelivery,
  WebhookQueueEntry,
  WebhookAttempt,
  WebhookAlert,
  WebhookAlertEmail,
];
