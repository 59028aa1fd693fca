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
export { type ClaimedNotice, PaymentInbox } from './store/payment-inbox.js';
export type { PaymentNoticeKind } from './store/payment-notice.entity.js';
export { type DoneRefund, RefundInbox } from './store/refund-inbox.js';
export { type Unfinished, UnfinishedAccounts } from './store/unfinished-accounts.js';
export {
  SETTLEMENT_TIMES,
  type UnsettledPayment,
  UnsettledPayments,
} from './store/unsettled-payments.js';
export { Refunds } from './refunds/refunds.js';
export type { ReturnedMoney } from './refund.js';
export type { RefundReason } from './refund-status.js';
export { type NewPaymentOrder, SHORTEST_PAGE_LIFE_MS } from './payment-order.js';
export type { PaymentStatus } from './payment-status.js';
export { PAYMENT_RECORDS } from './store/payment.records.js';
export { PAYMENT_AUDIT_SOURCE } from './store/payment-audit.source.js';
export { PAYMENT_ENTITIES } from './store/payment-entities.js';
export { PaymentAccountsModule, PaymentRecordsModule, PaymentsModule } from './payments.module.js';
export { RazorpayGateway } from './razorpay/razorpay.gateway.js';
