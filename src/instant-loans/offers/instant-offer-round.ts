import { Injectable } from '@nestjs/common';
import {
  FEWEST_COMPARED,
  hasAnyAnswered,
  QuestionOutbox,
  type QuestionState,
  silentLenders,
  whatIsDue,
} from '../../lenders/index.js';
import { OperatorFlags } from '../../operator-flags/index.js';
import { Clock, type Tx } from '../../platform/index.js';
import { isAwaitingOffers, isStillAsking } from '../domain/chosen-loan.js';
import { InstantLoanMover } from '../progress/instant-loan-mover.js';
import { inOrder, OFFERS_REFERENCE } from '../domain/instant-offer.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import { InstantOffersRepository } from '../store/instant-offers.repository.js';
import { InstantLenders } from '../use-cases/instant-lenders.js';
import { InstantOfferIntake } from './instant-offer-intake.js';
import { OfferChoice } from './offer-choice.js';
import { OpenedOffers } from './opened-offers.js';
import { StandingOffers } from './standing-offers.js';

@Injectable()
export class InstantOfferRound {
  constructor(
    private readonly questionOutbox: QuestionOutbox,
    private readonly loans: InstantLoansRepository,
    private readonly offers: InstantOffersRepository,
    private readonly intake: InstantOfferIntake,
    private readonly choice: OfferChoice,
    private readonly opened: OpenedOffers,
    private readonly standing: StandingOffers,
    private readonly lenders: InstantLenders,
    private readonly mover: InstantLoanMover,
    private readonly flags: OperatorFlags,
    private readonly clock: Clock,
  ) {}

  /**
   * Opens the comparison before every lender has answered.
   * @param loan locked
   * @returns false with fewer than two offers, or when already open
   */
  async open(tx: Tx, loan: InstantLoan): Promise<boolean> {
    if (!isAwaitingOffers(loan)) return false;
    const offers = await this.standing.toChoose(tx, loan, this.clock.now());
    if (offers.length < FEWEST_COMPARED) return false;
    await this.choice.open(tx, loan, offers);
    return true;
  }

  /** @param loan locked, awaiting offers or opened early */
  async evaluate(tx: Tx, loan: InstantLoan): Promise<void> {
    const times = await this.loans.offerTimes(tx, loan.id);
    const states = await this.questionOutbox.states(
      tx,
      loan.id,
      'INSTANT_OFFERS',
      OFFERS_REFERENCE,
    );
    const lasting = inOrder(await this.offers.list(tx, loan)).filter(
      ({ validUntil }) => validUntil > times.now,
    );
    const offers = await this.lenders.stillServing(lasting);
    if (isStillAsking(loan)) {
      const opened = await this.opened.add(tx, loan, offers);
      const due = whatIsDue({ ...times, states, hasOffer: true });
      if (due === 'ARRIVED') await this.opened.close(tx, opened);
      return;
    }
    const due = whatIsDue({ ...times, states, hasOffer: offers.length > 0 });
    if (due === 'WAITING') return;
    if (due === 'PAST_DEADLINE') return this.loans.awaitLongDeadline(tx, loan.id);
    await this.intake.miss(tx, loan, states);
    if (due === 'ARRIVED') return this.choice.putFirst(tx, loan, offers);
    if (due === 'GIVEN_UP') return this.giveUp(tx, loan, states);
    await this.mover.move(tx, loan, 'LENDERS_DECLINED');
  }

  /** If any lender answered, it declined; otherwise none could be reached. */
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
