import { PartnerCall, ShownTime } from '../../platform/index.js';
import { SubscriptionView } from '../subscriptions/subscription-view.js';
import { DeliveriesQuery } from './deliveries-query.js';
import {
  DeliveryPage,
  RecoveredDeliveries,
  RedeliveredDelivery,
  TestResult,
} from './delivery-views.js';

export class RecoveryBody {
  @ShownTime('Deliveries of events from then on: a date-time with its offset.')
  since: string;
}

export const EnableWebhookCall = () =>
  PartnerCall({
    operationId: 'enableWebhook',
    summary: 'Enable a webhook',
    description:
      'Sends to an inactive subscription again, at once what has waited for it; its failures are ' +
      'forgotten. To an active one it is the wish to be tried now.',
    answer: SubscriptionView,
  });

export const TestWebhookCall = () =>
  PartnerCall({
    operationId: 'testWebhook',
    summary: 'Test a webhook',
    description:
      'Sends the address a signed `webhook.test` event and answers what came of it, within little ' +
      'more than 5 seconds, or 10 where the connection is slow. It counts for nothing, and an inactive ' +
      'subscription can be tested, too.',
    answer: TestResult,
  });

export const ListDeliveriesCall = () =>
  PartnerCall({
    operationId: 'listWebhookDeliveries',
    summary: 'List a webhook’s deliveries',
    description:
      'What was sent to the address, or waits to be, with every attempt. Finished deliveries are ' +
      'kept for 30 days. With `status` a page can hold fewer than `limit`, or none, although there ' +
      'are more: go on with `nextBefore` until it is null.',
    answer: DeliveryPage,
    query: DeliveriesQuery,
  });

export const RedeliverCall = () =>
  PartnerCall({
    operationId: 'redeliverWebhook',
    summary: 'Redeliver an event',
    description:
      'Sends a finished delivery once more, under the same event id and with the same bytes.',
    answer: RedeliveredDelivery,
    failures: ['delivery_not_finished', 'subscription_inactive'],
  });

export const RecoverDeliveriesCall = () =>
  PartnerCall({
    operationId: 'recoverWebhook',
    summary: 'Recover failed deliveries',
    description:
      'Sends everything once more that failed for good, or was given up, since a moment; after an ' +
      'outage of the receiver, say. At most 50,000 deliveries a call.',
    answer: RecoveredDeliveries,
    body: {
      type: RecoveryBody,
      examples: {
        sinceTheOutage: {
          summary: 'Since the outage began',
          value: { since: '2026-01-31T10:00:00Z' },
        },
      },
    },
    failures: ['subscription_inactive'],
  });
