import { Injectable } from '@nestjs/common';
import { paiseToRupees } from '../loans/index.js';
import { BrandBook, Clock } from '../platform/index.js';
import type { Journey } from './journey.js';
import { type JourneyView, offerView, selectedOfferView } from './journey-view.js';
import { KeyFactsBook } from './key-facts/key-facts-book.js';
import type { Offer } from './offers/offer.js';
import { OffersRepository } from './offers/offers.repository.js';
import { ProviderWait } from './returns/provider-wait.js';
import { RedirectSteps } from './returns/redirect-steps.js';
import { outcomeOf } from './states/journey-state.js';
import { type NextAction, nextActionOf } from './states/next-action.js';

/** Shows journeys to partners. */
@Injectable()
export class ReadJourneyService {
  constructor(
    private readonly offers: OffersRepository,
    private readonly redirects: RedirectSteps,
    private readonly providers: ProviderWait,
    private readonly keyFacts: KeyFactsBook,
    private readonly brand: BrandBook,
    private readonly clock: Clock,
  ) {}

  async nextAction(journey: Journey): Promise<NextAction> {
    const { redirectId, state, channel } = journey;
    const url = redirectId === null ? undefined : this.redirects.urlOf(redirectId);
    const isDeciding = await this.providers.isDeciding(journey);
    return nextActionOf({ state, channel, isDeciding }, url);
  }

  async view(stored: Journey): Promise<JourneyView> {
    const offers = await this.offersShown(stored);
    const journey = asSeen(stored, offers);
    const selected = offers.find(({ id }) => id === journey.selectedOfferId);
    return {
      journeyId: journey.id,
      applicationId: journey.applicationId,
      productCode: journey.productCode,
      channel: journey.channel,
      state: journey.state,
      loanAmount: paiseToRupees(journey.loanAmount),
      currentNextAction: await this.nextAction(journey),
      offers: offers.map((offer) => offerView(journey, offer, this.keyFacts.linkTo(offer.id))),
      selectedOffer: selected
        ? selectedOfferView(journey, selected, this.keyFacts.linkTo(selected.id))
        : null,
      outcome: outcomeOf(journey.state),
      ...(journey.outcomeReason && { outcomeReason: journey.outcomeReason }),
      pollIntervalSeconds: (await this.brand.settings()).pollIntervalSeconds,
      createdAt: journey.createdAt.toISOString(),
      updatedAt: journey.updatedAt.toISOString(),
      ...(journey.disbursedAt && { disbursedAt: journey.disbursedAt.toISOString() }),
    };
  }

  /** Offers are shown together, once the lenders have answered, and while they can be chosen. */
  private async offersShown(journey: Journey): Promise<Offer[]> {
    if (journey.state === 'INITIATED') return [];
    const offers = await this.offers.list(journey);
    if (journey.state !== 'OFFERS_RECEIVED') return offers;
    const now = this.clock.now();
    return offers.filter(({ validUntil }) => validUntil > now);
  }
}

/**
 * When the last offer has run out there is nothing to choose, even while nobody has come to ask the
 * lenders again: the partner polls for new offers.
 */
function asSeen(journey: Journey, offers: readonly Offer[]): Journey {
  const isEmptyChoice = journey.state === 'OFFERS_RECEIVED' && offers.length === 0;
  return isEmptyChoice ? { ...journey, state: 'INITIATED' } : journey;
}
