import { Injectable } from '@nestjs/common';
import { formatRupees } from '../../loans/index.js';
import { SmsOutbox } from '../../messaging/index.js';
import { CURRENCY, type DoneRefund, RefundInbox } from '../../payments/index.js';
import { type Tx } from '../../platform/index.js';
import { InstantApplicants } from '../domain/instant-applicants.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';

/**
 * Tells the applicant by SMS that money has gone back, in the transaction that holds the refund's
 * row: once a refund. An applicant who is erased has no number to write to; one who has had the texts
 * of the day is told when it is over. The text as it is registered speaks of rupees: money of another
 * currency, which a gateway takes for nobody's order, is told of on the pages alone.
 */
@Injectable()
export class DoneRefunds {
  constructor(
    private readonly inbox: RefundInbox,
    private readonly loans: InstantLoansRepository,
    private readonly applicants: InstantApplicants,
    private readonly sms: SmsOutbox,
    private readonly audit: InstantLoanAudit,
  ) {}

  async apply(tx: Tx, refund: DoneRefund): Promise<void> {
    const loan = await this.loans.lock(tx, refund.partnerId, refund.subjectId);
    if (!loan) throw new Error(`there is no application ${refund.subjectId}`);
    const canBeTold = loan.applicantSealed !== null && refund.currency === CURRENCY;
    const later = canBeTold ? await this.tell(tx, loan, refund) : null;
    if (later) await this.inbox.putOff(tx, refund.id, later);
    else await this.inbox.markConsumed(tx, refund.id);
  }

  /** @returns from when on it may be tried again; null: it is told */
  private async tell(tx: Tx, loan: InstantLoan, refund: DoneRefund): Promise<Date | null> {
    const { refundId, amount, reason } = refund;
    const { mobile, pan } = this.applicants.open(loan);
    const put = await this.sms.put(tx, {
      partnerId: loan.partnerId,
      subjectId: loan.id,
      kind: 'REFUND_MADE',
      language: loan.smsLanguage,
      applicant: { mobile, pan },
      values: { amount: formatRupees(amount) },
    });
    if (put.isHeldBack) return this.sms.noTextUntil(tx, mobile);
    const facts = { refundId, amount, reason, smsId: put.id };
    await this.audit.record(tx, loan, 'REFUND_TOLD', loan.status, facts);
    return null;
  }
}
