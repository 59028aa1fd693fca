import { Injectable } from '@nestjs/common';
import {
  LenderInbox,
  LenderReferences,
  QuestionOutbox,
  type WaitingAnswer,
} from '../../lenders/index.js';
import { Refunds } from '../../payments/index.js';
import { type Tx } from '../../platform/index.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import { requireChosen } from '../domain/chosen-loan.js';
import { InstantLoanMover } from '../progress/instant-loan-mover.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import { type FlagDetail, OperatorFlags } from '../../operator-flags/index.js';

/** The stored length of a lender's reason or reference. */
const MAX_CHARACTERS = 200;

type Waiting = WaitingAnswer<'DECISION'>;

type DecisionFlag = 'UNREADABLE_ANSWER' | 'OFFER_NOT_KEPT' | 'LATE_ANSWER';

/**
 * Applies a lender's decision in the transaction that holds the inbox row. A repeated answer is
 * ignored; a contradicting one is flagged.
 */
@Injectable()
export class DecisionAnswers {
  constructor(
    private readonly inbox: LenderInbox,
    private readonly questionOutbox: QuestionOutbox,
    private readonly loans: InstantLoansRepository,
    private readonly mover: InstantLoanMover,
    private readonly refunds: Refunds,
    private readonly audit: InstantLoanAudit,
    private readonly references: LenderReferences,
    private readonly flags: OperatorFlags,
  ) {}

  async apply(tx: Tx, waiting: Waiting): Promise<void> {
    const loan = await this.loans.lock(tx, waiting.partnerId, waiting.subjectId);
    if (!loan) throw new Error(`there is no application ${waiting.subjectId}`);
    await this.applyTo(tx, loan, waiting);
    await this.inbox.markConsumed(tx, waiting.id);
  }

  private async applyTo(tx: Tx, loan: InstantLoan, waiting: Waiting): Promise<void> {
    const { answer } = waiting;
    switch (answer.kind) {
      case 'SANCTIONED': {
        const sanctionReference = answer.reference.slice(0, MAX_CHARACTERS);
        const facts = { sanctionReference };
        const moved = await this.mover.move(tx, loan, 'SANCTIONED', facts, facts);
        if (moved) await this.noteLoan(tx, waiting, answer.reference);
        return this.conclude(tx, moved ?? loan, waiting, 'SANCTIONED');
      }
      case 'DECLINED':
      case 'REFUSED': {
        const declineReason = answer.reason.slice(0, MAX_CHARACTERS);
        const moved = await this.mover.move(tx, loan, 'DECLINED', { declineReason });
        if (moved) await this.settleFee(tx, moved, waiting);
        return this.conclude(tx, moved ?? loan, waiting, 'REJECTED');
      }
      default:
        // Any other answer decides nothing: it is flagged for an operator.
        return this.flag(tx, waiting, 'UNREADABLE_ANSWER', { answer: answer.kind });
    }
  }

  /**
   * Refunds the fee unless the page said that a declining lender keeps it; a refused
   * question is no decision. Either way a paid binding offer was not kept, so it is flagged.
   */
  private async settleFee(tx: Tx, loan: InstantLoan, waiting: Waiting): Promise<void> {
    const { partnerId, paymentOrderId: orderId, gatewayPaymentId, fee: amount, status } = loan;
    const { feeOnDecline, offerId } = requireChosen(loan);
    const { kind: answer } = waiting.answer;
    if (gatewayPaymentId === null || orderId === null)
      throw new Error(`application ${loan.id} is not paid`);
    await this.flag(tx, waiting, 'OFFER_NOT_KEPT', { offerId, answer, feeOnDecline });
    if (feeOnDecline === 'KEPT' && answer === 'DECLINED') {
      const facts = { gatewayPaymentId, amount, feeOnDecline };
      return this.audit.record(tx, loan, 'FEE_KEPT', status, facts);
    }
    const refund = { partnerId, orderId, gatewayPaymentId, reason: 'DECLINED' as const };
    const refundId = await this.refunds.request(tx, refund);
    const facts = { gatewayPaymentId, amount, feeOnDecline, answer, refundId };
    return this.audit.record(tx, loan, 'FEE_GOES_BACK', status, facts);
  }

  /** The lender may refer to the loan by its own reference. */
  private noteLoan(
    tx: Tx,
    { lenderCode, partnerId, subjectId }: Waiting,
    reference: string,
  ): Promise<void> {
    const loan = { lenderCode, kind: 'LOAN', reference, partnerId, subjectId } as const;
    return this.references.note(tx, { ...loan, applicationId: subjectId });
  }

  private async conclude(
    tx: Tx,
    loan: InstantLoan,
    waiting: Waiting,
    expected: InstantLoan['status'],
  ): Promise<void> {
    await this.questionOutbox.markAnswered(tx, waiting);
    if (loan.status === expected) return;
    const facts = { answer: waiting.answer.kind, amount: loan.loanAmount, status: loan.status };
    await this.flag(tx, waiting, 'LATE_ANSWER', facts);
  }

  private flag<Kind extends DecisionFlag>(
    tx: Tx,
    { id, partnerId, subjectId, lenderCode, kind: question, answer }: Waiting,
    kind: Kind,
    detail: FlagDetail<Kind>,
  ): Promise<void> {
    const facts: FlagDetail<DecisionFlag> = { inboxId: id, lenderCode, kind: question, ...detail };
    const cause = [lenderCode, question, answer.kind];
    return this.flags.raise<DecisionFlag, typeof facts>(tx, {
      partnerId,
      subjectId,
      kind,
      cause,
      detail: facts,
    });
  }
}
