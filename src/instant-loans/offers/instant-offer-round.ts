import { Injectable } from '@nestjs/common';
import {
  hasAnyAnswered,
  QuestionOutbox,
  type QuestionState,
  silentLenders,
  whatIsDue,
} from '../../lenders/index.js';
import { OperatorFlags } from '../../operator-flags/index.js';
import type { Tx } from '../../platform/index.js';
import { inOrder } from '../domain/instant-offer.js';
import { InstantLoanMover } from '../domain/instant-loan-mover.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';
import { InstantLenders } from '../use-cases/instant-lenders.js';
import { InstantOfferIntake } from './instant-offer-intake.js';
import { OFFERS_REFERENCE } from './instant-offer-requests.js';
import { OfferChoice } from './offer-choice.js';

/** Has an application that waits for its lenders go on, or end, when that is due. */
@Injectable()
export class InstantOfferRound {
  constructor(
    private readonly questionOutbox: QuestionOutbox,
    private readonly loans: InstantLoansRepository,
    private readonly offers: InstantOffersRepository,
    private readonly intake: InstantOfferIntake,
    private readonly choice: OfferChoice,
    private readonly lenders: InstantLenders,
    private readonly mover: InstantLoanMover,
    private readonly flags: OperatorFlags,
  ) {}

  /** @param loan locked, its lenders asked and none chosen */
  async evaluate(tx: Tx, loan: InstantLoan): Promise<void> {
    const times = await this.loans.offerTimes(tx, loan.id);
    const states = await this.questionOutbox.states(
      tx,
      loan.id,
      'INSTANT_OFFERS',
      OFFERS_REFERENCE,
    );
    const answered = await this.offers.list(tx, loan);
    const lasting = inOrder(answered).filter(({ validUntil }) => validUntil > times.now);
    const offers = await this.lenders.stillServing(lasting);
    const due = whatIsDue({ ...times, states, hasOffer: offers.length > 0 });
    if (due === 'WAITING') return;
    if (due === 'PAST_DEADLINE') return this.loans.awaitLongDeadline(tx, loan.id);
    const known = new Set(answered.map(({ lenderCode }) => lenderCode));
    for (const { lenderCode, isUnreachable } of states) {
      if (!known.has(lenderCode)) await this.intake.missed(tx, loan, lenderCode, isUnreachable);
    }
    if (due === 'ARRIVED') return this.choice.putFirst(tx, loan, offers);
    if (due === 'GIVEN_UP') return this.giveUp(tx, loan, states);
    await this.mover.move(tx, loan, 'LENDERS_DECLINED');
  }

  /** Nobody made an offer. Whoever answered has declined; if none did, none could be reached. */
  private async giveUp(tx: Tx, loan: InstantLoan, states: readonly QuestionState[]): Promise<void> {
    await this.mover.move(tx, loan, hasAnyAnswered(states) ? 'LENDERS_DECLINED' : 'LENDERS_SILENT');
    await this.flags.raise(tx, {
      partnerId: loan.partnerId,
      subjectId: loan.id,
      kind: 'LENDER_SILENT',
      cause: ['INSTANT_OFFERS'],
      detail: { lenders: silentLenders(states), kind: 'INSTANT_OFFERS' },
    });
  }
}
