import { Injectable } from '@nestjs/common';
import type { OrderToCreate, RefundToMake } from '../payments/index.js';
import { Keyring, Signal, Tx } from '../platform/index.js';
import { sandboxOutcome } from './reserved-pans.js';
import {
  type PaymentDecision,
  SandboxPaymentsRepository,
  type SandboxPaymentState,
} from './store/sandbox-payments.repository.js';

const DETAILS_PURPOSE = 'sandbox_payments.details';
const LINK_PURPOSE = 'sandbox-payment';
export const SANDBOX_GATEWAY_NAME = 'Sandbox Gateway';

const GATEWAY_ID_PREFIX = 'sandbox_';
const REFUND_SECONDS = 2;

interface SealedDetails {
  readonly pan: string;
  readonly payeeName: string;
  readonly returnUrl: string;
}

export interface SandboxPayment extends Omit<SandboxPaymentState, 'detailsSealed'> {
  readonly details: SealedDetails | null;
}

@Injectable()
export class SandboxPayments {
  /** Raised for each callback, with the seconds until it is due. */
  readonly decisions = new Signal<number>();

  constructor(
    private readonly payments: SandboxPaymentsRepository,
    private readonly keyring: Keyring,
  ) {}

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

  /** @returns the outcome, which a reserved PAN may override; null when the order is not open */
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

  /** A payment in progress still arrives. */
  async cancel(orderId: string): Promise<void> {
    await this.payments.cancel(orderId);
    this.decisions.raise(0);
  }

  /** The money is back after some seconds, as at a bank. */
  async refund({ orderId, key }: RefundToMake): Promise<void> {
    await this.payments.refund(orderId, key, REFUND_SECONDS);
    this.decisions.raise(REFUND_SECONDS);
  }

  tokenOf(orderId: string): string {
    return this.keyring.signLink(orderId, LINK_PURPOSE);
  }

  /** Null for a forged token. */
  orderOf(token: string): string | null {
    return this.keyring.readLink(token, LINK_PURPOSE);
  }

  private toPayment({ detailsSealed, ...row }: SandboxPaymentState): SandboxPayment {
    const opened = detailsSealed && this.keyring.open(detailsSealed, DETAILS_PURPOSE);
    return { ...row, details: opened ? (JSON.parse(opened) as SealedDetails) : null };
  }
}

export function isOpen({ status, isDecided }: SandboxPayment): boolean {
  return status === 'OPEN' && !isDecided;
}

function outcomeFor(pan: string, wished: PaymentDecision['outcome']): PaymentDecision['outcome'] {
  return sandboxOutcome(pan) === 'PAYMENT_FAILS' ? 'FAILED' : wished;
}

export function gatewayRefundIdOf(orderId: string): string {
  return `${GATEWAY_ID_PREFIX}refund_${orderId}`;
}

export function gatewayOrderIdOf(orderId: string): string {
  return `${GATEWAY_ID_PREFIX}${orderId}`;
}
