import { Injectable } from '@nestjs/common';
import {
  comparedInOrder,
  type HostedJourneyView,
  type Journey,
  OffersRepository,
  ShownComparisons,
} from '../../journeys/index.js';
import { addMonths, dayInIndia } from '../../loans/index.js';
import type { OfferOrder } from '../../matching/index.js';
import { Clock, Database, type Language } from '../../platform/index.js';
import { BindingChoices } from '../offers/binding-choices.js';
import { InstantLenders } from '../use-cases/new-applications.js';
import {
  type ChoosableOffer,
  type InstantLoanView,
  isToCompare,
  type LoanFacts,
} from './instant-loan-view.js';
import { leadingOf } from './view-of-loan.js';

export interface PageVisit {
  readonly order?: OfferOrder;
  /** Whether offers are compared beside the chosen one. */
  readonly isBeside?: boolean;
}

type ShownLoans = Pick<LoanFacts, 'compared' | 'notLending' | 'keyFactsHash'>;

@Injectable()
export class ComparedLoans {
  constructor(
    private readonly database: Database,
    private readonly offers: OffersRepository,
    private readonly lenders: InstantLenders,
    private readonly choices: BindingChoices,
    private readonly comparisons: ShownComparisons,
    private readonly clock: Clock,
  ) {}

  async of(
    journey: Journey,
    read: HostedJourneyView,
    { order = 'APR' }: PageVisit,
  ): Promise<ShownLoans> {
    const firstDueOn = addMonths(dayInIndia(this.clock.now()), 1);
    const ids = await this.choosableOf(journey);
    const offers = comparedInOrder(read.offers, order, firstDueOn).map((offer) => ({
      ...offer,
      canChoose: ids.has(offer.offerId),
    }));
    return {
      compared: offers,
      notLending: await this.lenders.notLending(read.loanAmount),
      keyFactsHash: await this.keyFactsHash(journey, read, offers),
    };
  }

  /** Records the chosen offer only, unless others are compared beside it. */
  async record(
    read: HostedJourneyView,
    view: InstantLoanView,
    { compared, notLending }: ShownLoans,
    language: Language,
    { order = 'APR', isBeside = false }: PageVisit,
  ): Promise<void> {
    const isShown = !read.selected || view.stage === 'TO_CHOOSE' || (isBeside && isToCompare(view));
    if (!isShown) return;
    const shown = {
      ...read,
      offers: compared.map((offer) => ({ ...offer, isValid: offer.canChoose })),
      offerChange: read.selected && ('OPEN' as const),
      notLending: notLending.map(({ code }) => code),
    };
    await this.comparisons.toApplicant(shown, language, order);
  }

  private async choosableOf(journey: Journey): Promise<ReadonlySet<string>> {
    if (journey.finishedAt !== null) return new Set();
    const choosable = await this.database.transaction((tx) => this.choices.choosable(tx, journey));
    return new Set(choosable.map(({ id }) => id));
  }

  /** Empty without an offer on the page. */
  private async keyFactsHash(
    journey: Journey,
    read: HostedJourneyView,
    offers: readonly ChoosableOffer[],
  ): Promise<string> {
    if (read.selected) return read.selected.keyFactsHash;
    const leading = leadingOf(read, offers);
    const offer = leading && (await this.offers.findInRound(journey, leading.offerId));
    if (!offer) return '';
    return this.database.transaction((tx) => this.choices.keyFactsHash(tx, journey, offer));
  }
}
