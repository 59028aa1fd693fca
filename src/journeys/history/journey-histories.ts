import { Injectable } from '@nestjs/common';
import type { LenderWithoutOffer } from '../../matching/index.js';
import type { LoanFigures } from '../domain/journey.js';
import { nextActionOf } from '../domain/next-action.js';
import { lendersWithoutOffer } from '../offers/ended-rounds.js';
import { ProviderWait } from '../redirects/provider-wait.js';
import type { HostedLink } from '../store/hosted-access.entity.js';
import type { Journey } from '../store/journey.entity.js';
import {
  type HostedVisit,
  JourneyHistoryRepository,
  type MadeMove,
  type SentRedirect,
} from '../store/journey-history.repository.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import type { Offer } from '../store/offer.entity.js';

/** Amounts in paise, rates in percent a year, the tenure in months. */
export type ReceivedOffer = Pick<
  Offer,
  'id' | 'sellerName' | 'round' | 'createdAt' | 'validUntil' | 'principal'
> &
  Pick<LoanFigures, 'instalment' | 'tenureMonths' | 'apr'> & { readonly isSelected: boolean };

export interface JourneyHistory {
  readonly journey: Pick<
    Journey,
    | 'id'
    | 'applicationId'
    | 'productCode'
    | 'channel'
    | 'state'
    | 'loanAmount'
    | 'outcomeReason'
    | 'createdAt'
    | 'updatedAt'
    | 'disbursedAt'
  > & {
    /** Without the redirect's URL, which opens the applicant's session. */
    readonly nextAction: { readonly type: string; readonly category: string };
  };
  /** Each list is newest first, at most 100 rows. */
  readonly moves: readonly MadeMove[];
  readonly offers: readonly ReceivedOffer[];
  /** Of the last ended round; null before one. */
  readonly lendersWithoutOffer: readonly LenderWithoutOffer[] | null;
  readonly redirects: readonly SentRedirect[];
  readonly links: readonly Pick<HostedLink, 'createdAt' | 'expiresAt'>[];
  readonly visits: readonly HostedVisit[];
}

const JOURNEY_ID = /^jrn_[0-9a-f]{32}$/;

/** Reading it is not recorded as a presentation. */
@Injectable()
export class JourneyHistories {
  constructor(
    private readonly journeys: JourneysRepository,
    private readonly records: JourneyHistoryRepository,
    private readonly providers: ProviderWait,
  ) {}

  async has(partnerId: string, id: string): Promise<boolean> {
    return JOURNEY_ID.test(id) && (await this.journeys.find(partnerId, id)) !== null;
  }

  async find(partnerId: string, id: string): Promise<JourneyHistory | null> {
    const journey = JOURNEY_ID.test(id) ? await this.journeys.find(partnerId, id) : null;
    if (!journey) return null;
    const [moves, offers, redirects, links, visits, isDeciding] = await Promise.all([
      this.records.moves(journey),
      this.records.offers(journey),
      this.records.redirects(journey),
      this.records.links(journey),
      this.records.visits(journey),
      this.providers.isDeciding(journey),
    ]);
    const shown = shownOf(journey);
    const { type, category } = nextActionOf({ ...shown, isDeciding });
    return {
      journey: { ...shown, nextAction: { type, category } },
      moves,
      offers: offers
        .filter((offer) => isShown(journey, offer))
        .map((one) => received(journey, one)),
      lendersWithoutOffer: journey.state === 'INITIATED' ? null : lendersWithoutOffer(journey),
      redirects,
      links,
      visits,
    };
  }
}

function shownOf({
  id,
  applicationId,
  productCode,
  channel,
  state,
  loanAmount,
  outcomeReason,
  createdAt,
  updatedAt,
  disbursedAt,
}: Journey) {
  return {
    id,
    applicationId,
    productCode,
    channel,
    state,
    loanAmount,
    outcomeReason,
    createdAt,
    updatedAt,
    disbursedAt,
  };
}

/** A round's offers appear together, once its lenders have answered; never if the journey ended before. */
function isShown(journey: Journey, { round }: Offer): boolean {
  const { state, offerRound, selectedOfferId } = journey;
  if (round < offerRound || state === 'OFFERS_RECEIVED' || selectedOfferId !== null) return true;
  return state !== 'INITIATED' && lendersWithoutOffer(journey) !== null;
}

function received(journey: Journey, offer: Offer): ReceivedOffer {
  const { id, sellerName, round, createdAt, validUntil, principal, figures } = offer;
  return {
    id,
    sellerName,
    round,
    createdAt,
    validUntil,
    isSelected: id === journey.selectedOfferId,
    principal,
    instalment: figures.instalment,
    tenureMonths: figures.tenureMonths,
    apr: figures.apr,
  };
}
