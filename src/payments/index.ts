export { PAYMENT_CALL_MS } from './payment-gateways.js';
export { PaymentOrders } from './payment-orders.js';
export {
  CURRENCY,
  type EventSubject,
  type GatewayEvent,
  type GatewayKind,
  type GatewayPayment,
  type GatewayOrderState,
  type GatewayRefundState,
  GatewayRefused,
  type OrderReference,
  type OrderToCreate,
  type PayingApplicant,
  PAYMENT_GATEWAYS,
  type PaymentGateway,
  type PaymentPage,
  PaymentOrderClosed,
  PaymentsUnavailable,
  type ReceivedCallback,
  type RefundReference,
  type RefundToMake,
} from './payment-gateway.js';
export {
  type ClaimedNotice,
  type DoneRefund,
  PaymentInbox,
  RefundInbox,
} from './store/payment-inbox.js';
export type { PaymentNoticeKind } from './store/payment.entity.js';
export {
  UNSETTLED_PAYMENTS,
  type Unfinished,
  UnfinishedAccounts,
  type UnsettledPayment,
  UnsettledPayments,
} from './store/unsettled-payments.js';
export { Refunds } from './refunds/refunds.js';
export {
  type NewPaymentOrder,
  type ReturnedMoney,
  SHORTEST_PAGE_LIFE_MS,
} from './payment-order.js';
export type { PaymentStatus, RefundReason } from './payment-status.js';
export { PAYMENT_AUDIT_SOURCE, PAYMENT_RECORDS } from './store/payment-audit.js';
export { PAYMENT_ENTITIES } from './store/payments.repository.js';
export { PaymentAccountsModule, PaymentRecordsModule, PaymentsModule } from './payments.module.js';
export { RazorpayGateway } from './razorpay/razorpay.gateway.js';
