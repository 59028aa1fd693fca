import { Injectable, Logger } from '@nestjs/common';
import {
  type RefundReason,
  Refunds,
  type UnsettledPayment,
  UnsettledPayments,
} from '../../payments/index.js';
import { Database, logFailure, ScheduledTask, takeInTurn, type Tx } from '../../platform/index.js';
import { settlementOf } from '../domain/settlement.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';

const EVERY_MS = 60_000;
const MAX_PER_PASS = 500;

/**
 * Marks a payment as settled once it is kept or refunded, and requests a refund that is missing: the last
 * check behind the code that finds a payment is not kept. Each payment is claimed by its row lock, so any
 * number of replicas may run this at once.
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
  ) {}

  @ScheduledTask('instant-loan-settlement', EVERY_MS)
  run(): Promise<void> {
    return takeInTurn(this.database, {
      max: MAX_PER_PASS,
      claim: (tx, passedOver) => this.payments.claim(tx, passedOver),
      work: (tx, payment) => this.settle(tx, payment),
      onFailure: (error, { id, subjectId: applicationId }) =>
        logFailure(this.logger, error, { paymentId: id, applicationId }),
    });
  }

  private async settle(tx: Tx, payment: UnsettledPayment): Promise<void> {
    if (payment.isRefunded) return this.payments.settle(tx, payment);
    const loan = await this.loans.lock(tx, payment.partnerId, payment.subjectId);
    const settlement = loan && settlementOf(loan, payment);
    if (!loan || !settlement || settlement === 'OPEN') return this.payments.leave(tx, payment);
    if (settlement !== 'KEPT') await this.giveBack(tx, loan, payment, settlement);
    else if (await this.isRefused(tx, loan)) await this.giveBack(tx, loan, payment, 'DECLINED');
    return this.payments.settle(tx, payment);
  }

  /** The lender refused the question: what its terms keep when it declines is not recorded as kept. */
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
