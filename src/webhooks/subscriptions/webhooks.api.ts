import { PartnerCall } from '../../platform/index.js';
import {
  DeletedSubscription,
  RegisteredSubscription,
  RotatedSecret,
  SubscriptionList,
} from './subscription-view.js';
import { WebhookRegistrationBody } from './webhook-registration.js';

export const RegisterWebhookCall = () =>
  PartnerCall({
    operationId: 'registerWebhook',
    summary: 'Register a webhook',
    description:
      'Subscribes an address to events; `events` empty or left out means all of journeys, those ' +
      'added later too. Alerts on webhooks and keys are sent only where they are named. The signing secret is in this answer and, under its `Idempotency-Key`, in a replay. ' +
      'For a `url` that is registered already there is a `warning`.',
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

export const ListWebhooksCall = () =>
  PartnerCall({
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'The partner’s subscriptions with the health of their deliveries, never a secret.',
    answer: SubscriptionList,
  });

export const RotateSecretCall = () =>
  PartnerCall({
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate a webhook’s secret',
    description:
      'Makes a new signing secret: it is in this answer and, under its `Idempotency-Key`, in a replay. ' +
      '`webhook-signature` has a signature for every secret of the last 24 hours, at most ten. A secret can be ' +
      'rotated ten times within 24 hours.',
    answer: RotatedSecret,
    failures: ['rotation_limit_reached'],
    isIdempotent: true,
  });

export const DeleteWebhookCall = () =>
  PartnerCall({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'No further event is sent to its address; what is pending is cancelled.',
    answer: DeletedSubscription,
  });
