import { Injectable, Logger } from '@nestjs/common';
import { Database, Tx } from '../platform/index.js';
import type { EventSubject, GatewayEvent, GatewayKind, PaymentGateway } from './payment-gateway.js';
import { PaymentLedger } from './payment-ledger.js';
import type { PaymentOrder } from './store/payment-order.entity.js';
import { PaymentsRepository } from './store/payments.repository.js';
import { PaymentOrdersRepository } from './store/payment-orders.repository.js';

type OurEvent = GatewayEvent & { readonly about: EventSubject };

/** Takes verified callbacks in: each event once, and all that it brings about in one transaction. */
@Injectable()
export class PaymentCallbacks {
  private readonly logger = new Logger(PaymentCallbacks.name);

  constructor(
    private readonly database: Database,
    private readonly orders: PaymentOrdersRepository,
    private readonly payments: PaymentsRepository,
    private readonly ledger: PaymentLedger,
  ) {}

  async take({ kind }: PaymentGateway, event: GatewayEvent): Promise<void> {
    if (!isOurs(event)) return;
    await this.database.transaction(async (tx) => {
      const order = await this.findOrder(tx, kind, event.about);
      if (!order) {
        // The operator may sell other things through the same account: that is not a mistake.
        this.logger.warn({ msg: 'a callback about no order of ours', event: event.name });
        return;
      }
      if (await this.isNew(tx, kind, event, order)) await this.apply(tx, order, event.about);
    });
  }

  private async apply(tx: Tx, order: PaymentOrder, { state }: EventSubject): Promise<void> {
    if (state) await this.ledger.apply(tx, order, state, 'CALLBACK');
    // What it does not say in full the gateway is asked for.
    else await this.orders.nudge(tx, order.id);
  }

  private async findOrder(
    tx: Tx,
    kind: GatewayKind,
    { orderId, gatewayOrderId }: EventSubject,
  ): Promise<PaymentOrder | null> {
    const byOurs = orderId === null ? null : await this.orders.lock(tx, orderId);
    if (!byOurs)
      return gatewayOrderId === null ? null : this.orders.lockByGatewayId(tx, kind, gatewayOrderId);
    // Another gateway has no say over this one's orders.
    if (byOurs.gateway !== kind) return null;
    // What names one order and the page of another is about neither.
    const isNewPage = gatewayOrderId !== null && byOurs.gatewayOrderId === null;
    const isMixed = isNewPage && (await this.orders.hasGatewayId(tx, kind, gatewayOrderId));
    return isMixed ? null : byOurs;
  }

  private isNew(
    tx: Tx,
    gateway: GatewayKind,
    { eventId, name }: GatewayEvent,
    { id: orderId, partnerId, subjectId }: PaymentOrder,
  ): Promise<boolean> {
    const callback = { gateway, eventId, name, partnerId, subjectId, orderId };
    return this.payments.recordCallback(tx, callback);
  }
}

function isOurs(event: GatewayEvent): event is OurEvent {
  return event.about !== null;
}
