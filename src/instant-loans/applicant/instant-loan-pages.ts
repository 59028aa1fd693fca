import { Injectable } from '@nestjs/common';
import { FEWEST_COMPARED } from '../../lenders/index.js';
import type { OfferOrder } from '../../matching/index.js';
import { PaymentOrders, PaymentOrderClosed, PaymentsUnavailable } from '../../payments/index.js';
import { Clock, Database, type Language, type Tx } from '../../platform/index.js';
import { InstantLoanAudit } from '../store/instant-loan-audit.js';
import { InstantLoanLinks } from '../access/instant-loan-links.js';
import type { ChosenInstantLoan, InstantLoan } from '../store/instant-loan.entity.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import { isAwaitingOffers, isChosen, isOwnChoice, isStillAsking } from '../domain/chosen-loan.js';
import { InstantLoanMover } from '../progress/instant-loan-mover.js';
import { isUnpaid } from '../domain/instant-loan-status.js';
import { isPastPaying } from '../domain/pay-times.js';
import { NextOffer } from '../offers/next-offer.js';
import { OpenedOffers } from '../offers/opened-offers.js';
import { StandingOffers } from '../offers/standing-offers.js';
import { FeeOrders } from '../use-cases/fee-orders.js';
import { AskedLenders } from './asked-lenders.js';
import { type InstantLoanView, isToCompare, isToPay } from './instant-loan-view.js';
import { offerlessViewOf } from './offerless-view.js';
import { OfferedViews } from './offered-views.js';
import { ComparedOffers, inShownOrder } from './compared-offers.js';
import { ShownTerms } from './shown-terms.js';

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

interface PaymentPress {
  readonly hasRead: boolean;
  /** Of the statement on the page. */
  readonly keyFactsHash: string;
  readonly language: Language;
}

type Ordered = { readonly orderId: string } | Exclude<PaymentVisit['kind'], 'GATEWAY'>;

@Injectable()
export class InstantLoanPages {
  constructor(
    private readonly database: Database,
    private readonly loans: InstantLoansRepository,
    private readonly payments: PaymentOrders,
    private readonly feeOrders: FeeOrders,
    private readonly mover: InstantLoanMover,
    private readonly nextOffer: NextOffer,
    private readonly asked: AskedLenders,
    private readonly views: OfferedViews,
    private readonly compared: ComparedOffers,
    private readonly standing: StandingOffers,
    private readonly opened: OpenedOffers,
    private readonly links: InstantLoanLinks,
    private readonly audit: InstantLoanAudit,
    private readonly shown: ShownTerms,
    private readonly clock: Clock,
  ) {}

  /**
   * Records what is shown of the lenders first.
   * @returns null for an unknown link
   */
  async view(
    token: string,
    language: Language,
    order: OfferOrder = 'APR',
  ): Promise<InstantLoanView | null> {
    const loan = await this.links.loanOf(token);
    if (!loan) return null;
    const view = await this.database.transaction((tx) => this.viewOf(tx, loan, language, order));
    await this.shown.toApplicant(loan, view, language, order);
    return this.withPaymentPage(loan, view);
  }

  /**
   * Records what the cards show first.
   * @returns null for an unknown link
   */
  async compare(
    token: string,
    language: Language,
    order: OfferOrder,
  ): Promise<InstantLoanView | null> {
    const loan = await this.links.loanOf(token);
    if (!loan) return null;
    const view = await this.database.transaction((tx) => this.viewOf(tx, loan, language, order));
    if (isToCompare(view)) await this.shown.compared(loan, view, language, order);
    return view;
  }

  /**
   * Orders the payment after the statement is acknowledged; opens the gateway's page outside the
   * transaction. An offer other than the one on the page is never paid for.
   * @returns null for an unknown link
   */
  async pay(token: string, press: PaymentPress): Promise<PaymentVisit | null> {
    const found = await this.links.loanOf(token);
    if (!found) return null;
    try {
      const ordered = await this.database.transaction((tx) => this.orderToPay(tx, found, press));
      if (typeof ordered === 'string') return { kind: ordered };
      return { kind: 'GATEWAY', ...ordered, ...(await this.payments.open(ordered.orderId)) };
    } catch (error) {
      if (error instanceof PaymentOrderClosed) return { kind: 'NOTHING_TO_PAY' };
      if (error instanceof PaymentsUnavailable) return { kind: 'UNAVAILABLE' };
      throw error;
    }
  }

  /** The return proves nothing: the gateway is asked, and its answer comes through the inbox. */
  async returned(token: string, language: Language): Promise<InstantLoanView | null> {
    const loan = await this.links.loanOf(token);
    if (!loan) return null;
    const { status, paymentOrderId } = loan;
    if (isUnpaid(status) && paymentOrderId !== null) await this.payments.askNow(paymentOrderId);
    const view = await this.database.transaction((tx) => this.viewOf(tx, loan, language));
    if (view.stage === 'NO_OFFER') await this.shown.toApplicant(loan, view, language);
    return this.withPaymentPage(loan, view);
  }

