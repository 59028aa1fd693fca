import { PaymentAuditRow } from './payment-audit.entity.js';
import { PaymentCallback } from './payment-callback.entity.js';
import { PaymentNotice } from './payment-notice.entity.js';
import { PaymentOrder } from './payment-order.entity.js';
import { PaymentRefund } from './payment-refund.entity.js';
import { Payment } from './payment.entity.js';

export const PAYMENT_ENTITIES = [
  PaymentOrder,
  Payment,
  PaymentNotice,
  PaymentCallback,
  PaymentAuditRow,
  PaymentRefund,
];
