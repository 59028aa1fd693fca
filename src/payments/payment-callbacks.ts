import { Injectable, Logger } from '@nestjs/common';
import { Database, Tx } from '../platform/index.js';
import type { EventSubject, GatewayEvent, GatewayKind, PaymentGateway } from './payment-gateway.js';
import { PaymentLedger } from './payment-ledger.js';
import type { PaymentOrder } from './payment-order.js';
import { PaymentOrders } from './payment-orders.repository.js';

type OurEvent = GatewayEvent & { readonly about: EventSubject };

/** Takes verified callbacks in: each event once, and all that it brings about in one transaction. */
@Injectable()
export class PaymentCallbacks {
  private readonly logger = new Logger(PaymentCallbacks.name);

  constructor(
    private readonly database: Database,
    private readonly orders: PaymentOrders,
    private readonly ledger: PaymentLedger,
  ) {}

  async take({ kind }: PaymentGateway, event: GatewayEvent): Promise<void> {
    if (!isOurs(event)) return;
    await this.database.transaction(async (tx) => {
      const order = await this.findOrder(tx, kind, event.about);
      if (!order) {
        // The operator may sell other things through the same account: that is no mistake.
        this.logger.warn({ msg: 'a callback about no order of ours', event: event.name });
        return;
      }
      if (await this.isNew(tx, kind, event, order)) await this.apply(tx, order, event.about);
    });
  }

  private async apply(tx: Tx, order: PaymentOrder, { standing }: EventSubject): Promise<void> {
    if (standing) await this.ledger.apply(tx, order, standing, 'CALLBACK');
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

  private async isNew(
    tx: Tx,
    kind: GatewayKind,
    event: GatewayEvent,
    order: PaymentOrder,
  ): Promise<boolean> {
    const inserted = await tx.query(
      `INSERT INTO payment_callbacks (gateway, event_id, partner_id, subject_id, order_id, name,
         received_at)
       VALUES ($1, $2, $3, $4, $5, $6, app_now())
       ON CONFLICT (gateway, event_id) DO NOTHING RETURNING id`,
      [kind, event.eventId, order.partnerId, order.subjectId, order.id, event.name],
    );
    return inserted.length > 0;
  }
}

function isOurs(event: GatewayEvent): event is OurEvent {
  return event.about !== null;
}