  /** Null for an unknown link. */
  async partnerOf(token: string): Promise<string | null> {
    return (await this.links.loanOf(token))?.partnerId ?? null;
  }

  /**
   * The codes of the asked and the chosen lenders, and the latest payment order; null for an
   * unknown link.
   */
  async lendersOf(token: string): Promise<{
    asked: readonly string[];
    chosen: string | null;
    paymentOrderId: string | null;
  } | null> {
    const loan = await this.links.loanOf(token);
    if (!loan) return null;
    const asked = await this.database.transaction((tx) => this.asked.of(tx, loan));
    return {
      asked: asked.map(({ code }) => code),
      chosen: isOwnChoice(loan) ? loan.lenderCode : null,
      paymentOrderId: loan.paymentOrderId,
    };
  }

  private async viewOf(
    tx: Tx,
    loan: InstantLoan,
    language: Language,
    order: OfferOrder = 'APR',
  ): Promise<InstantLoanView> {
    if (isChosen(loan)) return this.offeredViewOf(tx, loan, language, order);
    const lenders = await this.asked.of(tx, loan);
    const now = this.clock.now();
    const offers = isAwaitingOffers(loan) ? await this.standing.toChoose(tx, loan, now) : [];
    const offersNow = offers.length < FEWEST_COMPARED ? null : offers.length;
    return offerlessViewOf(loan, lenders, await this.views.pathsOf(tx, loan), now, offersNow);
  }

  /** The comparison comes first unless an available offer is chosen or none else can be. */
  private async offeredViewOf(
    tx: Tx,
    loan: ChosenInstantLoan,
    language: Language,
    order: OfferOrder,
  ): Promise<InstantLoanView> {
    const view = await this.views.of(tx, loan, language);
    if (!isToPay(view)) return view;
    const compared = inShownOrder(await this.compared.of(tx, loan, language), order);
    const others = compared.filter(({ offerId }) => offerId !== loan.offerId);
    const canBeHad = await this.compared.canLead(loan);
    const isOtherToChoose = others.some(({ canChoose }) => canChoose);
    const isOwn = isOwnChoice(loan);
    const stillAsked = await this.asked.stillAsked(tx, loan);
    const isChoiceGone = isOwn && !canBeHad;
    const all = { ...view, stillAsked, others, compared, canBeHad, isChoiceGone };
    if ((isOwn && canBeHad) || !isOtherToChoose) return all;
    return { ...all, stage: 'TO_CHOOSE' };
  }

  /** Outside the transaction: the accounts may have to be read again. */
  private async withPaymentPage(
    { lenderCode }: InstantLoan,
    view: InstantLoanView,
  ): Promise<InstantLoanView> {
    if (!isToPay(view) || lenderCode === null) return view;
    return { ...view, paymentPage: await this.payments.pageFor(lenderCode) };
  }

  /** Under the application's lock, so that repeated presses order once. */
  private async orderToPay(
    tx: Tx,
    { id, partnerId }: InstantLoan,
    { hasRead, keyFactsHash, language }: PaymentPress,
  ): Promise<Ordered> {
    const loan = await this.loans.lock(tx, partnerId, id);
    if (!loan || !isUnpaid(loan.status) || isPastPaying(loan, this.clock.now()))
      return 'NOTHING_TO_PAY';
    if (!isChosen(loan)) return 'NOTHING_TO_PAY';
    if (keyFactsHash !== loan.keyFactsHash) return 'OTHER_CHOICE';
    if (!(await this.feeOrders.mayOrder(loan))) {
      if (await this.nextOffer.take(tx, loan)) return 'OTHER_CHOICE';
      if (isStillAsking(loan)) return 'NOTHING_TO_PAY';
      await this.mover.move(tx, loan, 'LENDER_GONE');
      return 'NOTHING_TO_PAY';
    }
    if (!(await this.isChosenByApplicant(tx, loan))) return 'OTHER_CHOICE';
    if (!hasRead && loan.agreedAt === null) return 'UNAGREED';
    await this.agree(tx, loan, language);
    return { orderId: await this.feeOrders.orderOf(tx, loan) };
  }

  /** With one available offer there is nothing to choose. */
  private async isChosenByApplicant(tx: Tx, loan: ChosenInstantLoan): Promise<boolean> {
    if (isOwnChoice(loan)) return true;
    return (await this.standing.of(tx, loan, this.clock.now())).length === 0;
  }

  private async agree(tx: Tx, loan: ChosenInstantLoan, language: Language): Promise<void> {
    if (!(await this.loans.agree(tx, loan.id))) return;
    await this.opened.close(tx, loan);
    await this.shown.chosen(tx, loan, await this.views.of(tx, loan, language), { language });
    const facts = { keyFactsHash: loan.keyFactsHash, language };
    await this.audit.record(tx, loan, 'KEY_FACTS_AGREED', loan.status, facts);
  }
}
