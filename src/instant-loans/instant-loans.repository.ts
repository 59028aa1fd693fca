import { Injectable } from '@nestjs/common';
import { Database, Tx } from '../platform/index.js';
import type { InstantLoan } from './instant-loan.js';
import type { InstantLoanStatus } from './statuses/instant-loan-status.js';

const COLUMNS = {
  id: 'id',
  partnerId: 'partner_id',
  keyId: 'key_id',
  status: 'status',
  loanAmount: 'loan_amount',
  fee: 'fee',
  lenderCode: 'lender_code',
  comparison: 'comparison',
  keyFactsSealed: 'key_facts_sealed',
  keyFactsHash: 'key_facts_hash',
  agreedAt: 'agreed_at',
  applicantSealed: 'applicant_sealed',
  mobileHash: 'mobile_hash',
  panHash: 'pan_hash',
  paymentOrderId: 'payment_order_id',
  isRetrying: 'is_retrying',
  smsId: 'sms_id',
  isSmsSent: 'is_sms_sent',
  gatewayPaymentId: 'gateway_payment_id',
  paidAt: 'paid_at',
  sanctionReference: 'sanction_reference',
  declineReason: 'decline_reason',
  expiresAt: 'expires_at',
  calledOffAt: 'called_off_at',
  decisionDueAt: 'decision_due_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  finishedAt: 'finished_at',
} as const satisfies Record<keyof InstantLoan, string>;

const SELECTED = Object.entries(COLUMNS)
  .map(([property, column]) => `${column} AS "${property}"`)
  .join(', ');

/** What may change in an application; times that the database's clock judges are set by it. */
export type InstantLoanChanges = Partial<
  Pick<
    InstantLoan,
    | 'status'
    | 'paymentOrderId'
    | 'isRetrying'
    | 'gatewayPaymentId'
    | 'paidAt'
    | 'sanctionReference'
    | 'declineReason'
  >
>;

export type NewInstantLoan = Pick<
  InstantLoan,
  | 'id'
  | 'partnerId'
  | 'keyId'
  | 'loanAmount'
  | 'fee'
  | 'lenderCode'
  | 'comparison'
  | 'keyFactsSealed'
  | 'keyFactsHash'
  | 'applicantSealed'
  | 'mobileHash'
  | 'panHash'
  | 'paymentOrderId'
  | 'smsId'
  | 'expiresAt'
  | 'createdAt'
>;

@Injectable()
export class InstantLoansRepository {
  constructor(private readonly database: Database) {}

  async insert(tx: Tx, loan: NewInstantLoan): Promise<InstantLoan> {
    const properties = Object.keys(loan) as (keyof NewInstantLoan)[];
    const columns = properties.map((property) => COLUMNS[property]).join(', ');
    const places = properties.map((_, index) => `$${index + 1}`).join(', ');
    const [row] = await tx.query<InstantLoan>(
      `INSERT INTO instant_loans (${columns}, status, updated_at)
       VALUES (${places}, 'PAYMENT_PENDING', app_now()) RETURNING ${SELECTED}`,
      properties.map((property) => loan[property]),
    );
    return row;
  }

  /** For link tokens, which are their own proof: the application without its owner. */
  async findByLink(id: string): Promise<InstantLoan | null> {
    const [row] = await this.database.query<InstantLoan & Record<string, unknown>>(
      `SELECT ${SELECTED} FROM instant_loans WHERE id = $1`,
      [id],
    );
    return row ?? null;
  }

  /** The application as it is now, held against every other change until the transaction ends. */
  async lock(tx: Tx, partnerId: string, id: string): Promise<InstantLoan | null> {
    const [row] = await tx.query<InstantLoan>(
      `SELECT ${SELECTED} FROM instant_loans WHERE id = $1 AND partner_id = $2 FOR UPDATE`,
      [id, partnerId],
    );
    return row ?? null;
  }

  /** Changes an application that is still in the expected status; null when it is not. */
  async change(
    tx: Tx,
    { id, partnerId }: InstantLoan,
    expected: InstantLoanStatus,
    changes: InstantLoanChanges,
  ): Promise<InstantLoan | null> {
    const properties = Object.keys(changes) as (keyof InstantLoanChanges)[];
    const sets = properties.map((property, index) => `${COLUMNS[property]} = $${index + 4}`);
    const [row] = await tx.query<InstantLoan>(
      `UPDATE instant_loans SET ${[...sets, 'updated_at = app_now()'].join(', ')}
       WHERE id = $1 AND partner_id = $2 AND status = $3 RETURNING ${SELECTED}`,
      [id, partnerId, expected, ...properties.map((property) => changes[property])],
    );
    return row ?? null;
  }

  /** Keeps the first time; whether this was it. */
  async agree(tx: Tx, id: string): Promise<boolean> {
    const agreed = await tx.execute(
      'UPDATE instant_loans SET agreed_at = app_now() WHERE id = $1 AND agreed_at IS NULL',
      [id],
    );
    return agreed > 0;
  }

  async finish(tx: Tx, id: string): Promise<void> {
    await tx.execute(
      'UPDATE instant_loans SET finished_at = updated_at, decision_due_at = NULL WHERE id = $1',
      [id],
    );
  }
}
