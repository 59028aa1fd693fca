import { PaymentAuditRow } from './payment-audit.entity.js';
import { PaymentCallbackRow } from './payment-callback.entity.js';
import { PaymentInboxRow } from './payment-inbox.entity.js';
import { PaymentOrderRow } from './payment-order.entity.js';
import { PaymentRow } from './payment.entity.js';

export const PAYMENT_ENTITIES = [
  PaymentOrderRow,
  PaymentRow,
  PaymentInboxRow,
  PaymentCallbackRow,
  PaymentAuditRow,
];
