import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../platform/index.js';
import { OrderProcessing } from './order-processing.js';
import { PaymentOrderClosed, PaymentsUnavailable } from './payment-gateway.js';
import { endOf } from './payment-order.js';
import type { PaymentOrder } from './store/payment-order.entity.js';
import { PaymentOrdersRepository } from './store/payment-orders.repository.js';

/** A little longer than the gateway's own deadline: whoever is just opening the page is waited for. */
const MAX_WAIT_MS = 14_000;
const LOOK_EVERY_MS = 150;

/** Opens an order's page when it is visited: one call to the gateway, however many visit at once. */
@Injectable()
export class OrderOpening {
  constructor(
    private readonly database: Database,
    private readonly orders: PaymentOrdersRepository,
    private readonly processing: OrderProcessing,
  ) {}

  /**
   * @throws PaymentsUnavailable when the gateway gives no page at present
   * @throws PaymentOrderClosed when the order is paid, expired or cancelled
   */
  async open(orderId: string): Promise<{ url: string }> {
    const waitUntil = performance.now() + MAX_WAIT_MS;
    do {
      const url = await this.openOrLook(orderId);
      if (url !== null) return { url };
      await sleep(LOOK_EVERY_MS);
    } while (performance.now() < waitUntil);
    throw new PaymentsUnavailable('the page is not opened yet');
  }

  /** Null while somebody else, on any replica, is opening it. */
  private async openOrLook(orderId: string): Promise<string | null> {
    const known = await this.database.transaction((tx) => this.orders.find(tx, orderId));
    if (!known) throw new Error(`there is no payment order ${orderId}`);
    const url = pageOf(known);
    if (url !== null) return url;
    const leased = await this.orders.claimOne(orderId);
    if (!leased) return null;
    return pageOf(await this.processing.process(leased));
  }
}

function pageOf(order: PaymentOrder): string | null {
  const over = endOf(order);
  if (over) throw new PaymentOrderClosed(over);
  return order.url;
}
