import { ApiProperty } from '@nestjs/swagger';
import {
  type FieldProblem,
  PartnerCall,
  ShownTime,
  validationFault,
} from '../../platform/index.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../domain/webhook-events.js';
import type { DeliveriesPageQuery } from '../store/partner-deliveries.repository.js';
import { SubscriptionView } from '../subscriptions/subscription-view.js';
import {
  DeliveryPage,
  RecoveredDeliveries,
  RedeliveredDelivery,
  TestResult,
} from './delivery-views.js';

const DEFAULT_LIMIT = 20;
const MAX_A_PAGE = 50;
const DELIVERY_ID = /^dlv_[0-9a-f]{32}$/;

export class DeliveriesQuery {
  @ApiProperty({
    required: false,
    type: 'string',
    enum: [...DELIVERY_STATUSES],
    description:
      'Deliveries of this status. A page looks through 10,000 deliveries at most, so it can be short.',
  })
  status?: string;

  @ApiProperty({
    required: false,
    type: 'string',
    pattern: DELIVERY_ID.source,
    description: 'Deliveries older than this one: `nextBefore` of the page before.',
  })
  before?: string;

  @ApiProperty({
    required: false,
    type: 'integer',
    minimum: 1,
    maximum: MAX_A_PAGE,
    default: DEFAULT_LIMIT,
    description: 'Deliveries on a page.',
  })
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
  const size = limit === undefined ? DEFAULT_LIMIT : wholeNumber(limit);
  if (size < 1 || size > MAX_A_PAGE) {
    problems.push({ field: 'limit', message: `must be a whole number from 1 to ${MAX_A_PAGE}` });
  }
  if (problems.length > 0) throw validationFault(problems);
  return {
    status: isStatus ? (status as DeliveryStatus) : null,
    before: isBefore ? before : null,
    limit: size,
  };
}

/** 0 if invalid. */
function wholeNumber(value: unknown): number {
  return typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : 0;
}

class RecoveryBody {
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
