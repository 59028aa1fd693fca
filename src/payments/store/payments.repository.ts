import { Injectable } from '@nestjs/common';
import { Tx } from '../../platform/index.js';
import { PaymentCallback } from './payment-callback.entity.js';
import { PaymentOrder } from './payment-order.entity.js';
import { Payment } from './payment.entity.js';

type NewPayment = Omit<Payment, 'id' | 'recordedAt' | 'unsettledAt'>;

/** What gateways told of our orders, each thing once: their events, and the payments they captured. */
@Injectable()
export class PaymentsRepository {
  /** Records a payment; false when it was recorded before, by the gateway's id of it. */
  record(tx: Tx, payment: NewPayment): Promise<boolean> {
    return tx.insertOnce(Payment, payment);
  }

  /** The payment of an order; null when it was never recorded. */
  find(
    tx: Tx,
    {
      partnerId,
      orderId,
      gatewayPaymentId,
    }: Pick<Payment, 'partnerId' | 'orderId' | 'gatewayPaymentId'>,
  ): Promise<Payment | null> {
    return tx.repository(Payment).findOneBy({ partnerId, orderId, gatewayPaymentId });
  }

  /** A payment by the gateway's id of it, of whichever order. */
  findByGatewayId(
    tx: Tx,
    gateway: Payment['gateway'],
    gatewayPaymentId: string,
  ): Promise<Payment | null> {
    return tx.repository(Payment).findOneBy({ gateway, gatewayPaymentId });
  }

  /** The account into which an order's payments came; null: the operator's. */
  async accountOf(tx: Tx, { orderId: id }: Payment): Promise<string | null> {
    const order = await tx
      .repository(PaymentOrder)
      .findOneOrFail({ select: { id: true, account: true }, where: { id } });
    return order.account;
  }

  /**
   * Records an event; false when it was recorded before, by the gateway's id of it. One that was
   * recorded of another order is no repetition: an account can name ids that are another's.
   */
  async recordCallback(
    tx: Tx,
    callback: Omit<PaymentCallback, 'id' | 'receivedAt'>,
  ): Promise<boolean> {
    if (await tx.insertOnce(PaymentCallback, callback)) return true;
    const { gateway, eventId, orderId } = callback;
    return !(await tx.repository(PaymentCallback).existsBy({ gateway, eventId, orderId }));
  }
}
