import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { PartnerCall } from '../../platform/index.js';
import {
  DeletedSubscription,
  RegisteredSubscription,
  RotatedSecret,
  SubscriptionList,
} from './subscription-view.js';
import { WebhookRegistrationBody } from './webhook-registration.js';

export const RegisterWebhookCall = () =>
  applyDecorators(
    PartnerCall({
      operationId: 'registerWebhook',
      summary: 'Register a webhook',
      description:
        'Subscribes an address to events; `events` empty or left out means all of journeys, those ' +
        'added later too. Alerts on webhooks and keys are sent only where they are named. The signing secret is in this answer and never again.',
      answer: RegisteredSubscription,
      failures: ['malformed_json', 'validation_failed', 'subscription_limit_reached'],
    }),
    ApiExtraModels(WebhookRegistrationBody),
    ApiBody({
      required: true,
      schema: { $ref: getSchemaPath(WebhookRegistrationBody) },
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
    }),
  );

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
      'Makes a new signing secret, shown in this answer only. For 24 hours the Standard Webhooks ' +
      'signature is made with both secrets.',
    answer: RotatedSecret,
    failures: ['subscription_not_found'],
  });

export const DeleteWebhookCall = () =>
  PartnerCall({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'No further event is sent to its address; what is pending is cancelled.',
    answer: DeletedSubscription,
    failures: ['subscription_not_found'],
  });
