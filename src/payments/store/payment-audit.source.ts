import { z } from 'zod';
import { auditSource, toldJson } from '../../audit/index.js';
import { formatMoney } from '../../platform/index.js';
import { CURRENCY } from '../payment-gateway.js';
import { PaymentAuditRow, type PaymentTrigger } from './payment-audit.entity.js';

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
    const { amount, currency, reason, account, gatewayPaymentId, refundId } = toldJson(
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
