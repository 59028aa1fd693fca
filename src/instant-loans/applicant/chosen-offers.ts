import { Injectable } from '@nestjs/common';
import { PaymentOrders } from '../../payments/index.js';
import { Clock, Database, type Tx } from '../../platform/index.js';
import { InstantLoanLinks } from '../access/instant-loan-links.js';
import { isChosen, isOwnChoice } from '../domain/chosen-loan.js';
import { isUnpaid } from '../domain/instant-loan-status.js';
import { isPastPaying } from '../domain/pay-times.js';
import { InstantOfferRound } from '../offers/instant-offer-round.js';
import { NextOffer } from '../offers/next-offer.js';
import { OfferChoice } from '../offers/offer-choice.js';
import { StandingOffers } from '../offers/standing-offers.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import { InstantLoansRepository, type OwnedLoan } from '../store/instant-loans.repository.js';
import { FeeOrders } from '../use-cases/fee-orders.js';
import { ComparedOffers } from './compared-offers.js';
import { OfferedViews } from './offered-views.js';
import { type ShownPlace, ShownTerms } from './shown-terms.js';
import type { ChosenInstantLoan } from '../store/instant-loan.entity.js';

/**
 * `GONE`: the offer cannot be chosen. `CLOSING`: it is chosen once the other payment page is
 * closed. `NO_CHOICE`: the fee is paid, or the application is over.
 */
type OfferPress = 'CHOSEN' | 'CLOSING' | 'GONE' | 'NO_CHOICE';

@Injectable()
export class ChosenOffers {
  constructor(
    private readonly database: Database,
    private readonly loans: InstantLoansRepository,
    private readonly standing: StandingOffers,
    private readonly choice: OfferChoice,
    private readonly round: InstantOfferRound,
    private readonly feeOrders: FeeOrders,
    private readonly nextOffer: NextOffer,
    private readonly payments: PaymentOrders,
    private readonly audit: InstantLoanAudit,
    private readonly views: OfferedViews,
    private readonly compared: ComparedOffers,
    private readonly shown: ShownTerms,
    private readonly links: InstantLoanLinks,
    private readonly clock: Clock,
  ) {}

  /** @returns null for an unknown link */
  async choose(token: string, offerId: string, place: ShownPlace): Promise<OfferPress | null> {
    const loan = await this.links.loanOf(token);
    if (!loan) return null;
    return this.database.transaction((tx) => this.chooseOf(tx, loan, offerId, place));
  }

  /**
   * Opens the comparison; later offers are added until the choice.
   * @returns null for an unknown link, false with fewer than two offers or when already open
   */
  async open(token: string): Promise<boolean | null> {
    const found = await this.links.loanOf(token);
    if (!found) return null;
    return this.database.transaction(async (tx) => {
      const loan = await this.loans.lock(tx, found.partnerId, found.id);
      return loan !== null && this.round.open(tx, loan);
    });
  }

  /**
   * Under the application's lock. If the fee is ordered, its page may be paid at this moment: it is
   * closed first, and a payment before that counts.
   */
  private async chooseOf(
    tx: Tx,
    { id, partnerId }: OwnedLoan,
    offerId: string,
    place: ShownPlace,
  ): Promise<OfferPress> {
    const { language } = place;
    const loan = await this.loans.lock(tx, partnerId, id);
    if (!loan || !isChosen(loan) || !isUnpaid(loan.status)) return 'NO_CHOICE';
    if (offerId === loan.offerId) return this.chooseLeading(tx, loan, place);
    const standing = await this.standing.of(tx, loan, this.clock.now());
    const offer = standing.find(({ id: standingId }) => standingId === offerId);
    if (!offer) return 'GONE';
    const { paymentOrderId } = loan;
    if (paymentOrderId !== null) {
      await this.loans.change(tx, loan, loan.status, { wantedOfferId: offer.id });
      await this.payments.cancel(tx, paymentOrderId);
      const { id: wanted, lenderCode } = offer;
      const facts = { offerId: wanted, lenderCode, orderId: paymentOrderId, language };
      await this.audit.record(tx, loan, 'OTHER_OFFER_WANTED', loan.status, facts);
      const compared = await this.compared.of(tx, loan, language);
      const other = compared.find((one) => one.offerId === wanted);
      if (other) await this.shown.wanted(tx, loan, other, place);
      return 'CLOSING';
    }
    const chosen = await this.choice.change(tx, loan, offer, 'OTHER_OFFER_CHOSEN', language);
    await this.logChoice(tx, chosen, place);
    return 'CHOSEN';
  }

  /**
   * If the leading offer can no longer be paid for, the next one leads. Past the time to pay it is
   * not chosen even without a next one.
   */
  private async chooseLeading(
    tx: Tx,
    loan: ChosenInstantLoan,
    place: ShownPlace,
  ): Promise<OfferPress> {
    if (isOwnChoice(loan)) return 'CHOSEN';
    const isTooLate = isPastPaying(loan, this.clock.now());
    if (isTooLate || !(await this.feeOrders.mayOrder(loan))) {
      const next = await this.nextOffer.take(tx, loan);
      if (next || isTooLate) return 'GONE';
    }
    await this.logChoice(tx, await this.choice.confirm(tx, loan, place.language), place);
    return 'CHOSEN';
  }

  private async logChoice(tx: Tx, loan: ChosenInstantLoan, place: ShownPlace): Promise<void> {
    await this.shown.chosen(tx, loan, await this.views.of(tx, loan, place.language), place);
  }
}
