import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import {
  asPlainText,
  Clock,
  enteredIn,
  Fault,
  FormPost,
  type Page,
  SeeOther,
  validationFault,
} from '../../platform/index.js';
import {
  DeliveriesService,
  DELIVERY_STATUSES,
  type DeliveryRow,
  EventHistories,
  PartnerDeliveriesRepository,
  RecoverDeliveries,
  REDELIVERY_REFUSALS,
  type Subscription,
  SubscriptionActivation,
  SubscriptionsRepository,
  type TestResult,
  TestSubscription,
  WEBHOOK_EVENTS,
} from '../../webhooks/index.js';
import { NeedsWorkbenchScope, SignedIn, Visitor } from '../access/signed-in.js';
import type { WorkbenchVisitor } from '../access/workbench-visitors.js';
import { explained } from '../guide/guide.js';
import {
  address,
  choice,
  counted,
  dateTimeField,
  options,
  parameter,
  readDateTimeField,
  stamp,
  workbenchPage,
} from './workbench-page.js';

const LIST = '/workbench/webhooks';
const DELIVERIES_A_PAGE = 20;
const DELIVERY_ID = /^dlv_[0-9a-f]{32}$/;
const DAY_MS = 86_400_000;

type GivenQuery = Record<string, unknown>;

@Controller('workbench/webhooks')
@SignedIn()
@NeedsWorkbenchScope('webhooks:manage')
export class WorkbenchWebhooksController {
  constructor(
    private readonly subscriptions: SubscriptionsRepository,
    private readonly partnerDeliveries: PartnerDeliveriesRepository,
    private readonly histories: EventHistories,
    private readonly deliveries: DeliveriesService,
    private readonly testing: TestSubscription,
    private readonly activation: SubscriptionActivation,
    private readonly recovery: RecoverDeliveries,
    private readonly clock: Clock,
  ) {}

  @Get()
  async list(@Visitor() visitor: WorkbenchVisitor): Promise<Page> {
    const subscriptions = await this.subscriptions.list(visitor.partnerId);
    return workbenchPage(visitor, 'webhooks', 'webhooks', {
      title: 'Webhooks',
      subscriptions: subscriptions.map(shownSubscription),
    });
  }

  @Get(':subscriptionId')
  async show(
    @Visitor() visitor: WorkbenchVisitor,
    @Param('subscriptionId') id: string,
    @Query() query: GivenQuery,
  ): Promise<Page> {
    const recovered = /^\d{1,5}$/.exec(parameter(query, 'recovered') ?? '')?.[0];
    return this.page(visitor, await this.own(visitor, id), query, {
      isEnabled: parameter(query, 'done') === 'enabled',
      recovered: recovered === undefined ? null : dueAgain(Number(recovered)),
    });
  }

  @Get(':subscriptionId/deliveries/:deliveryId')
  async delivery(
    @Visitor() visitor: WorkbenchVisitor,
    @Param('subscriptionId') id: string,
    @Param('deliveryId') deliveryId: string,
    @Query() query: GivenQuery,
  ): Promise<Page> {
    const subscription = await this.own(visitor, id);
    const isId = DELIVERY_ID.test(deliveryId);
    const found = isId ? await this.histories.delivery(visitor.partnerId, id, deliveryId) : null;
    if (!found) throw new Fault('delivery_not_found');
    return workbenchPage(visitor, 'webhooks', 'delivery', {
      title: `Delivery ${deliveryId}`,
      subscription: shownSubscription(subscription),
      delivery: { ...shownDelivery(found), body: found.body },
      mayRedeliver: found.status !== 'PENDING' && found.status !== 'PAUSED',
      isRedelivered: parameter(query, 'done') === 'redelivered',
    });
  }

  /** Reloading the page repeats the test, which is harmless. */
  @FormPost(':subscriptionId/test')
  async test(
    @Visitor() visitor: WorkbenchVisitor,
    @Param('subscriptionId') id: string,
  ): Promise<Page> {
    const subscription = await this.own(visitor, id);
    const result = await this.testing.test(visitor.partnerId, id);
    return this.page(visitor, subscription, {}, { tested: shownTest(result) });
  }

  @FormPost(':subscriptionId/enable')
  async enable(
    @Visitor() visitor: WorkbenchVisitor,
    @Param('subscriptionId') id: string,
  ): Promise<SeeOther> {
    await this.activation.enable(visitor.partnerId, id);
    return new SeeOther(address(`${LIST}/${id}`, { done: 'enabled' }));
  }

  @FormPost(':subscriptionId/recover')
  async recover(
    @Visitor() visitor: WorkbenchVisitor,
    @Param('subscriptionId') id: string,
    @Req() request: Request,
  ): Promise<SeeOther> {
    await this.own(visitor, id);
    const since = readDateTimeField(enteredIn(request).since ?? '');
    if (!since) throw validationFault([{ field: 'since', message: 'must be a date and time' }]);
    const { recovered } = await this.recovery.recover(visitor.partnerId, id, since);
    return new SeeOther(address(`${LIST}/${id}`, { recovered: String(recovered) }));
  }

  @FormPost(':subscriptionId/deliveries/:deliveryId/redeliver')
  async redeliver(
    @Visitor() visitor: WorkbenchVisitor,
    @Param('subscriptionId') subscriptionId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<SeeOther> {
    await this.own(visitor, subscriptionId);
    const owner = { partnerId: visitor.partnerId, subscriptionId };
    const result = await this.deliveries.redeliver(deliveryId, owner);
    if (result !== 'DUE') throw new Fault(REDELIVERY_REFUSALS[result]);
    const path = `${LIST}/${subscriptionId}/deliveries/${deliveryId}`;
    return new SeeOther(address(path, { done: 'redelivered' }));
  }

  private async own({ partnerId }: WorkbenchVisitor, id: string): Promise<Subscription> {
    const subscription = await this.subscriptions.find(partnerId, id);
    if (!subscription) throw new Fault('subscription_not_found');
    return subscription;
  }

  private async page(
    visitor: WorkbenchVisitor,
    subscription: Subscription,
    query: GivenQuery,
    extra: object,
  ): Promise<Page> {
    const { id } = subscription;
    const path = `${LIST}/${id}`;
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

function dueAgain(count: number): string {
  return `${counted(count, 'delivery', 'deliveries')} ${count === 1 ? 'is' : 'are'}`;
}

function shownSubscription(subscription: Subscription) {
  const { id, url, events, isActive, failureCount, lastDeliveryAt } = subscription;
  return {
    id,
    url,
    events: events?.join(', ') ?? `all ${WEBHOOK_EVENTS.length} of journeys`,
    isActive,
    failureCount,
    lastDeliveryAt: lastDeliveryAt && stamp(lastDeliveryAt),
    href: `/workbench/webhooks/${id}`,
  };
}

function shownDelivery(row: DeliveryRow) {
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

function shownTest(result: TestResult) {
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
