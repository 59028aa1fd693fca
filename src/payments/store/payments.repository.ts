import { Injectable } from '@nestjs/common';
import { Tx } from '../../platform/index.js';
import { PaymentAuditRow } from './payment-audit.entity.js';
import { PaymentOrder } from './payment-order.entity.js';
import { PaymentRefund } from './payment-refund.entity.js';
import { Payment, PaymentCallback, PaymentNotice } from './payment.entity.js';

type NewPayment = Omit<Payment, 'id' | 'recordedAt' | 'unsettledAt'>;

@Injectable()
export class PaymentsRepository {
  /** @returns false for a known gateway payment id */
  record(tx: Tx, payment: NewPayment): Promise<boolean> {
    return tx.insertOnce(Payment, payment);
  }

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

  findByGatewayId(
    tx: Tx,
    gateway: Payment['gateway'],
    gatewayPaymentId: string,
  ): Promise<Payment | null> {
    return tx.repository(Payment).findOneBy({ gateway, gatewayPaymentId });
  }

  /** Null: the operator's. */
  async accountOf(tx: Tx, { orderId: id }: Payment): Promise<string | null> {
    const order = await tx
      .repository(PaymentOrder)
      .findOneOrFail({ select: { id: true, account: true }, where: { id } });
    return order.account;
  }

  /** @returns false for a repeated event of this order; another account may use the same event id */
  async recordCallback(
    tx: Tx,
    callback: Omit<PaymentCallback, 'id' | 'receivedAt'>,
  ): Promise<boolean> {
    if (await tx.insertOnce(PaymentCallback, callback)) return true;
    const { gateway, eventId, orderId } = callback;
    return !(await tx.repository(PaymentCallback).existsBy({ gateway, eventId, orderId }));
  }
}

export const PAYMENT_ENTITIES = [
  PaymentOrder,
  Payment,
  PaymentNotice,
  PaymentCallback,
  PaymentAuditRow,
  PaymentRefund,
];
