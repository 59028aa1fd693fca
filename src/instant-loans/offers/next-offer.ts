import { Injectable } from '@nestjs/common';
import { Clock, type Tx } from '../../platform/index.js';
import { isChosen, requireChosen } from '../domain/chosen-loan.js';
import { InstantLoanMover } from '../progress/instant-loan-mover.js';
import type { ChosenInstantLoan, InstantLoan } from '../store/instant-loan.entity.js';
import { OfferChoice } from './offer-choice.js';
import { StandingOffers } from './standing-offers.js';

@Injectable()
export class NextOffer {
  constructor(
    private readonly standing: StandingOffers,
    private readonly choice: OfferChoice,
    private readonly mover: InstantLoanMover,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes the wanted offer, else the best available.
   * @param loan locked, unpaid, with no page that may still be paid
   * @returns null when no other offer is available; nothing has changed
   */
  async take(tx: Tx, loan: InstantLoan): Promise<ChosenInstantLoan | null> {
    if (!isChosen(loan)) return null;
    const offers = await this.standing.of(tx, loan, this.clock.now());
    const [offer] = offers;
    if (!offer) return null;
    const wanted = offers.find(({ id }) => id === loan.wantedOfferId);
    const failed = await this.mover.move(tx, loan, 'OFFER_LET_GO');
    const from = requireChosen(failed ?? loan);
    return this.choice.change(
      tx,
      from,
      wanted ?? offer,
      wanted ? 'OTHER_OFFER_CHOSEN' : 'NEXT_OFFER',
    );
  }
}
