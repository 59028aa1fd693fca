import { Injectable } from '@nestjs/common';
import { asPlainText, Clock, Fault, type Page } from '../../platform/index.js';
import {
  DELIVERY_ID,
  DELIVERY_STATUSES,
  type DeliveryRow,
  EVENT_NAMES,
  PartnerDeliveriesRepository,
  type Subscription,
  SubscriptionsRepository,
  type TestResult,
  WEBHOOK_EVENTS,
} from '../../webhooks/index.js';
import type { WorkbenchVisitor } from '../access/workbench-visitors.js';
import { explained } from '../guide/guide.js';
import {
  address,
  choice,
  counted,
  dateTimeField,
  options,
  parameter,
  stamp,
  workbenchPage,
} from './workbench-page.js';

export const WEBHOOKS = '/workbench/webhooks';
const DELIVERIES_A_PAGE = 20;
const DAY_MS = 86_400_000;

export type GivenQuery = Record<string, unknown>;

/** A registration that was refused. */
interface Added {
  readonly url?: string;
  readonly wrong?: string;
  readonly events?: readonly string[];
}

@Injectable()
export class WebhookPages {
  constructor(
    private readonly subscriptions: SubscriptionsRepository,
    private readonly partnerDeliveries: PartnerDeliveriesRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws Fault subscription_not_found */
  async own({ partnerId }: WorkbenchVisitor, id: string): Promise<Subscription> {
    const subscription = await this.subscriptions.find(partnerId, id);
    if (!subscription) throw new Fault('subscription_not_found');
    return subscription;
  }

  async list(visitor: WorkbenchVisitor, added: Added = {}): Promise<Page> {
    const subscriptions = await this.subscriptions.list(visitor.partnerId);
    const { url, wrong, events: chosen = [] } = added;
    return workbenchPage(visitor, 'webhooks', 'webhooks', {
      title: 'Webhooks',
      subscriptions: subscriptions.map(shownSubscription),
      url,
      wrong,
      hasChosen: chosen.length > 0,
      events: EVENT_NAMES.map((value) => ({ value, isChosen: chosen.includes(value) })),
    });
  }

  async one(
    visitor: WorkbenchVisitor,
    subscription: Subscription,
    query: GivenQuery,
    extra: object,
  ): Promise<Page> {
    const { id } = subscription;
    const path = `${WEBHOOKS}/${id}`;
    const status = choice(query, 'status', DELIVERY_STATUSES);
    const given = parameter(query, 'before');
    const before = given !== null && DELIVERY_ID.test(given) ? given : null;
    const { rows, nextBefore } = await this.partnerDeliveries.list(visitor.partnerId, id, {
      status,
      before,
      limit: DELIVERIES_A_PAGE,
    });
    return workbenchPage(visitor, 'webhooks', 'webhook', {
      title: `Webhook ${id}`,
      subscription: shownSubscription(subscription),
      statuses: options(DELIVERY_STATUSES, status),
      deliveries: rows.map((row) => ({
        ...shownDelivery(row),
        href: `${path}/deliveries/${row.id}`,
      })),
      olderHref: nextBefore && address(path, { status, before: nextBefore }),
      newestHref: before && address(path, { status }),
      since: dateTimeField(new Date(this.clock.now().getTime() - DAY_MS)),
      ...extra,
    });
  }
}

export function shownSubscription(subscription: Subscription) {
  const { id, url, events, isActive, failureCount, lastDeliveryAt } = subscription;
  return {
    id,
    url,
    events: events?.join(', ') ?? `all ${WEBHOOK_EVENTS.length} journey events`,
    isActive,
    failureCount,
    lastDeliveryAt: lastDeliveryAt && stamp(lastDeliveryAt),
    href: `${WEBHOOKS}/${id}`,
  };
}

export function shownDelivery(row: DeliveryRow) {
  const { id, eventId, event, journeyId, status, createdAt, nextAttemptAt, attempts } = row;
  return {
    id,
    eventId,
    event,
    journeyId,
    status,
    ...explained('delivery', status),
    isBad: status === 'EXHAUSTED' || status === 'CANCELLED' || status === 'PAUSED',
    createdAt: stamp(createdAt),
    nextAttemptAt: nextAttemptAt && stamp(nextAttemptAt),
    attemptCount: counted(attempts.length, 'attempt', 'attempts'),
    attempts: attempts.map(({ startedAt, ...attempt }) => ({
      number: attempt.attempt,
      at: stamp(new Date(startedAt)),
      ...shownAnswer(attempt),
    })),
  };
}

export function shownTest(result: TestResult) {
  return { ...shownAnswer(result), isDelivered: result.isDelivered, eventId: result.eventId };
}

type Answered = Pick<TestResult, 'durationMs' | 'responseStatus' | 'responseExcerpt' | 'failure'>;

function shownAnswer({ durationMs, responseStatus, responseExcerpt, failure }: Answered) {
  const isGood = failure === null && responseStatus !== null && responseStatus < 300;
  return {
    isGood,
    outcome: failure ?? `${responseStatus}`,
    durationMs,
    excerpt: responseExcerpt && asPlainText(responseExcerpt),
    ...(isGood ? explained('delivery', 'SUCCEEDED') : explained('failure', failure ?? 'STATUS')),
  };
}
