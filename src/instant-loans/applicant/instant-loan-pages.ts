import { Injectable } from '@nestjs/common';
import {
  Acknowledgements,
  comparedInOrder,
  HostedJourneys,
  type HostedJourneyView,
  type Journey,
  JourneysRepository,
  OffersRepository,
  ShownComparisons,
} from '../../journeys/index.js';
import { KeyFactsRepository } from '../../key-facts/index.js';
import { addMonths, dayInIndia } from '../../loans/index.js';
import type { OfferOrder } from '../../matching/index.js';
import { PaymentOrders, Refunds } from '../../payments/index.js';
import { Clock, Database, Fault, type Language, type Tx } from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import { InstantLoanLinks } from '../access/instant-loan-links.js';
import { FeePayments } from '../fee/fee-payments.js';
import { BindingChoices, type ChoicePlace } from '../offers/binding-choices.js';
import { InstantLenders } from '../use-cases/instant-lenders.js';
import {
  type ChoosableOffer,
  type InstantLoanView,
  isToCompare,
  isToPay,
  leadingOf,
  type LoanFacts,
  viewOf,
} from './instant-loan-view.js';

export type PaymentVisit =
  | { readonly kind: 'GATEWAY'; readonly orderId: string; readonly url: string }
  /** The status page says why. */
  | { readonly kind: 'NOTHING_TO_PAY' }
  /** The statement was not acknowledged; nothing has changed. */
  | { readonly kind: 'UNAGREED' }
  /** No offer is chosen, or not the one on the page; nothing is ordered. */
  | { readonly kind: 'OTHER_CHOICE' }
  /** The gateway has no page now; nothing has changed. */
  | { readonly kind: 'UNAVAILABLE' };

interface PageVisit {
  /** Of the comparison. */
  readonly order?: OfferOrder;
  /** Whether the offers are compared beside the chosen one. */
  readonly isBeside?: boolean;
}

interface PaymentPress {
  readonly hasRead: boolean;
  /** Of the statement on the page. */
  readonly keyFactsHash: string;
  readonly language: Language;
}

/** `GONE`: the offer cannot be chosen. `NO_CHOICE`: the fee is paid, or the application is over. */
type OfferPress = 'CHOSEN' | 'GONE' | 'NO_CHOICE';

type Refused = 'NOTHING_TO_PAY' | 'UNAGREED' | 'OTHER_CHOICE';

/** The pages of an instant loan. Each method returns null for an unknown link. */
@Injectable()
export class InstantLoanPages {
  constructor(
    private readonly database: Database,
    private readonly links: InstantLoanLinks,
    private readonly journeys: JourneysRepository,
    private readonly hosted: HostedJourneys,
    private readonly offers: OffersRepository,
    private readonly lenders: InstantLenders,
    private readonly choices: BindingChoices,
    private readonly statements: KeyFactsRepository,
    private readonly acknowledgements: Acknowledgements,
    private readonly comparisons: ShownComparisons,
    private readonly fees: FeePayments,
    private readonly payments: PaymentOrders,
    private readonly refunds: Refunds,
    private readonly settings: ServiceSettings,
    private readonly clock: Clock,
  ) {}

  /** Records what is shown of the lenders first. */
  async view(
    token: string,
    language: Language,
    visit: PageVisit = {},
  ): Promise<InstantLoanView | null> {
    const journey = await this.links.journeyOf(token);
    return journey && this.viewOf(journey, language, visit);
  }

  /** Asks the gateway first: the return proves nothing, and its answer comes through the inbox. */
  async returned(token: string, language: Language): Promise<InstantLoanView | null> {
    const journey = await this.links.journeyOf(token);
    if (!journey) return null;
    await this.fees.returned({ partnerId: journey.partnerId, journeyId: journey.id });
    return this.view(token, language);
  }

  /** Opens the comparison before every lender has answered; later offers are added until the choice. */
  async open(token: string): Promise<boolean | null> {
    const journey = await this.links.journeyOf(token);
    if (!journey) return null;
    return this.hosted.openOffers({ partnerId: journey.partnerId, journeyId: journey.id });
  }

