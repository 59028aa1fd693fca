import { Injectable } from '@nestjs/common';
import { Clock, Database, type Language, type Tx } from '../../platform/index.js';
import { InstantLoanLinks } from '../access/instant-loan-links.js';
import { isChosen } from '../domain/chosen-loan.js';
import { isUnpaid } from '../domain/instant-loan-status.js';
import { OfferChoice } from '../offers/offer-choice.js';
import { StandingOffers } from '../offers/standing-offers.js';
import { InstantLoansRepository, type OwnedLoan } from '../store/instant-loans.repository.js';
import { OfferedViews } from './offered-views.js';
import { ShownTerms } from './shown-terms.js';

/**
 * What pressing "Choose this offer" leads to. `GONE`: it cannot be chosen any more, or never could.
 * `NO_CHOICE`: no offer can, as the fee is ordered or the application is over.
 */
export type OfferPress = 'CHOSEN' | 'GONE' | 'NO_CHOICE';

/** Has the applicant choose among the offers, as long as the fee is not ordered. */
@Injectable()
export class ChosenOffers {
  constructor(
    private readonly database: Database,
    private readonly loans: InstantLoansRepository,
    private readonly standing: StandingOffers,
    private readonly choice: OfferChoice,
    private readonly views: OfferedViews,
    private readonly shown: ShownTerms,
    private readonly links: InstantLoanLinks,
    private readonly clock: Clock,
  ) {}

  /** @returns null when the link is not one of ours */
  async choose(token: string, offerId: string, language: Language): Promise<OfferPress | null> {
    const id = this.links.readPayToken(token);
    const loan = id === null ? null : await this.loans.findByLink(id);
    if (!loan) return null;
    return this.database.transaction((tx) => this.chooseOf(tx, loan, offerId, language));
  }

  /** The application is locked: of two presses at a time the later one counts, and a payment that was ordered before stands. */
  private async chooseOf(
    tx: Tx,
    { id, partnerId }: OwnedLoan,
    offerId: string,
    language: Language,
  ): Promise<OfferPress> {
    const loan = await this.loans.lock(tx, partnerId, id);
    if (!loan || !isChosen(loan) || !isUnpaid(loan.status)) return 'NO_CHOICE';
    if (loan.paymentOrderId !== null) return 'NO_CHOICE';
    if (offerId === loan.offerId) return 'CHOSEN';
    const standing = await this.standing.of(tx, loan, this.clock.now());
    const offer = standing.find(({ id: standingId }) => standingId === offerId);
    if (!offer) return 'GONE';
    const chosen = await this.choice.change(tx, loan, offer, language);
    await this.shown.chosen(tx, chosen, await this.views.of(chosen, language), language);
    return 'CHOSEN';
  }
}
