import { Injectable } from '@nestjs/common';
import {
  answerAmount,
  LenderInbox,
  QuestionOutbox,
  type WaitingAnswer,
} from '../../lenders/index.js';
import { OperatorFlags } from '../../operator-flags/index.js';
import { type Tx } from '../../platform/index.js';
import { isTakingOffers } from '../domain/chosen-loan.js';
import { isMade } from '../domain/instant-offer.js';
import { OfferWithdrawals } from '../progress/offer-withdrawals.js';
import { InstantOfferIntake } from '../offers/instant-offer-intake.js';
import { InstantOfferRound } from '../offers/instant-offer-round.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import type { InstantOffer } from '../store/instant-offer.entity.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';

type Waiting = WaitingAnswer<'INSTANT_OFFERS'>;

/**
 * Applies a lender's answer to the request for offers in the transaction that holds the inbox row.
 * A lender's first answer counts; without an offer it may still make one while others are awaited.
 * A second offer is flagged; a late one is withdrawn and its lender notified.
 */
@Injectable()
export class InstantOfferAnswers {
  constructor(
    private readonly inbox: LenderInbox,
    private readonly questionOutbox: QuestionOutbox,
    private readonly loans: InstantLoansRepository,
    private readonly offers: InstantOffersRepository,
    private readonly intake: InstantOfferIntake,
    private readonly round: InstantOfferRound,
    private readonly withdrawals: OfferWithdrawals,
    private readonly audit: InstantLoanAudit,
    private readonly flags: OperatorFlags,
  ) {}

  /** Waits for the lock, so that parallel last answers evaluate once. */
  async apply(tx: Tx, waiting: Waiting): Promise<void> {
    const loan = await this.loans.lock(tx, waiting.partnerId, waiting.subjectId);
    if (!loan) throw new Error(`there is no application ${waiting.subjectId}`);
    switch (waiting.answer.kind) {
      case 'UNREACHABLE':
        if (isTakingOffers(loan)) await this.round.evaluate(tx, loan);
        break;
      case 'OFFERED':
      case 'DECLINED':
      case 'REFUSED':
        await this.questionOutbox.markAnswered(tx, waiting);
        await this.takeUp(tx, loan, waiting);
        break;
      default:
        // Neither an offer nor a refusal: the lender is still awaited.
        await this.flag(tx, waiting, 'UNREADABLE_ANSWER');
    }
    await this.inbox.markConsumed(tx, waiting.id);
  }

  private async takeUp(tx: Tx, loan: InstantLoan, waiting: Waiting): Promise<void> {
    const { lenderCode, answer } = waiting;
    const known = (await this.offers.list(tx, loan)).find((one) => one.lenderCode === lenderCode);
    if (isTakingOffers(loan) && (!known || mayMend(known, answer))) {
      await this.intake.take(tx, loan, lenderCode, answer, known);
      return this.round.evaluate(tx, loan);
    }
    if (answer.kind !== 'OFFERED') return;
    const references = answer.offers.map(({ reference }) => reference);
    if (!known || !isMade(known)) return this.takeBack(tx, loan, waiting, references);
    // A withdrawal covers the whole application: it would end the valid offer too.
    if (!references.includes(known.offerReference)) await this.flag(tx, waiting, 'LATE_ANSWER');
  }

  private flag(
    tx: Tx,
    { id: inboxId, partnerId, subjectId, lenderCode, kind: question, answer }: Waiting,
    kind: 'LATE_ANSWER' | 'UNREADABLE_ANSWER',
  ): Promise<void> {
    const amount = kind === 'LATE_ANSWER' ? answerAmount(answer) : {};
    const detail = { inboxId, lenderCode, kind: question, answer: answer.kind, ...amount };
    const cause = [lenderCode, question, answer.kind];
    return this.flags.raise(tx, { partnerId, subjectId, kind, cause, detail });
  }

  /** A lender that must forget the applicant gets no more messages. */
  private async takeBack(
    tx: Tx,
    loan: InstantLoan,
    { id, lenderCode }: Waiting,
    references: readonly string[],
  ): Promise<void> {
    if (loan.applicantSealed === null) return;
    const [only, ...others] = references;
    const told = {
      lenderCode,
      ...(only !== undefined && others.length === 0 && { offerReference: only }),
    };
    await this.withdrawals.tellLate(tx, loan, told, id);
    await this.audit.record(tx, loan, 'OFFER_TOO_LATE', loan.status, { lenderCode });
  }
}

function mayMend(known: InstantOffer, answer: Waiting['answer']): boolean {
  return !isMade(known) && answer.kind === 'OFFERED';
}