  async choose(token: string, offerId: string, place: ChoicePlace): Promise<OfferPress | null> {
    const found = await this.links.journeyOf(token);
    if (!found) return null;
    return this.database.transaction(async (tx) => {
      const journey = await this.lockUnpaid(tx, found);
      if (!journey) return 'NO_CHOICE';
      if (journey.selectedOfferId === offerId) return 'CHOSEN';
      const choosable = await this.choices.choosable(tx, journey);
      const offer = choosable.find(({ id }) => id === offerId);
      if (!offer) return 'GONE';
      await this.choices.choose(tx, journey, offer, place);
      return 'CHOSEN';
    });
  }

  /**
   * Orders the payment after the statement is acknowledged; opens the gateway's page outside the transaction. An
   * offer other than the one on the page is never paid for.
   */
  async pay(token: string, press: PaymentPress): Promise<PaymentVisit | null> {
    const found = await this.links.journeyOf(token);
    if (!found) return null;
    const journey = await this.database.transaction((tx) => this.agree(tx, found, press));
    if (typeof journey === 'string') return { kind: journey };
    const { id: journeyId, partnerId, applicationId, redirectId } = journey;
    if (redirectId === null) throw new Error(`journey ${journeyId} asks for no fee`);
    const visited = { partnerId, journeyId, redirectId };
    try {
      const page = await this.fees.open(visited, this.links.returnLink(applicationId));
      return page ? { kind: 'GATEWAY', ...page } : { kind: 'NOTHING_TO_PAY' };
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'lender_unavailable') throw error;
      return { kind: 'UNAVAILABLE' };
    }
  }

  async partnerOf(token: string): Promise<string | null> {
    return (await this.links.journeyOf(token))?.partnerId ?? null;
  }

  /** The codes of the asked and the chosen lenders, and the latest payment order. */
  async lendersOf(token: string): Promise<{
    asked: readonly string[];
    chosen: string | null;
    paymentOrderId: string | null;
  } | null> {
    const journey = await this.links.journeyOf(token);
    if (!journey) return null;
    const { lenders, selected, fee } = await this.read(journey);
    return {
      asked: lenders.map(({ code }) => code),
      chosen: selected?.offer.lenderCode ?? null,
      paymentOrderId: fee?.orderId ?? null,
    };
  }

  private read({ partnerId, id: journeyId }: Journey): Promise<HostedJourneyView> {
    return this.hosted.read({ partnerId, journeyId });
  }

  /** Null once the fee is paid, or the journey is over. */
  private async lockUnpaid(tx: Tx, { partnerId, id }: Journey): Promise<Journey | null> {
    const journey = await this.journeys.lock(tx, partnerId, id);
    const isUnpaid = journey?.state === 'OFFERS_RECEIVED' || journey?.state === 'FEE_PENDING';
    return isUnpaid ? journey : null;
  }

  /**
   * Under the journey's lock, so that repeated presses choose and agree once.
   * @returns the journey, in FEE_PENDING
   */
  private async agree(tx: Tx, found: Journey, press: PaymentPress): Promise<Journey | Refused> {
    const { hasRead, keyFactsHash: hash, language } = press;
    const journey = await this.lockUnpaid(tx, found);
    if (!journey) return 'NOTHING_TO_PAY';
    const choosable = await this.choices.choosable(tx, journey);
    const { selectedOfferId } = journey;
    if (selectedOfferId === null) {
      // With one available offer there is nothing to choose.
      const [only, ...others] = choosable;
      if (!only) return 'NOTHING_TO_PAY';
      const { contentHash } = await this.choices.statementOf(journey, only);
      if (others.length > 0 || contentHash !== hash) return 'OTHER_CHOICE';
      if (!hasRead) return 'UNAGREED';
      const chosen = await this.choices.choose(tx, journey, only, { language });
      return this.acknowledge(tx, chosen, only.id, hash, language);
    }
    const standing = await this.statements.standing(tx, journey.partnerId, selectedOfferId);
    if (standing?.contentHash !== hash) return 'OTHER_CHOICE';
    const isLeft = choosable.some(({ id }) => id === selectedOfferId);
    if (!isLeft && !(await this.fees.isOrdered(tx, journey))) {
      if (choosable.length === 0) return 'NOTHING_TO_PAY';
      await this.choices.release(tx, journey);
      return 'OTHER_CHOICE';
    }
    if (!hasRead && !standing.acknowledgement) return 'UNAGREED';
    return this.acknowledge(tx, journey, selectedOfferId, hash, language);
  }

  private async acknowledge(
    tx: Tx,
    journey: Journey,
    offerId: string,
    hash: string,
    language: Language,
  ): Promise<Journey> {
    const given = { hash, language, by: 'CONFIRMATION' } as const;
    await this.acknowledgements.record(tx, journey, offerId, given);
    return journey;
  }

  private async viewOf(
    journey: Journey,
    language: Language,
    { order = 'APR', isBeside = false }: PageVisit,
  ): Promise<InstantLoanView> {
    const read = await this.read(journey);
    const notLending = await this.lenders.notLending(read.loanAmount);
    const choosable = await this.comparedOf(journey, read, order);
    const view = viewOf(read, {
      payPath: this.links.payPath(read.applicationId),
      notLending: notLending.map(({ name }) => name),
      compared: choosable,
      ...(await this.paymentOf(journey, read, choosable)),
      decisionSeconds: (await this.settings.operating()).lenderGiveUpSeconds,
      language,
      now: this.clock.now(),
    });
    // The page of a chosen offer shows no other.
    if (!read.selected || view.stage === 'TO_CHOOSE' || (isBeside && isToCompare(view))) {
      const shown = {
        ...read,
        offers: choosable.map((offer) => ({ ...offer, isValid: offer.canChoose })),
        wayBack: read.selected && ('OPEN' as const),
        notLending: notLending.map(({ code }) => code),
      };
      await this.comparisons.toApplicant(shown, language, order);
    }
    if (!isToPay(view)) return view;
    // Outside the transaction: the accounts may have to be read again.
    const lender = view.compared.find(({ offerId }) => offerId === view.offerId);
    return { ...view, paymentPage: lender ? await this.fees.pageFor(lender.lenderCode) : null };
  }

  private async comparedOf(
    journey: Journey,
    { offers }: HostedJourneyView,
    order: OfferOrder,
  ): Promise<ChoosableOffer[]> {
    const firstDueOn = addMonths(dayInIndia(this.clock.now()), 1);
    const isOpen = journey.finishedAt === null;
    const choosable = isOpen
      ? await this.database.transaction((tx) => this.choices.choosable(tx, journey))
      : [];
    const ids = new Set(choosable.map(({ id }) => id));
    return comparedInOrder(offers, order, firstDueOn).map((offer) => ({
      ...offer,
      canChoose: ids.has(offer.offerId),
    }));
  }

  private async paymentOf(
    journey: Journey,
    read: HostedJourneyView,
    offers: readonly ChoosableOffer[],
  ): Promise<
    Pick<LoanFacts, 'keyFactsHash' | 'returned' | 'isEverOrdered' | 'hasPage' | 'paymentPage'>
  > {
    const leading = leadingOf(read, offers);
    const orderId = read.fee?.orderId ?? null;
    const { id, partnerId } = journey;
    const offer = leading && (await this.offers.findInRound(journey, leading.offerId));
    const draft = offer && !read.selected && (await this.choices.statementOf(journey, offer));
    return this.database.transaction(async (tx) => ({
      keyFactsHash: read.selected?.keyFactsHash ?? (draft ? draft.contentHash : ''),
      returned: await this.refunds.of(tx, partnerId, id),
      isEverOrdered: await this.fees.isEverOrdered(tx, journey),
      hasPage: orderId !== null && !(await this.payments.isUnopened(tx, orderId)),
      paymentPage: null,
    }));
  }
}
