import { Injectable } from '@nestjs/common';
import { PartnerReferences } from '../../leads/index.js';
import { paiseToRupees } from '../../loans/index.js';
import { Clock, Fault, isFault } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { disbursementView, type JourneyView } from './journey-view.js';
import { offerView, selectedOfferView } from './offer-view.js';
import { JourneyKeyFacts } from '../offers/journey-key-facts.js';
import { lendersWithoutOffer } from '../offers/ended-rounds.js';
import type { Offer } from '../store/offer.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { OffersRepository } from '../store/offers.repository.js';
import { ShownComparisons } from '../offers/shown-comparisons.js';
import { ProviderWait } from '../redirects/provider-wait.js';
import { RedirectSteps } from '../redirects/redirect-steps.js';
import { isTerminal, type JourneyState, outcomeOf } from '../domain/journey-state.js';
import { type NextAction, nextActionOf } from '../domain/next-action.js';
import { ServiceSettings } from '../../settings/index.js';

@Injectable()
export class ReadJourneyService {
  constructor(
    private readonly offers: OffersRepository,
    private readonly redirects: RedirectSteps,
    private readonly providers: ProviderWait,
    private readonly comparisons: ShownComparisons,
    private readonly keyFacts: JourneyKeyFacts,
    private readonly references: PartnerReferences,
    private readonly settings: ServiceSettings,
    private readonly clock: Clock,
  ) {}

  async nextAction(journey: Journey, state = journey.state): Promise<NextAction> {
    const { redirectId, channel } = journey;
    const url = redirectId === null ? undefined : this.redirects.urlOf(redirectId);
    const isDeciding = await this.providers.isDeciding(journey);
    return nextActionOf({ state, channel, isDeciding }, url);
  }

  /** As `view` shows them. */
  async standing(journey: Journey): Promise<{ state: JourneyState; nextAction: string }> {
    const { length } = await this.offersShown(journey, this.clock.now());
    const state = stateSeen(journey, length);
    return { state, nextAction: (await this.nextAction(journey, state)).type };
  }

  async view(journey: Journey): Promise<JourneyView> {
    const { pollIntervalSeconds } = await this.settings.operating();
    const inOrder = await this.offersShown(journey, this.clock.now());
    const offers = inOrder.map((offer, index) => ({
      offer,
      // After the choice others have expired, so ranks would differ from those shown.
      rank: journey.state === 'OFFERS_RECEIVED' ? index + 1 : null,
      kfsLink: this.keyFacts.linkTo(offer.id),
    }));
    const state = stateSeen(journey, offers.length);
    if (state !== 'INITIATED') await this.comparisons.toPartner(journey, inOrder);
    const selected = offers.find(({ offer }) => offer.id === journey.selectedOfferId);
    const others = state === 'INITIATED' ? null : lendersWithoutOffer(journey);
    return {
      journeyId: journey.id,
      applicationId: journey.applicationId,
      ...this.references.shown(journey.applicationId, journey.referenceSealed),
      productCode: journey.productCode,
      channel: journey.channel,
      state,
      loanAmount: paiseToRupees(journey.loanAmount),
      loanAmountSource: journey.loanAmountSource,
      currentNextAction: await this.nextAction(journey, state),
      offers: offers.map((shown) => offerView(journey, shown)),
      ...(others && {
        lendersWithoutOffer: others.map(({ name, standing }) => ({ name, standing })),
      }),
      selectedOffer: selected ? selectedOfferView(journey, selected) : null,
      outcome: outcomeOf(state),
      outcomeReason: journey.outcomeReason ?? undefined,
      createdAt: journey.createdAt.toISOString(),
      updatedAt: journey.updatedAt.toISOString(),
      disbursedAt: journey.disbursedAt?.toISOString(),
      disbursement: disbursementView(journey),
      pollIntervalSeconds,
    };
  }

  /** Only once all lenders have answered, and while the offers can be chosen. */
  private async offersShown(journey: Journey, now: Date): Promise<Offer[]> {
    const { state, selectedOfferId } = journey;
    const hasEndedBefore =
      isTerminal(state) && selectedOfferId === null && lendersWithoutOffer(journey) === null;
    if (state === 'INITIATED' || hasEndedBefore) return [];
    const offers = await this.offers.list(journey);
    if (state !== 'OFFERS_RECEIVED') return offers;
    return offers.filter(({ validUntil }) => validUntil > now);
  }
}

/** A refused action names the step that the journey is at. */
@Injectable()
export class WrongSteps {
  constructor(
    private readonly journeys: JourneysRepository,
    private readonly reading: ReadJourneyService,
  ) {}

  /** @throws Fault as `work` does; wrong_step with the journey's state and next action */
  async named<Result>({ partnerId, id }: Journey, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isFault(error, 'wrong_step')) throw error;
      const journey = await this.journeys.find(partnerId, id);
      if (!journey) throw error;
      const standing = await this.reading.standing(journey);
      throw new Fault('wrong_step', { journey: standing, cause: error });
    }
  }
}

/** Without a valid offer the partner must poll, even before the lenders are asked again. */
function stateSeen({ state }: Journey, offers: number): JourneyState {
  const isEmptyChoice = state === 'OFFERS_RECEIVED' && offers === 0;
  return isEmptyChoice ? 'INITIATED' : state;
}
