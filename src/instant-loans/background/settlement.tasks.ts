import { Injectable, Logger } from '@nestjs/common';
import {
  type RefundReason,
  Refunds,
  type UnsettledPayment,
  UnsettledPayments,
} from '../../payments/index.js';
import { Database, logFailure, ScheduledTask, takeInTurn, type Tx } from '../../platform/index.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import { FeeSettlement } from '../fee/fee-settlement.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import { isJourney } from './payments.consumer.js';

const EVERY_MS = 60_000;
const MAX_PER_PASS = 500;

/**
 * Settles each payment once kept or refunded, and requests a missing refund: the last check for a
 * lost payment. Each is claimed by its row lock, on any number of replicas.
 */
@Injectable()
export class SettlementTasks {
  private readonly logger = new Logger(SettlementTasks.name);

  constructor(
    private readonly database: Database,
    private readonly payments: UnsettledPayments,
    private readonly refunds: Refunds,
    private readonly loans: InstantLoansRepository,
    private readonly audit: InstantLoanAudit,
    private readonly fees: FeeSettlement,
  ) {}

  @ScheduledTask('instant-loan-settlement', EVERY_MS)
  run(): Promise<void> {
    return takeInTurn(this.database, {
      max: MAX_PER_PASS,
      claim: (tx, passedOver) => this.payments.claim(tx, passedOver),
      work: (tx, payment) => this.settle(tx, payment),
      onFailure: (error, { id, subjectId }) =>
        logFailure(this.logger, error, { paymentId: id, subjectId }),
    });
  }

  private async settle(tx: Tx, payment: UnsettledPayment): Promise<void> {
    if (payment.isRefunded) return this.payments.settle(tx, payment);
    if (isJourney(payment)) return this.fees.settle(tx, payment);
    const loan = await this.loans.lock(tx, payment.partnerId, payment.subjectId);
    const settlement = loan && settlementOf(loan, payment);
    if (!loan || !settlement || settlement === 'OPEN') return this.payments.leave(tx, payment);
    if (settlement !== 'KEPT') await this.giveBack(tx, loan, payment, settlement);
    else if (await this.isRefused(tx, loan)) await this.giveBack(tx, loan, payment, 'DECLINED');
    return this.payments.settle(tx, payment);
  }

  /** A lender that refused the question may not keep the fee. */
  private async isRefused(tx: Tx, loan: InstantLoan): Promise<boolean> {
    return loan.status === 'REJECTED' && !(await this.audit.has(tx, loan, 'FEE_KEPT'));
  }

  private async giveBack(
    tx: Tx,
    loan: InstantLoan,
    payment: UnsettledPayment,
    reason: RefundReason,
  ): Promise<void> {
    const { partnerId, orderId, gatewayPaymentId, amount } = payment;
    const refund = { partnerId, orderId, gatewayPaymentId, reason };
    const refundId = await this.refunds.request(tx, refund);
    if (refundId === null || reason !== 'DECLINED') return;
    const facts = { gatewayPaymentId, amount, feeOnDecline: loan.feeOnDecline, refundId };
    await this.audit.record(tx, loan, 'FEE_GOES_BACK', loan.status, facts);
  }
}

type Settlement = 'OPEN' | 'KEPT' | RefundReason;

type Standing = Pick<InstantLoan, 'status' | 'gatewayPaymentId' | 'paidAt' | 'feeOnDecline'>;

function settlementOf(
  loan: Standing,
  { isCounted, gatewayPaymentId }: Pick<UnsettledPayment, 'isCounted' | 'gatewayPaymentId'>,
): Settlement {
  if (!isCounted) return 'OTHER_AMOUNT';
  if (loan.gatewayPaymentId !== gatewayPaymentId) {
    if (loan.paidAt !== null) return 'PAID_TWICE';
    return loan.status === 'EXPIRED' ? 'PAID_TOO_LATE' : 'OPEN';
  }
  switch (loan.status) {
    case 'SANCTIONED':
      return 'KEPT';
    case 'REJECTED':
      return loan.feeOnDecline === 'KEPT' ? 'KEPT' : 'DECLINED';
    default:
      return 'OPEN';
  }
}
