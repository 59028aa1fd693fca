import { ApiProperty } from '@nestjs/swagger';
import {
  type FieldProblem,
  PartnerCall,
  ShownTime,
  validationFault,
} from '../../platform/index.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../domain/webhook-events.js';
import { DELIVERY_ID } from '../store/deliveries.repository.js';
import type { DeliveriesPageQuery } from '../store/partner-deliveries.repository.js';
import { SubscriptionView } from '../subscriptions/subscription-view.js';
import {
  DeliveryPage,
  RecoveredDeliveries,
  RedeliveredDelivery,
  TestResult,
} from './delivery-views.js';
import { PageLimit, readLimit } from '../page-limit.js';

const MAX_A_PAGE = 50;

export class DeliveriesQuery {
  @ApiProperty({
    required: false,
    type: 'string',
    enum: [...DELIVERY_STATUSES],
    description:
      'Only deliveries of this status. A page searches at most 10,000 deliveries, so it can be short.',
  })
  status?: string;

  @ApiProperty({
    required: false,
    type: 'string',
    pattern: DELIVERY_ID.source,
    description: 'Deliveries older than this one: `nextBefore` of the previous page.',
  })
  before?: string;

  @PageLimit(MAX_A_PAGE, 'Deliveries on a page.')
  limit?: number;
}

/** @throws Fault validation_failed naming every bad parameter */
export function readDeliveriesQuery(parameters: Record<string, unknown>): DeliveriesPageQuery {
  const { status, before, limit } = { ...parameters };
  const problems: FieldProblem[] = [];
  const isStatus = DELIVERY_STATUSES.some((one) => one === status);
  if (status !== undefined && !isStatus) {
    problems.push({ field: 'status', message: `must be one of ${DELIVERY_STATUSES.join(', ')}` });
  }
  const isBefore = typeof before === 'string' && DELIVERY_ID.test(before);
  if (before !== undefined && !isBefore) {
    problems.push({ field: 'before', message: 'must be the id of a delivery' });
  }
  const size = readLimit(limit, MAX_A_PAGE, problems);
  if (problems.length > 0) throw validationFault(problems);
  return {
    status: isStatus ? (status as DeliveryStatus) : null,
    before: isBefore ? before : null,
    limit: size,
  };
}

class RecoveryBody {
  @ShownTime('Deliveries of events from this time on: a date-time with its offset.')
  since: string;
}

export const EnableWebhookCall = PartnerCall({
  operationId: 'enableWebhook',
  summary: 'Enable a webhook',
  description:
    'Sends to an inactive subscription again, starting with its waiting events, and resets its failure ' +
    'count. For an active subscription it triggers an attempt now.',
  answer: SubscriptionView,
});

export const DisableWebhookCall = PartnerCall({
  operationId: 'disableWebhook',
  summary: 'Disable a webhook',
  description:
    'Pauses a subscription: no post starts after the response, except of `POST /webhooks/{id}/test`. Its events ' +
    'wait for 30 days, until you enable it. Disabling an inactive subscription changes nothing. No alert is sent.',
  answer: SubscriptionView,
});

export const TestWebhookCall = PartnerCall({
  operationId: 'testWebhook',
  summary: 'Test a webhook',
  description:
    'Sends a signed `webhook.test` event and returns the result, within a little ' +
    'more than 5 seconds, or 10 for a slow connection. The result does not count, and an inactive ' +
    'subscription can also be tested.',
  answer: TestResult,
});

export const ListDeliveriesCall = PartnerCall({
  operationId: 'listWebhookDeliveries',
  summary: 'List a webhook’s deliveries',
  description:
    'Sent and waiting deliveries, with every attempt. Finished deliveries are ' +
    'kept for 30 days. With `status` a page can have fewer than `limit`, or none, although there ' +
    'are more: continue with `nextBefore` until it is null.',
  answer: DeliveryPage,
  query: DeliveriesQuery,
});

export const RedeliverCall = PartnerCall({
  operationId: 'redeliverWebhook',
  summary: 'Redeliver an event',
  description: 'Sends a finished delivery again, with the same event id and the same bytes.',
  answer: RedeliveredDelivery,
  failures: ['delivery_not_finished', 'subscription_inactive'],
});

export const RecoverDeliveriesCall = PartnerCall({
  operationId: 'recoverWebhook',
  summary: 'Recover failed deliveries',
  description:
    'Sends all exhausted and cancelled deliveries since a time again, for example after an ' +
    'outage of your receiver. At most 50,000 deliveries a call.',
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
