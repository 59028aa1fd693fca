import { Injectable } from '@nestjs/common';
import { addDays, dayInIndia, instantInIndia, paiseToRupees } from '../../loans/index.js';
import { Clock } from '../../platform/index.js';
import type { Journey } from '../store/journey.entity.js';
import { type JourneyView, offerView, selectedOfferView } from '../api/journey-view.js';
import { JourneyKeyFacts } from '../offers/journey-key-facts.js';
import { lendersWithoutOffer } from '../offers/ended-rounds.js';
import type { Offer } from '../store/offer.entity.js';
import { OffersRepository } from '../store/offers.repository.js';
import { ShownComparisons } from '../offers/shown-comparisons.js';
import { ProviderWait } from '../redirects/provider-wait.js';
import { RedirectSteps } from '../redirects/redirect-steps.js';
import { type JourneyState, outcomeOf } from '../domain/journey-state.js';
import { type NextAction, nextActionOf } from '../domain/next-action.js';
import { type Lender, LenderCatalogue, ServiceSettings } from '../../settings/index.js';

/** What was answered of a journey, and what it was made of beside the journey and its offers. */
interface KeptView {
  readonly view: JourneyView;
  readonly madeAt: Date;
  /** When the first of the offers in it runs out, or the day ends: what is shown is recorded each day anew. */
  readonly until: Date;
  readonly lenders: readonly Lender[];
}

/** Shows journeys to partners. */
@Injectable()
export class ReadJourneyService {
  /** Whoever polls a journey that has not changed is answered what was made, and recorded, before. */
  private readonly kept = new WeakMap<Journey, KeptView>();

  constructor(
    private readonly offers: OffersRepository,
    private readonly redirects: RedirectSteps,
    private readonly providers: ProviderWait,
    private readonly comparisons: ShownComparisons,
    private readonly keyFacts: JourneyKeyFacts,
    private readonly settings: ServiceSettings,
    private readonly lenders: LenderCatalogue,
    private readonly clock: Clock,
  ) {}

  async nextAction(journey: Journey, state = journey.state): Promise<NextAction> {
    const { redirectId, channel } = journey;
    const url = redirectId === null ? undefined : this.redirects.urlOf(redirectId);
    const isDeciding = await this.providers.isDeciding(journey);
    return nextActionOf({ state, channel, isDeciding }, url);
  }

  async view(journey: Journey): Promise<JourneyView> {
    const now = this.clock.now();
    const { pollIntervalSeconds } = await this.settings.operating();
    const lenders = await this.lenders.list();
    const kept = this.kept.get(journey);
    if (
      kept?.view.pollIntervalSeconds === pollIntervalSeconds &&
      isCurrent(kept, now) &&
      isSameList(lenders, kept.lenders)
    ) {
      return kept.view;
    }
    const inOrder = await this.offersShown(journey, now);
    const view = { ...(await this.viewOf(journey, inOrder)), pollIntervalSeconds };
    // Whether a provider is deciding stands elsewhere.
    if (journey.isReturned) return view;
    const running = journey.state === 'OFFERS_RECEIVED' ? inOrder : [];
    this.kept.set(journey, { view, madeAt: now, until: firstEnd(now, running), lenders });
    return view;
  }

  private async viewOf(
    journey: Journey,
    inOrder: readonly Offer[],
  ): Promise<Omit<JourneyView, 'pollIntervalSeconds'>> {
    const offers = inOrder.map((offer, index) => ({
      offer,
      // After the choice they are not compared: others have run out, and places would differ from those shown.
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
      ...(journey.outcomeReason && { outcomeReason: journey.outcomeReason }),
      createdAt: journey.createdAt.toISOString(),
      updatedAt: journey.updatedAt.toISOString(),
      ...(journey.disbursedAt && { disbursedAt: journey.disbursedAt.toISOString() }),
    };
  }

  /** Offers are shown together, once the lenders have answered, and while they can be chosen. */
  private async offersShown(journey: Journey, now: Date): Promise<Offer[]> {
    if (journey.state === 'INITIATED') return [];
    const offers = await this.offers.list(journey);
    if (journey.state !== 'OFFERS_RECEIVED') return offers;
    return offers.filter(({ validUntil }) => validUntil > now);
  }
}

function isCurrent({ madeAt, until }: KeptView, now: Date): boolean {
  return now >= madeAt && now < until;
}

/** What is shown is recorded with the lenders that were not asked. */
function isSameList(some: readonly Lender[], others: readonly Lender[]): boolean {
  return some.length === others.length && some.every((one, index) => one === others[index]);
}

/** When the day in India or the first of the offers ends. */
function firstEnd(now: Date, offers: readonly Offer[]): Date {
  const midnight = instantInIndia(addDays(dayInIndia(now), 1), 0);
  const ends = [midnight, ...offers.map(({ validUntil }) => validUntil)];
  return new Date(Math.min(...ends.map((end) => end.getTime())));
}

/**
 * When the last offer has run out there is nothing to choose, even while nobody has come to ask the
 * lenders again: the partner polls for new offers.
 */
function stateSeen({ state }: Journey, offers: number): JourneyState {
  const isEmptyChoice = state === 'OFFERS_RECEIVED' && offers === 0;
  return isEmptyChoice ? 'INITIATED' : state;
}
