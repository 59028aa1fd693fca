import { Injectable } from '@nestjs/common';
import {
  compared,
  type HostedJourneyView,
  type Journey,
  OffersRepository,
  ShownComparisons,
} from '../../journeys/index.js';
import { addMonths, dayInIndia } from '../../loans/index.js';
import type { OfferOrder } from '../../matching/index.js';
import { Clock, Database, type Language } from '../../platform/index.js';
import { BindingChoices } from '../offers/binding-choices.js';
import { InstantLenders } from '../use-cases/instant-lenders.js';
import type { ChoosableOffer, LoanFacts } from './instant-loan-view.js';
import { leadingOf } from './view-of-loan.js';

/** The offers on an instant loan's pages; records what is shown of them first. */
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
    language: Language,
    order: OfferOrder,
  ): Promise<Pick<LoanFacts, 'compared' | 'notLending' | 'keyFactsHash'>> {
    const notLending = await this.lenders.notLending(read.loanAmount);
    const shown = { ...read, notLending: notLending.map(({ code }) => code) };
    const inOrder = await this.comparisons.toApplicant(shown, language, order);
    const firstDueOn = addMonths(dayInIndia(this.clock.now()), 1);
    const ids = await this.choosableOf(journey);
    const offers = (inOrder.length > 0 ? inOrder : read.offers).map((offer) => ({
      ...compared(offer, firstDueOn),
      canChoose: ids.has(offer.offerId),
    }));
    return {
      compared: offers,
      notLending: notLending.map(({ name }) => name),
      keyFactsHash: await this.keyFactsHash(journey, read, offers),
    };
  }

  private async choosableOf(journey: Journey): Promise<ReadonlySet<string>> {
    if (journey.finishedAt !== null) return new Set();
    const choosable = await this.database.transaction((tx) => this.choices.choosable(tx, journey));
    return new Set(choosable.map(({ id }) => id));
  }

  /** Of the offer on the page; empty without one. */
  private async keyFactsHash(
    journey: Journey,
    read: HostedJourneyView,
    offers: readonly ChoosableOffer[],
  ): Promise<string> {
    if (read.selected) return read.selected.keyFactsHash;
    const leading = leadingOf(read, offers);
    const offer = leading && (await this.offers.findInRound(journey, leading.offerId));
    return offer ? (await this.choices.statementOf(journey, offer)).contentHash : '';
  }
}
