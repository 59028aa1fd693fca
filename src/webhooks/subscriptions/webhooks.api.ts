import { PartnerCall } from '../../platform/index.js';
import {
  DeletedSubscription,
  RegisteredSubscription,
  RotatedSecret,
  SubscriptionList,
} from './subscription-view.js';
import { WebhookRegistrationBody } from './webhook-registration.js';

export const RegisterWebhookCall = PartnerCall({
  operationId: 'registerWebhook',
  summary: 'Register a webhook',
  description:
    'Subscribes a URL to events. `events` empty or left out means all events of journeys, including ' +
    'future ones. Alerts on webhooks and keys are sent only if named. The signing secret is in this response and its idempotent replays. ' +
    'If the `url` is already registered, there is a `warning`.',
  answer: RegisteredSubscription,
  body: {
    type: WebhookRegistrationBody,
    examples: {
      everyEvent: {
        summary: 'Every event',
        value: { url: 'https://partner.example/hooks/loans' },
      },
      someEvents: {
        summary: 'Two events',
        value: {
          url: 'https://partner.example/hooks/loans',
          events: ['journey.completed', 'journey.rejected'],
        },
      },
    },
  },
  failures: ['subscription_limit_reached'],
  isIdempotent: true,
});

export const ListWebhooksCall = PartnerCall({
  operationId: 'listWebhooks',
  summary: 'List webhooks',
  description: 'The partner’s subscriptions with the health of their deliveries, without secrets.',
  answer: SubscriptionList,
});

export const RotateSecretCall = PartnerCall({
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate a webhook’s secret',
  description:
    'Makes a new signing secret, which is in this response and its idempotent replays. ' +
    '`webhook-signature` has a signature for every secret of the last 24 hours. A secret can be ' +
    'rotated at most ten times within 24 hours.',
  answer: RotatedSecret,
  failures: ['rotation_limit_reached'],
  isIdempotent: true,
});

export const DeleteWebhookCall = PartnerCall({
  operationId: 'deleteWebhook',
  summary: 'Delete a webhook',
  description: 'Stops sending events to its URL and cancels pending deliveries.',
  answer: DeletedSubscription,
});
