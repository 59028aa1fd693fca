import { type CurrentRecord, detailOf, textOf } from '../../audit/index.js';
import { PAYMENT_AUDIT_SOURCE } from './payment-audit.source.js';

/** The status and the amount of an order, in paise. */
const PAYMENT_ORDER_RECORD: CurrentRecord = {
  table: 'payment_orders',
  subject: ['subject_id'],
  key: 'id',
  values: { status: 'r.status', amount: 'r.amount', account: 'r.account' },
  determinedBy: (table, row) => {
    if (table !== PAYMENT_AUDIT_SOURCE.table || detailOf(row).refundId !== undefined) return null;
    const { amount, account } = detailOf(row);
    // What changes no status may have been noted without a lock of the order.
    const values = {
      ...(row.from_status !== row.to_status && { status: row.to_status }),
      ...(row.trigger === 'ORDERED' && { amount, account }),
    };
    return { key: textOf(row.order_id), values };
  },
};

/** What was received for an order, in the smallest unit of its currency. */
const PAYMENT_RECORD: CurrentRecord = {
  table: 'payments',
  subject: ['subject_id'],
  key: 'gateway_payment_id',
  values: { order_id: 'r.order_id', amount: 'r.amount', currency: 'r.currency' },
  determinedBy: (table, row) => {
    const { trigger } = row;
    if (table !== PAYMENT_AUDIT_SOURCE.table) return null;
    if (trigger !== 'CAPTURED' && trigger !== 'CAPTURED_OTHER_AMOUNT') return null;
    const { gatewayPaymentId, amount, currency } = detailOf(row);
    return { key: textOf(gatewayPaymentId), values: { order_id: row.order_id, amount, currency } };
  },
};

/** The status of a refund and what goes back, in the smallest unit of its currency. */
const REFUND_RECORD: CurrentRecord = {
  table: 'payment_refunds',
  subject: ['subject_id'],
  key: 'id',
  values: {
    status: 'r.status',
    order_id: 'r.order_id',
    amount: 'r.amount',
    currency: 'r.currency',
    account: 'r.account',
  },
  determinedBy: (table, row) => {
    const { refundId, amount, currency, account } = detailOf(row);
    if (table !== PAYMENT_AUDIT_SOURCE.table || refundId === undefined) return null;
    const values = {
      status: row.to_status,
      ...(row.trigger === 'REFUND_REQUESTED' && {
        order_id: row.order_id,
        amount,
        currency,
        account,
      }),
    };
    return { key: textOf(refundId), values };
  },
};

export const PAYMENT_RECORDS: readonly CurrentRecord[] = [
  PAYMENT_ORDER_RECORD,
  PAYMENT_RECORD,
  REFUND_RECORD,
];
