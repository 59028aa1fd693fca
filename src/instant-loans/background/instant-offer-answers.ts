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
import { OfferWithdrawals } from '../domain/offer-withdrawals.js';
import { InstantOfferIntake } from '../offers/instant-offer-intake.js';
import { InstantOfferRound } from '../offers/instant-offer-round.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import type { InstantOffer } from '../store/instant-offer.entity.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';

type Waiting = WaitingAnswer<'INSTANT_OFFERS'>;

/**
 * Takes what a lender answers to the request for offers to its application, in the transaction that
 * holds the inbox row. Of each lender the first answer counts; one of which nothing could be taken may
 * still make an offer as long as others are waited for. Of one whose offer stands already another one
 * is put before the operator; an offer of any other that comes late is taken back, and its lender is
 * told.
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

  /** The application is waited for: whoever takes up the last answers side by side, one chooses. */
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
        // It says neither, so that the lender is still waited for.
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
    // A withdrawal is of the whole application: it would end the offer that stands, too.
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

  /** A lender that is to forget the applicant is told nothing more. */
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
