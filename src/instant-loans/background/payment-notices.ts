import { Injectable } from '@nestjs/common';
import { type ClaimedNotice, PaymentInbox, PaymentOrders, Refunds } from '../../payments/index.js';
import { type Tx } from '../../platform/index.js';
import { requireChosen } from '../domain/chosen-loan.js';
import { DecisionRequest } from '../progress/decision-request.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import { InstantLoanMover } from '../progress/instant-loan-mover.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { NextOffer } from '../offers/next-offer.js';
import { isUnpaid } from '../domain/instant-loan-status.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';

/**
 * Applies one payment notice in the transaction that holds the inbox row. Notices come in any order
 * and repeatedly: the first payment counts; every other or late one is refunded.
 */
@Injectable()
export class PaymentNotices {
  constructor(
    private readonly inbox: PaymentInbox,
    private readonly paymentOrders: PaymentOrders,
    private readonly refunds: Refunds,
    private readonly loans: InstantLoansRepository,
    private readonly offers: InstantOffersRepository,
    private readonly mover: InstantLoanMover,
    private readonly decision: DecisionRequest,
    private readonly nextOffer: NextOffer,
    private readonly audit: InstantLoanAudit,
  ) {}

  /** @throws Error when the application is missing: the payment would be lost */
  async apply(tx: Tx, notice: ClaimedNotice): Promise<void> {
    const isEnd = notice.kind === 'EXPIRED' || notice.kind === 'CANCELLED';
    // Only the last page to close ends the application. Checked first, so that a payment through
    // another page is already in the inbox.
    if (isEnd && (await this.paymentOrders.hasOtherOpen(tx, notice))) {
      return this.inbox.markConsumed(tx, notice.id);
    }
    // Payments first. Inbox rows are locked before the application, in every transaction that locks
    // both.
    const payments = isEnd ? await this.inbox.takePaymentsOf(tx, notice) : [];
    const loan = await this.loans.lock(tx, notice.partnerId, notice.subjectId);
    if (!loan) throw new Error(`there is no application ${notice.subjectId}`);
    let now = loan;
    for (const one of [...payments, notice]) {
      now = await this.applyTo(tx, now, one);
      await this.inbox.markConsumed(tx, one.id);
    }
  }

  private async applyTo(tx: Tx, loan: InstantLoan, notice: ClaimedNotice): Promise<InstantLoan> {
    if (await this.isOfAnEarlierChoice(tx, loan, notice)) {
      if (notice.kind === 'PAID') await this.giveBack(tx, loan, notice);
      return loan;
    }
    switch (notice.kind) {
      case 'PAID':
        return this.takeMoney(tx, loan, notice);
      case 'FAILED':
        return this.noteFailure(tx, loan, notice);
      case 'EXPIRED':
      case 'CANCELLED':
        return this.closePage(tx, loan, notice);
    }
  }

  /** A page closed for another offer does not affect that offer. */
  private async isOfAnEarlierChoice(
    tx: Tx,
    { status, paymentOrderId }: InstantLoan,
    { orderId }: ClaimedNotice,
  ): Promise<boolean> {
    if (!isUnpaid(status)) return false;
    return (
      paymentOrderId === null || !(await this.paymentOrders.isTryOf(tx, orderId, paymentOrderId))
    );
  }

  /** A further try may fail too: the applicant sees it; the partner already has the status. */
  private async noteFailure(
    tx: Tx,
    loan: InstantLoan,
    notice: ClaimedNotice,
  ): Promise<InstantLoan> {
    const failed = await this.mover.move(tx, loan, 'TRY_FAILED', {}, factsOf(notice));
    if (failed) return failed;
    if (!loan.isRetrying || notice.orderId !== loan.paymentOrderId) return loan;
    return (await this.loans.change(tx, loan, loan.status, { isRetrying: false })) ?? loan;
  }

  private async takeMoney(tx: Tx, loan: InstantLoan, notice: ClaimedNotice): Promise<InstantLoan> {
    const { gatewayPaymentId, at, orderId } = notice;
    const facts = factsOf(notice);
    if (loan.paidAt === null && (await this.hasRunOut(tx, loan, at))) {
      return this.endUnpaid(tx, loan, notice);
    }
    const paid = await this.mover.move(
      tx,
      loan,
      'PAID',
      { gatewayPaymentId, paidAt: at, paymentOrderId: orderId },
      facts,
    );
    if (!paid) {
      await this.giveBack(tx, loan, notice);
      return loan;
    }
    await this.decision.put(tx, paid);
    // An earlier order was paid after all: its replacement must not be.
    const { paymentOrderId: open } = loan;
    if (open !== null && open !== orderId) await this.paymentOrders.cancel(tx, open);
    return paid;
  }

  /** A gateway's page may stay open after its offer expired. */
  private async hasRunOut(tx: Tx, loan: InstantLoan, at: Date): Promise<boolean> {
    const { validUntil } = await this.offers.leading(tx, requireChosen(loan));
    return at > validUntil;
  }

  /** No lender stands by the paid offer: refunded before a lender is asked. */
  private async endUnpaid(tx: Tx, loan: InstantLoan, notice: ClaimedNotice): Promise<InstantLoan> {
    const ended = await this.mover.move(tx, loan, 'TIME_RAN_OUT', {}, factsOf(notice));
    await this.giveBack(tx, ended ?? loan, notice);
    const { paymentOrderId: open } = loan;
    if (open !== null && open !== notice.orderId) await this.paymentOrders.cancel(tx, open);
    return ended ?? loan;
  }

  private async giveBack(tx: Tx, loan: InstantLoan, notice: ClaimedNotice): Promise<void> {
    const { partnerId, orderId, gatewayPaymentId } = notice;
    if (gatewayPaymentId === null) throw new Error(`a notice of ${orderId} names no payment`);
    const isLate = loan.paidAt === null;
    const reason = isLate ? 'PAID_TOO_LATE' : 'PAID_TWICE';
    const refundId = await this.refunds.request(tx, {
      partnerId,
      orderId,
      gatewayPaymentId,
      reason,
    });
    const facts = {
      ...factsOf(notice),
      status: loan.status,
      counted: loan.gatewayPaymentId,
      refundId,
    };
    await this.audit.record(tx, loan, isLate ? 'PAID_TOO_LATE' : 'PAID_AGAIN', loan.status, facts);
  }

  /**
   * No page is left open: the next offer takes its turn, or the application expires. The last page
   * closed need not be the last opened.
   */
  private async closePage(tx: Tx, loan: InstantLoan, notice: ClaimedNotice): Promise<InstantLoan> {
    const next = isUnpaid(loan.status) ? await this.nextOffer.take(tx, loan) : null;
    if (next) return next;
    return (await this.mover.move(tx, loan, 'TIME_RAN_OUT', {}, factsOf(notice))) ?? loan;
  }
}

/** For the audit: no personal data. */
function factsOf({ orderId, kind, gatewayPaymentId, amount }: ClaimedNotice) {
  return {
    orderId,
    notice: kind,
    ...(gatewayPaymentId !== null && { gatewayPaymentId }),
    ...(amount !== null && { amount }),
  };
}
