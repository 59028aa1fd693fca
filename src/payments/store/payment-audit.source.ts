import { auditSource } from '../../audit/index.js';
import { PaymentAuditRow } from './payment-audit.entity.js';

export const PAYMENT_AUDIT_SOURCE = auditSource(PaymentAuditRow, {
  subject: 'subjectId',
  at: 'createdAt',
  tell: ({ trigger = '', order_id: order = '', to_status: to = '', detail = '{}' }) =>
    `The payment order ${order} is ${to}: ${trigger} ${detail}.`,
});
