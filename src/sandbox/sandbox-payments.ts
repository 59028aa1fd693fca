import { Injectable } from '@nestjs/common';
import type { OrderToCreate, RefundToMake } from '../payments/index.js';
import { Keyring, Signal, Tx } from '../platform/index.js';
import { sandboxOutcome } from './sandbox-outcomes.js';
import {
  type PaymentDecision,
  SandboxPaymentsRepository,
  type SandboxPaymentState,
} from './store/sandbox-payments.repository.js';

const DETAILS_PURPOSE = 'sandbox_payments.details';
const LINK_PURPOSE = 'sandbox-payment';
/** What applicants read before they leave for its page, and on it. */
export const SANDBOX_GATEWAY_NAME = 'Sandbox Gateway';

const GATEWAY_ID_PREFIX = 'sandbox_';
const REFUND_SECONDS = 2;

interface SealedDetails {
  readonly pan: string;
  readonly payeeName: string;
  readonly returnUrl: string;
}

/** An order as the simulated gateway knows it. */
export interface SandboxPayment extends Omit<SandboxPaymentState, 'detailsSealed'> {
  /** Null once it is erased. */
  readonly details: SealedDetails | null;
}

/** The simulated payment gateway's own memory. */
@Injectable()
export class SandboxPayments {
  /** Raised after there is something to call back about, with the seconds until then. */
  readonly decisions = new Signal<number>();

  constructor(
    private readonly payments: SandboxPaymentsRepository,
    private readonly keyring: Keyring,
  ) {}

  /** Opens the page of an order; the same order again changes nothing. */
  async open(order: OrderToCreate): Promise<void> {
    const { applicant, payeeName, returnUrl } = order;
    const details: SealedDetails = { pan: applicant.pan, payeeName, returnUrl };
    await this.payments.insertOnce({
      orderId: order.orderId,
      partnerId: order.partnerId,
      subjectId: order.subjectId,
      amount: order.amount,
      detailsSealed: this.keyring.seal(JSON.stringify(details), DETAILS_PURPOSE),
      expiresAt: order.expiresAt,
    });
  }

  async find(orderId: string): Promise<SandboxPayment | null> {
    const row = await this.payments.find(orderId);
    return row && this.toPayment(row);
  }

  /**
   * Pays an order or fails to, as pressing a button of its page does.
   * @returns what comes of it, which a reserved PAN may decide; null when the order is not open: nothing has changed
   */
  async press(
    tx: Tx,
    orderId: string,
    wished: PaymentDecision,
  ): Promise<PaymentDecision['outcome'] | null> {
    const row = await this.payments.lock(tx, orderId);
    const payment = row && this.toPayment(row);
    if (!payment?.details || !isOpen(payment)) return null;
    const outcome = outcomeFor(payment.details.pan, wished.outcome);
    const paymentId = `${GATEWAY_ID_PREFIX}payment_${orderId}`;
    await this.payments.decide(tx, orderId, paymentId, { ...wished, outcome });
    tx.afterCommit(() => this.decisions.raise(wished.delaySeconds));
    return outcome;
  }

  /** Closes the page; a payment that is on its way arrives all the same, as it does in life. */
  async cancel(orderId: string): Promise<void> {
    await this.payments.cancel(orderId);
    this.decisions.raise(0);
  }

  /** Has a payment go back; the bank takes its time. */
  async refund({ orderId, key }: RefundToMake): Promise<void> {
    await this.payments.refund(orderId, key, REFUND_SECONDS);
    this.decisions.raise(REFUND_SECONDS);
  }

  tokenOf(orderId: string): string {
    return this.keyring.signLink(orderId, LINK_PURPOSE);
  }

  /** The order whose page a token opens; null for one that was not made here. */
  orderOf(token: string): string | null {
    return this.keyring.readLink(token, LINK_PURPOSE);
  }

  private toPayment({ detailsSealed, ...row }: SandboxPaymentState): SandboxPayment {
    const opened = detailsSealed && this.keyring.open(detailsSealed, DETAILS_PURPOSE);
    return { ...row, details: opened ? (JSON.parse(opened) as SealedDetails) : null };
  }
}

/** Whether an order can still be paid. */
export function isOpen({ status, isDecided }: SandboxPayment): boolean {
  return status === 'OPEN' && !isDecided;
}

/** The reserved PAN's payments always fail, whatever is pressed. */
function outcomeFor(pan: string, wished: PaymentDecision['outcome']): PaymentDecision['outcome'] {
  return sandboxOutcome(pan) === 'PAYMENT_FAILS' ? 'FAILED' : wished;
}

/** The gateway's own name for an order's refund. */
export function gatewayRefundIdOf(orderId: string): string {
  return `${GATEWAY_ID_PREFIX}refund_${orderId}`;
}

/** The gateway's own name for an order. */
export function gatewayOrderIdOf(orderId: string): string {
  return `${GATEWAY_ID_PREFIX}${orderId}`;
}
