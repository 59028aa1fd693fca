import { Injectable } from '@nestjs/common';
import { formatRupees } from '../../loans/index.js';
import { SmsOutbox } from '../../messaging/index.js';
import { CURRENCY, type DoneRefund, RefundInbox } from '../../payments/index.js';
import { type Tx } from '../../platform/index.js';
import { InstantApplicants } from '../progress/instant-applicants.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';

/**
 * Sends the refund SMS once, in the transaction that holds the refund's row. Erased applicants have
 * no number; at the daily SMS limit it is postponed. The registered text names rupees, so other
 * currencies are shown only on the pages.
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

  /** @returns when to try again; null: sent */
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
