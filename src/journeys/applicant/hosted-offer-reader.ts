import { Injectable } from '@nestjs/common';
import { KeyFactsRepository } from '../../key-facts/index.js';
import { QuestionOutbox, type QuestionState } from '../../lenders/index.js';
import type { LenderWithoutOffer } from '../../matching/index.js';
import { Clock, Database } from '../../platform/index.js';
import { LenderCatalogue } from '../../settings/index.js';
import { isConfirmed } from '../domain/journey.js';
import { lendersWithoutOffer } from '../offers/ended-rounds.js';
import type { HostedLender, HostedOffer, HostedSelection } from '../offers/hosted-offers.js';
import { JourneyKeyFacts } from '../offers/journey-key-facts.js';
import {
  NO_OFFER_CHANGE,
  type OfferChangeState,
  OfferChangePolicy,
} from '../offers/offer-change-policy.js';
import type { Journey } from '../store/journey.entity.js';
import type { Offer } from '../store/offer.entity.js';
import { OffersRepository } from '../store/offers.repository.js';

@Injectable()
export class HostedOfferReader {
  constructor(
    private readonly database: Database,
    private readonly offers: OffersRepository,
    private readonly statements: KeyFactsRepository,
    private readonly keyFacts: JourneyKeyFacts,
    private readonly changePolicy: OfferChangePolicy,
    private readonly questionOutbox: QuestionOutbox,
    private readonly lenders: LenderCatalogue,
    private readonly clock: Clock,
  ) {}

  async read(journey: Journey) {
    const listed = await this.offers.list(journey);
    const { offerChange, notified, mayCoverSignature } = await this.offerChangeOf(journey, listed);
    const offers = listed.map((offer) => this.shown(journey, offer, notified));
    return {
      lenders: await this.lendersAsked(journey, offers),
      offers,
      selected: await this.selected(journey, offers),
      offerChange,
      mayCoverSignature,
    };
  }

  async find(journey: Journey, offerId: string): Promise<HostedOffer | null> {
    const listed = await this.offers.list(journey);
    const { notified } = await this.offerChangeOf(journey, listed);
    const offer = listed.find(({ id }) => id === offerId);
    return offer ? this.shown(journey, offer, notified) : null;
  }

  private async offerChangeOf(
    journey: Journey,
    offers: readonly Offer[],
  ): Promise<OfferChangeState> {
    if (journey.selectedOfferId === null || journey.finishedAt !== null) return NO_OFFER_CHANGE;
    return this.database.transaction((tx) => this.changePolicy.stateOf(tx, journey, offers));
  }

  private shown(
    { selectedOfferId }: Journey,
    offer: Offer,
    notified: ReadonlySet<string>,
  ): HostedOffer {
    const isReleased = notified.has(offer.lenderCode);
    return {
      offerId: offer.id,
      lenderCode: offer.lenderCode,
      lenderName: offer.sellerName,
      amount: offer.principal,
      minimumAmount: offer.minimumAmount,
      figures: offer.figures,
      terms: offer.terms,
      validUntil: offer.validUntil,
      isValid: offer.validUntil > this.clock.now() && !isReleased,
      isChosen: offer.id === selectedOfferId,
      isReleased,
      kfsUrl: this.keyFacts.linkTo(offer.id),
    };
  }

  private async lendersAsked(
    journey: Journey,
    offers: readonly HostedOffer[],
  ): Promise<HostedLender[]> {
    if (!isConfirmed(journey)) return [];
    const without = journey.state === 'INITIATED' ? null : lendersWithoutOffer(journey);
    if (without) return lendersOfEndedRound(offers, without);
    const states = await this.database.transaction((tx) =>
      this.questionOutbox.states(tx, journey.id, 'OFFERS', String(journey.offerRound)),
    );
    const asked: HostedLender[] = [];
    for (const state of states) {
      const { lenderCode } = state;
      const lender = await this.lenders.find(lenderCode);
      const hasOffered = offers.some((offer) => offer.lenderCode === lenderCode);
      const status = hasOffered ? 'OFFERED' : statusWithoutOffer(state);
      asked.push({ code: lenderCode, name: lender?.name ?? lenderCode, status });
    }
    return asked;
  }

  private async selected(
    journey: Journey,
    offers: readonly HostedOffer[],
  ): Promise<HostedSelection | null> {
    const { selection, selectedOfferId, selectedBranchId } = journey;
    const offer = offers.find(({ offerId }) => offerId === selectedOfferId);
    const agreed = offer && (await this.statements.frozen(offer.offerId));
    if (!selection || !offer || !agreed) return null;
    return {
      offer,
      selection,
      branch: offer.terms.branches.find(({ id }) => id === selectedBranchId) ?? null,
      statement: agreed.statement,
      keyFactsHash: agreed.contentHash,
      isAgreed: agreed.acknowledgement !== null,
      kfsUrl: offer.kfsUrl,
    };
  }
}

function lendersOfEndedRound(
  offers: readonly HostedOffer[],
  without: readonly LenderWithoutOffer[],
): HostedLender[] {
  const offered = new Map(offers.map(({ lenderCode, lenderName }) => [lenderCode, lenderName]));
  const lenders: HostedLender[] = [
    ...[...offered].map(([code, name]) => ({ code, name, status: 'OFFERED' as const })),
    ...without.map(({ code, name, standing }) => ({
      code,
      name,
      status: standing === 'DECLINED' ? ('NO_OFFER' as const) : standing,
    })),
  ];
  return lenders.toSorted((one, other) => (one.code < other.code ? -1 : 1));
}

function statusWithoutOffer({ status, isUnreachable }: QuestionState): HostedLender['status'] {
  return isUnreachable && status !== 'ANSWERED' ? 'UNREACHABLE' : LENDER_STATUSES[status];
}

const LENDER_STATUSES: Record<QuestionState['status'], HostedLender['status']> = {
  OPEN: 'WAITING',
  ANSWERED: 'NO_OFFER',
  CLOSED: 'NO_ANSWER',
};
