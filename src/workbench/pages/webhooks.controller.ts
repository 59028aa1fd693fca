import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import {
  enteredIn,
  Fault,
  FormPost,
  type Page,
  SeeOther,
  validationFault,
} from '../../platform/index.js';
import {
  DeliveriesService,
  DELIVERY_ID,
  EventHistories,
  RecoverDeliveries,
  REDELIVERY_REFUSALS,
} from '../../webhooks/index.js';
import { NeedsWorkbenchScope, SignedIn, Visitor } from '../access/signed-in.js';
import type { WorkbenchVisitor } from '../access/workbench-visitors.js';
import { address, counted, parameter, readDateTimeField, workbenchPage } from './workbench-page.js';
import {
  type GivenQuery,
  shownDelivery,
  shownSubscription,
  WebhookPages,
  WEBHOOKS,
} from './webhook-pages.js';

@Controller('workbench/webhooks')
@SignedIn
@NeedsWorkbenchScope('webhooks:manage')
export class WorkbenchWebhooksController {
  constructor(
    private readonly pages: WebhookPages,
    private readonly histories: EventHistories,
    private readonly deliveries: DeliveriesService,
    private readonly recovery: RecoverDeliveries,
  ) {}

  @Get()
  list(@Visitor() visitor: WorkbenchVisitor): Promise<Page> {
    return this.pages.list(visitor);
  }

  @Get(':subscriptionId')
  async show(
    @Visitor() visitor: WorkbenchVisitor,
    @Param('subscriptionId') id: string,
    @Query() query: GivenQuery,
  ): Promise<Page> {
    const recovered = /^\d{1,5}$/.exec(parameter(query, 'recovered') ?? '')?.[0];
    return this.pages.one(visitor, await this.pages.own(visitor, id), query, {
      isEnabled: parameter(query, 'done') === 'enabled',
      isDisabled: parameter(query, 'done') === 'disabled',
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
    const subscription = await this.pages.own(visitor, id);
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

  @FormPost(':subscriptionId/recover')
  async recover(
    @Visitor() visitor: WorkbenchVisitor,
    @Param('subscriptionId') id: string,
    @Req() request: Request,
  ): Promise<SeeOther> {
    await this.pages.own(visitor, id);
    const since = readDateTimeField(enteredIn(request).since ?? '');
    if (!since) throw validationFault([{ field: 'since', message: 'must be a date and time' }]);
    const { recovered } = await this.recovery.recover(visitor.partnerId, id, since);
    return new SeeOther(address(`${WEBHOOKS}/${id}`, { recovered: String(recovered) }));
  }

  @FormPost(':subscriptionId/deliveries/:deliveryId/redeliver')
  async redeliver(
    @Visitor() visitor: WorkbenchVisitor,
    @Param('subscriptionId') subscriptionId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<SeeOther> {
    await this.pages.own(visitor, subscriptionId);
    const owner = { partnerId: visitor.partnerId, subscriptionId };
    const result = await this.deliveries.redeliver(deliveryId, owner);
    if (result !== 'DUE') throw new Fault(REDELIVERY_REFUSALS[result]);
    const path = `${WEBHOOKS}/${subscriptionId}/deliveries/${deliveryId}`;
    return new SeeOther(address(path, { done: 'redelivered' }));
  }
}

function dueAgain(count: number): string {
  return `${counted(count, 'delivery', 'deliveries')} ${count === 1 ? 'is' : 'are'}`;
}
