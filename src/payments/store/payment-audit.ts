import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import {
  auditSource,
  type CurrentRecord,
  detailOf,
  textOf,
  recordedJson,
} from '../../audit/index.js';
import { formatMoney, Tx } from '../../platform/index.js';
import { CURRENCY } from '../payment-gateway.js';
import type { PaymentStatus, RefundStatus } from '../payment-status.js';
import { PaymentAuditRow, type PaymentTrigger } from './payment-audit.entity.js';
import type { PaymentOrder } from './payment-order.entity.js';

/** Append-only; no personal data. */
@Injectable()
export class PaymentAudit {
  async record(
    tx: Tx,
    { id, partnerId, subjectId }: Pick<PaymentOrder, 'id' | 'partnerId' | 'subjectId'>,
    trigger: PaymentTrigger,
    from: PaymentStatus | RefundStatus | null,
    to: PaymentStatus | RefundStatus,
    detail: Record<string, unknown> = {},
  ): Promise<void> {
    await tx.repository(PaymentAuditRow).insert({
      partnerId,
      subjectId,
      orderId: id,
      trigger,
      fromStatus: from,
      toStatus: to,
      detail,
    });
  }
}

const WHAT: Readonly<Record<PaymentTrigger, string>> = {
  ORDERED: 'A payment was ordered',
  OPENED: 'The page to pay at was opened',
  CAPTURED: 'The payment was received',
  CAPTURED_OTHER_AMOUNT: 'Another amount than was ordered was received, or another currency',
  TRY_FAILED: 'A try to pay failed',
  CALLED_OFF: 'The payment was called off',
  TIME_RAN_OUT: 'The time to pay ran out',
  CLOSED: 'The page to pay at was closed without a payment',
  REFUND_REQUESTED: 'It was decided that the money goes back; the gateway is to be asked',
  REFUND_PENDING: 'The gateway said that it is sending the money back',
  REFUND_DONE: 'The gateway said that it has sent the money back',
  REFUND_TRIED_AGAIN: 'The gateway gave the refund up; it is to be asked for it again',
  REFUND_FAILED: 'The refund failed, and was put before the operator',
  REFUND_TAKEN_BACK: 'The gateway said that a refund which it had called done was not made',
  REFUND_RETRIED: 'The operator decided that the gateway is to be asked for the refund once more',
};

const REASONS: Readonly<Record<string, string>> = {
  DECLINED: 'the lender does not lend',
  PAID_TWICE: 'another payment counted',
  PAID_TOO_LATE: 'the application was over',
  OTHER_AMOUNT: 'it is not what was ordered',
};

const Detail = z
  .object({
    /** In the currency's smallest unit. */
    amount: z.int().nullable(),
    /** Absent for orders, which are in rupees. */
    currency: z.string().nullable(),
    reason: z.string(),
    account: z.string().nullable(),
    gatewayPaymentId: z.string().nullable(),
    refundId: z.string(),
  })
  .partial();

export const PAYMENT_AUDIT_SOURCE = auditSource(PaymentAuditRow, {
  subject: 'subjectId',
  at: 'createdAt',
  tell: ({ trigger = '', order_id: order = '', detail }) => {
    const what = WHAT[trigger as PaymentTrigger] ?? `What is called ${trigger} happened`;
    const { amount, currency, reason, account, gatewayPaymentId, refundId } = recordedJson(
      Detail,
      detail,
    );
    const facts = [
      typeof amount !== 'number' ? null : formatMoney(amount, currency ?? CURRENCY),
      reason === undefined ? null : `because ${REASONS[reason] ?? reason}`,
      `order ${order}`,
      gatewayPaymentId ? `payment ${gatewayPaymentId}` : null,
      refundId ? `refund ${refundId}` : null,
      account ? `account ${account}` : null,
    ];
    return `${what} (${facts.filter((fact) => fact !== null).join(', ')}).`;
  },
});

/** Amount in paise. */
const PAYMENT_ORDER_RECORD: CurrentRecord = {
  table: 'payment_orders',
  subject: ['subject_id'],
  key: 'id',
  values: { status: 'r.status', amount: 'r.amount', account: 'r.account' },
  determinedBy: (table, row) => {
    if (table !== PAYMENT_AUDIT_SOURCE.table || detailOf(row).refundId !== undefined) return null;
    const { amount, account } = detailOf(row);
    // An entry without a status change may be written without the order's lock.
    const values = {
      ...(row.from_status !== row.to_status && { status: row.to_status }),
      ...(row.trigger === 'ORDERED' && { amount, account }),
    };
    return { key: textOf(row.order_id), values };
  },
};

/** Amount in the currency's smallest unit. */
const PAYMENT_RECORD: CurrentRecord = {
  table: 'payments',
  subject: ['subject_id'],
  key: 'gateway_payment_id',
  values: {
    order_id: 'r.order_id',
    amount: 'r.amount',
    currency: 'r.currency',
    is_counted: 'r.is_counted',
  },
  determinedBy: (table, row) => {
    const { trigger } = row;
    if (table !== PAYMENT_AUDIT_SOURCE.table) return null;
    if (trigger !== 'CAPTURED' && trigger !== 'CAPTURED_OTHER_AMOUNT') return null;
    const { gatewayPaymentId, amount, currency } = detailOf(row);
    const is_counted = trigger === 'CAPTURED';
    const values = { order_id: row.order_id, amount, currency, is_counted };
    return { key: textOf(gatewayPaymentId), values };
  },
};

/** Amount in the currency's smallest unit. */
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
