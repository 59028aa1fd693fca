import { Injectable } from '@nestjs/common';
import {
  type HostedJourneyView,
  HostedReader,
  type Journey,
  JourneyFeesRepository,
} from '../../journeys/index.js';
import { PaymentOrders, Refunds } from '../../payments/index.js';
import { Clock, Database, Fault, isFault, type Language } from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import { InstantLoanLinks } from '../access/instant-loan-links.js';
import { FeePayments } from '../fee/fee-payments.js';
import type { ChoicePlace } from '../offers/binding-choices.js';
import { ComparedLoans, type PageVisit } from './compared-loans.js';
import { type InstantLoanView, isToPay, type LoanFacts } from './instant-loan-view.js';
import { type OfferPress, type PaymentPress, PayPresses } from './pay-presses.js';
import { viewOf } from './view-of-loan.js';

@Injectable()
export class LoanMoney {
  constructor(
    private readonly database: Database,
    private readonly payments: PaymentOrders,
    private readonly refunds: Refunds,
    private readonly fees: JourneyFeesRepository,
  ) {}

  of({
    partnerId,
    journeyId,
    fee,
  }: HostedJourneyView): Promise<Pick<LoanFacts, 'returned' | 'isEverOrdered' | 'hasPage'>> {
    const orderId = fee?.orderId ?? null;
    return this.database.transaction(async (tx) => ({
      returned: await this.refunds.of(tx, partnerId, journeyId),
      isEverOrdered: (await this.fees.list(tx, { partnerId, id: journeyId })).some(
        (one) => one.orderId !== null,
      ),
      hasPage: orderId !== null && !(await this.payments.isUnopened(tx, orderId)),
    }));
  }
}

export type PaymentVisit =
  | { readonly kind: 'GATEWAY'; readonly orderId: string; readonly url: string }
  /** The status page explains why. */
  | { readonly kind: 'NOTHING_TO_PAY' }
  /** The applicant did not acknowledge the statement; nothing has changed. */
  | { readonly kind: 'UNAGREED' }
  /** No offer is chosen, or another one than on the page; nothing is ordered. */
  | { readonly kind: 'OTHER_CHOICE' }
  /** The gateway has no page now; nothing has changed. */
  | { readonly kind: 'UNAVAILABLE' };

/** Each method throws Fault link_not_found for an unknown link. */
@Injectable()
export class InstantLoanPages {
  constructor(
    private readonly links: InstantLoanLinks,
    private readonly reader: HostedReader,
    private readonly offers: ComparedLoans,
    private readonly money: LoanMoney,
    private readonly presses: PayPresses,
    private readonly fees: FeePayments,
    private readonly settings: ServiceSettings,
    private readonly clock: Clock,
  ) {}

  /** Records which offers were displayed. */
  async view(token: string, language: Language, visit: PageVisit = {}): Promise<InstantLoanView> {
    const journey = await this.journeyOf(token);
    const read = await this.read(journey);
    const offers = await this.offers.of(journey, read, visit);
    const view = viewOf(read, {
      payPath: this.links.payPath(read.applicationId),
      ...offers,
      ...(await this.money.of(read)),
      paymentPage: null,
      decisionSeconds: (await this.settings.operating()).lenderGiveUpSeconds,
      language,
      now: this.clock.now(),
    });
    await this.offers.record(read, view, offers, language, visit);
    if (!isToPay(view)) return view;
    const lender = view.compared.find(({ offerId }) => offerId === view.offerId);
    return { ...view, paymentPage: lender ? await this.fees.pageFor(lender.lenderCode) : null };
  }

  /** Asks the gateway, since the return proves nothing; the answer comes through the inbox. */
  async returned(token: string, language: Language): Promise<InstantLoanView> {
    const journey = await this.journeyOf(token);
    await this.fees.returned({ partnerId: journey.partnerId, journeyId: journey.id });
    return this.view(token, language);
  }

  /** Opens the comparison early; later offers are added until the choice. */
  async open(token: string): Promise<boolean> {
    return this.presses.openOffers(await this.journeyOf(token));
  }

  async choose(token: string, offerId: string, place: ChoicePlace): Promise<OfferPress> {
    return this.presses.choose(await this.journeyOf(token), offerId, place);
  }

  /** An offer other than the one on the page is never paid for. */
  async pay(token: string, press: PaymentPress): Promise<PaymentVisit> {
    const found = await this.journeyOf(token);
    const journey = await this.presses.agree(found, press);
    if (typeof journey === 'string') return { kind: journey };
    const { id: journeyId, partnerId, applicationId, redirectId } = journey;
    if (redirectId === null) throw new Error(`journey ${journeyId} asks for no fee`);
    const visited = { partnerId, journeyId, redirectId };
    try {
      const page = await this.fees.open(visited, this.links.returnLink(applicationId));
      return page ? { kind: 'GATEWAY', ...page } : { kind: 'NOTHING_TO_PAY' };
    } catch (error) {
      if (!isFault(error, 'lender_unavailable')) throw error;
      return { kind: 'UNAVAILABLE' };
    }
  }

  /** Null for an unknown link: error pages ask, too. */
  async partnerOf(token: string): Promise<string | null> {
    return (await this.links.journeyOf(token))?.partnerId ?? null;
  }

  /** Lenders that were asked or chosen, and the latest payment order. */
  async lendersOf(token: string): Promise<{
    asked: readonly string[];
    chosen: string | null;
    paymentOrderId: string | null;
  }> {
    const journey = await this.journeyOf(token);
    const { lenders, selected, fee } = await this.read(journey);
    return {
      asked: lenders.map(({ code }) => code),
      chosen: selected?.offer.lenderCode ?? null,
      paymentOrderId: fee?.orderId ?? null,
    };
  }

  private async journeyOf(token: string): Promise<Journey> {
    const journey = await this.links.journeyOf(token);
    if (!journey) throw new Fault('link_not_found');
    return journey;
  }

  private read({ partnerId, id: journeyId }: Journey): Promise<HostedJourneyView> {
    return this.reader.read({ partnerId, journeyId });
  }
}
