import { Injectable, Logger } from '@nestjs/common';
import { OperatorFlags } from '../../operator-flags/index.js';
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
 * Sees that no payment is left: it is kept, or it goes back. During a roll-out a replica of an earlier
 * release declines an application, or takes a payment too much, without a refund. Each payment is
 * claimed by its row lock and marked, so any number of replicas may look at once.
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
    private readonly flags: OperatorFlags,
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
    else if (await this.isKeptUnsaid(tx, loan)) await this.flag(tx, payment, 'DECLINED');
    return this.payments.settle(tx, payment);
  }

  /** The lender's terms keep the fee when it declines; that it did, and not refuse, is not recorded. */
  private async isKeptUnsaid(tx: Tx, loan: InstantLoan): Promise<boolean> {
    return loan.status === 'REJECTED' && !(await this.audit.has(tx, loan, 'FEE_KEPT'));
  }

  private async giveBack(
    tx: Tx,
    loan: InstantLoan,
    payment: UnsettledPayment,
    reason: RefundReason,
  ): Promise<void> {
    const foundAt = reason === 'DECLINED' ? loan.finishedAt : payment.recordedAt;
    const { refundsSince } = payment;
    const isOfAPerson = refundsSince !== null && foundAt !== null && foundAt < refundsSince;
    if (isOfAPerson) return this.flag(tx, payment, reason);
    const { partnerId, orderId, gatewayPaymentId, amount } = payment;
    const refund = { partnerId, orderId, gatewayPaymentId, reason };
    const refundId = await this.refunds.request(tx, refund);
    if (refundId === null || reason !== 'DECLINED') return;
    const facts = { gatewayPaymentId, amount, feeOnDecline: loan.feeOnDecline, refundId };
    await this.audit.record(tx, loan, 'FEE_GOES_BACK', loan.status, facts);
  }

  /** Once a payment: a person may have paid it back before the service did. */
  private flag(tx: Tx, payment: UnsettledPayment, reason: RefundReason): Promise<void> {
    const { partnerId, subjectId, orderId, gatewayPaymentId, amount, currency } = payment;
    const detail = { orderId, gatewayPaymentId, amount, currency, reason };
    const cause = [gatewayPaymentId];
    return this.flags.raise(tx, { partnerId, subjectId, kind: 'REFUND_DUE', cause, detail });
  }
}
