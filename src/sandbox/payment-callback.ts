import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayEvent, GatewayOrderState, GatewayRefundState } from '../payments/index.js';
import { CURRENCY } from '../payments/index.js';
import { equalBytes, Fault, type Keyring, parseJsonBody } from '../platform/index.js';
import { gatewayOrderIdOf, gatewayRefundIdOf, type SandboxPayment } from './sandbox-payments.js';

const PURPOSE = 'sandbox-payment-callback';
const SIGNATURE_HEADER = 'x-sandbox-signature';

interface CallbackBody {
  readonly id: string;
  readonly event: string;
  readonly order: { readonly reference: string };
  readonly standing: WireOrderState;
  readonly refund?: GatewayRefundState;
}

type WirePayment = Omit<GatewayOrderState['payments'][number], 'paidAt'> & {
  readonly paidAt: string;
};
type WireOrderState = Omit<GatewayOrderState, 'payments'> & {
  readonly payments: readonly WirePayment[];
};

export function orderStateOf(payment: SandboxPayment, url: string): GatewayOrderState {
  const { status, paymentId, amount, method, decidedAt } = payment;
  const isPaid = status === 'PAID' && paymentId !== null && decidedAt !== null;
  return {
    gatewayOrderId: gatewayOrderIdOf(payment.orderId),
    url,
    status,
    payments: isPaid
      ? [{ id: paymentId, amount, currency: CURRENCY, method, paidAt: decidedAt }]
      : [],
    failedPaymentIds: status === 'FAILED' && paymentId !== null ? [paymentId] : [],
  };
}

export function refundStateOf(payment: SandboxPayment): GatewayRefundState | null {
  const { orderId, paymentId, amount, refundReference: key, isRefunded } = payment;
  if (key === null || paymentId === null) return null;
  const status = isRefunded ? 'DONE' : 'PENDING';
  const gatewayRefundId = gatewayRefundIdOf(orderId);
  return { key, gatewayRefundId, gatewayPaymentId: paymentId, amount, status };
}

/** The same event always has the same id. */
export function callbackBody(payment: SandboxPayment, url: string): string {
  const refund = refundStateOf(payment);
  const refunded = refund ? `:REFUND_${refund.status}` : '';
  const body = {
    id: `${payment.orderId}:${payment.status}${refunded}`,
    event: `payment.${payment.status.toLowerCase()}`,
    order: { reference: payment.orderId },
    standing: orderStateOf(payment, url),
    ...(refund && { refund }),
  };
  return JSON.stringify(body);
}

/** Signed with the service's key: it is both gateway and merchant. */
export function signedHeaders(body: string, keyring: Keyring): Record<string, string> {
  return {
    'content-type': 'application/json',
    [SIGNATURE_HEADER]: keyring.lookupHash(body, PURPOSE),
  };
}

/** @throws Fault invalid_signature, malformed_json */
export function readCallback(
  { headers, body }: { headers: IncomingHttpHeaders; body: Buffer },
  keyring: Keyring,
): GatewayEvent {
  const given = headers[SIGNATURE_HEADER];
  const made = keyring.lookupHashes(body.toString('utf8'), PURPOSE).map((hex) => Buffer.from(hex));
  const isRight =
    typeof given === 'string' && made.some((one) => equalBytes(one, Buffer.from(given)));
  if (!isRight) throw new Fault('invalid_signature');
  const { id, event, order, standing, refund } = parseJsonBody(body) as unknown as CallbackBody;
  const payments = standing.payments.map((payment) => ({
    ...payment,
    paidAt: new Date(payment.paidAt),
  }));
  const { gatewayOrderId } = standing;
  const about = { orderId: order.reference, gatewayOrderId, state: { ...standing, payments } };
  return { eventId: id, name: event, about, ...(refund && { refund }) };
}
