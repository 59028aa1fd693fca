import { Injectable } from '@nestjs/common';
import type { GatewayStanding, OrderToCreate } from '../payments/index.js';
import { Database, Keyring, Signal, Tx } from '../platform/index.js';

const DETAILS_PURPOSE = 'sandbox_payments.details';
const LINK_PURPOSE = 'sandbox-payment';
const GATEWAY_ID_PREFIX = 'sandbox_';

export const PAYMENT_METHODS = ['upi', 'card', 'netbanking'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

interface SealedDetails {
  readonly pan: string;
  readonly description: string;
  readonly returnUrl: string;
}

/** An order as the simulated gateway knows it. */
export interface SandboxPayment {
  readonly orderId: string;
  readonly amount: number;
  readonly expiresAt: Date;
  readonly status: GatewayStanding['status'];
  /** Whether somebody has paid, or failed to; it may be true only a little later. */
  readonly isDecided: boolean;
  readonly method: PaymentMethod | null;
  readonly paymentId: string | null;
  readonly decidedAt: Date | null;
  /** Null once it is erased. */
  readonly details: SealedDetails | null;
}

export interface PaymentDecision {
  readonly outcome: 'PAID' | 'FAILED';
  readonly method: PaymentMethod;
  /** How long the bank takes to say so. */
  readonly delaySeconds: number;
  /** How often the gateway calls back about it. */
  readonly callbacks: number;
}

type PaymentRow = Omit<SandboxPayment, 'details'> & { readonly detailsSealed: string | null };

/** The simulated payment gateway's own memory. */
@Injectable()
export class SandboxPayments {
  /** Raised after there is something to call back about. */
  readonly decisions = new Signal();

  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  /** Opens the page of an order; the same order again changes nothing. */
  async open(order: OrderToCreate): Promise<void> {
    const { applicant, description, returnUrl } = order;
    const details: SealedDetails = { pan: applicant.pan, description, returnUrl };
    await this.database.query(
      `INSERT INTO sandbox_payments (order_id, partner_id, subject_id, amount, details_sealed,
         expires_at, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, app_now()) ON CONFLICT (order_id) DO NOTHING`,
      [
        order.orderId,
        order.partnerId,
        order.subjectId,
        order.amount,
        this.keyring.seal(JSON.stringify(details), DETAILS_PURPOSE),
        order.expiresAt,
      ],
    );
  }

  async find(orderId: string): Promise<SandboxPayment | null> {
    const [row] = await this.database.query<PaymentRow & Record<string, unknown>>(
      `SELECT ${COLUMNS} FROM sandbox_payments WHERE order_id = $1`,
      [orderId],
    );
    return row ? this.toPayment(row) : null;
  }

  async lock(tx: Tx, orderId: string): Promise<SandboxPayment | null> {
    const [row] = await tx.query<PaymentRow>(
      `SELECT ${COLUMNS} FROM sandbox_payments WHERE order_id = $1 FOR UPDATE`,
      [orderId],
    );
    return row ? this.toPayment(row) : null;
  }

  async decide(tx: Tx, orderId: string, decision: PaymentDecision): Promise<void> {
    const { outcome, method, delaySeconds, callbacks } = decision;
    await tx.execute(
      `UPDATE sandbox_payments SET outcome = $2, method = $3, payment_id = $4,
         decided_at = app_now() + $5 * interval '1 second',
         next_callback_at = app_now() + $5 * interval '1 second', callbacks_left = $6
       WHERE order_id = $1`,
      [orderId, outcome, method, `${GATEWAY_ID_PREFIX}payment_${orderId}`, delaySeconds, callbacks],
    );
    tx.afterCommit(() => this.decisions.raise());
  }

  /** Closes the page; a payment that is on its way arrives all the same, as it does in life. */
  async cancel(orderId: string): Promise<void> {
    await this.database.query(
      `UPDATE sandbox_payments SET cancelled_at = app_now(),
         next_callback_at = coalesce(next_callback_at, app_now()),
         callbacks_left = greatest(callbacks_left, 1)
       WHERE order_id = $1 AND cancelled_at IS NULL AND expires_at > app_now()
         AND (outcome IS NULL OR decided_at > app_now())`,
      [orderId],
    );
    this.decisions.raise();
  }

  tokenOf(orderId: string): string {
    return this.keyring.signLink(orderId, LINK_PURPOSE);
  }

  /** The order whose page a token opens; null for one that was not made here. */
  orderOf(token: string): string | null {
    return this.keyring.readLink(token, LINK_PURPOSE);
  }

  private toPayment({ detailsSealed, ...row }: PaymentRow): SandboxPayment {
    const opened = detailsSealed && this.keyring.open(detailsSealed, DETAILS_PURPOSE);
    return { ...row, details: opened ? (JSON.parse(opened) as SealedDetails) : null };
  }
}

/** The gateway's own name for an order. */
export function gatewayOrderIdOf(orderId: string): string {
  return `${GATEWAY_ID_PREFIX}${orderId}`;
}

const COLUMNS = `order_id AS "orderId", amount, expires_at AS "expiresAt", method,
  payment_id AS "paymentId", decided_at AS "decidedAt", details_sealed AS "detailsSealed",
  outcome IS NOT NULL AS "isDecided",
  CASE WHEN decided_at <= app_now() THEN outcome
    WHEN cancelled_at IS NOT NULL THEN 'CANCELLED'
    WHEN expires_at <= app_now() THEN 'EXPIRED'
    ELSE 'OPEN' END AS status`;
