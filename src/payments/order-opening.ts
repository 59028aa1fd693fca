import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../platform/index.js';
import { OrderProcessing } from './order-processing.js';
import { PaymentOrderClosed, PaymentsUnavailable } from './payment-gateway.js';
import { endOf } from './payment-order.js';
import type { PaymentOrder } from './store/payment-order.entity.js';
import { PaymentOrdersRepository } from './store/payment-orders.repository.js';

/** Longer than the gateway's own deadline. */
const MAX_WAIT_MS = 14_000;
const LOOK_EVERY_MS = 150;

/** One call serves all concurrent visits. */
@Injectable()
export class OrderOpening {
  constructor(
    private readonly database: Database,
    private readonly orders: PaymentOrdersRepository,
    private readonly processing: OrderProcessing,
  ) {}

  /**
   * @throws PaymentsUnavailable
   * @throws PaymentOrderClosed when it is paid, expired or cancelled
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

  /** Null while another visit opens it. */
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
