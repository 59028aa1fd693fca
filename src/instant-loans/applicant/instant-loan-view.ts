import {
  beginUntil,
  type ComparedOffer,
  choosableUntil,
  type HostedJourneyView,
  type HostedLender,
  lastEnd,
  payableUntil,
} from '../../journeys/index.js';
import type { FeeCharge, Paise } from '../../loans/index.js';
import type { PaymentPage, ReturnedMoney } from '../../payments/index.js';
import { type LenderIdentity, lenderIdentityOf } from '../../matching/index.js';
import type { Language } from '../../platform/index.js';
import {
  chargesIn,
  type ContingentCharge,
  type CreditReportTerms,
  type GrievanceOfficer,
  type LenderContact,
  type Ombudsman,
  ombudsmanOf,
} from '../../settings/index.js';
import { type PaidMoney, paidMoneyOf } from './paid-money.js';

/** The pages of an instant loan. */
export type InstantLoanStage =
  | 'OFFERS'
  | 'NO_OFFER'
  | 'TO_CHOOSE'
  | 'TO_PAY'
  | 'TO_PAY_AGAIN'
  | 'LAST_CHECK'
  | 'UNDER_DECISION'
  | 'SANCTIONED'
  | 'REJECTED'
  | 'EXPIRED';

/** Money in paise, rates in percent; names no applicant. */
export type InstantLoanView = OfferlessView | OfferedLoanView;

export type ChargeTerms = Pick<
  ComparedOffer['terms'],
  'contingentCharges' | 'unpaidCharges' | 'texts'
>;

export interface ChoosableOffer extends ComparedOffer {
  /** Whether it can be chosen and paid for. */
  readonly canChoose: boolean;
}

interface LoanView {
  readonly loanAmount: Paise;
  readonly payPath: string;
  /** Null when the partner has no return URL. */
  readonly returnUrl: string | null;
  /** In the order of their codes. */
  readonly lenders: readonly HostedLender[];
  /** Names of lenders that do not lend this amount. */
  readonly notLending: readonly string[];
}

export interface OfferlessView extends LoanView, Pick<PaidMoney, 'othersBack'> {
  readonly stage: 'OFFERS' | 'NO_OFFER' | 'EXPIRED';
  readonly hasOffer: false;
  /** Offers that can be compared before every lender has answered; null: too few. */
  readonly offersNow: number | null;
  /** If no lender answered, none could be reached. */
  readonly isAnswered: boolean;
  /** Whether no payment was ever ordered. */
  readonly isUnpaid: boolean;
  /** Whether it ended because no offer was paid for in time. */
  readonly isTimeOver: boolean;
}

/** Of the chosen offer; before the choice, of the one with the lowest APR. */
export interface OfferedLoanView extends LoanView, PaidMoney {
  readonly stage: Exclude<InstantLoanStage, 'OFFERS' | 'NO_OFFER'>;
  readonly hasOffer: true;
  /** Whether the applicant ever went on to the payment. */
  readonly isOrdered: boolean;
  /** Whether nothing can have been paid for the last choice: no order had a page. */
  readonly isUnpaid: boolean;
  readonly isAgreed: boolean;
  readonly lenderName: string;
  readonly lender: LenderIdentity;
  readonly creditReport?: CreditReportTerms;
  readonly grievanceOfficer: GrievanceOfficer;
  readonly ombudsman: Ombudsman;
  readonly contact: LenderContact;
  readonly instalment: Paise;
  readonly tenureMonths: number;
  readonly annualRatePercent: number;
  readonly apr: number;
  readonly fee: Paise;
  readonly isFeeKept: boolean;
  /** Null: not paid, or not in time. */
  readonly paidAt: Date | null;
  /** The gateway's reference of the payment that counted. */
  readonly paymentReference: string | null;
  /** The latest order. */
  readonly orderReference: string | null;
  /** Null once it has passed. */
  readonly decisionDueAt: Date | null;
  readonly decisionSeconds: number;
  readonly finishedAt: Date | null;
  readonly charges: readonly FeeCharge[];
  /** All instalments. */
  readonly totalPayable: Paise;
  /** Interest and charges. */
  readonly cost: Paise;
  readonly coolingOffDays: number;
  /** In the language, where the lender has it. */
  readonly contingentCharges: readonly ContingentCharge[];
  /** In the lender's own words. */
  readonly chargeTerms: ChargeTerms;
  readonly coLender?: { readonly name: string; readonly sharePercent: number };
  /** Whether it can be paid for. */
  readonly canBeHad: boolean;
  readonly offerId: string;
  /** Whether the applicant's chosen offer is no longer available. */
  readonly isChoiceGone: boolean;
  /** Besides this offer, until it is paid for. */
  readonly others: readonly ChoosableOffer[];
  /** In the requested order, this offer included, until it is paid for. */
  readonly compared: readonly ChoosableOffer[];
  /** Whether lenders are asked while the offers are compared. */
  readonly isStillAsking: boolean;
  /** Null when nothing can be paid now. */
  readonly paymentPage: PaymentPage | null;
  /** Whether it ended before the time to pay, and before a payment was ordered. */
  readonly isEndedEarly: boolean;
  /** Until when the fee can be paid, or the payment begun if it has no page yet. */
  readonly payUntil: Date;
  /** Whether no payment can begin, though the application is not over. */
  readonly isTooLateToBegin: boolean;
  readonly expiresAt: Date;
  /** The latest end of an unpaid application, whichever offer is chosen. */
  readonly endsBy: Date;
  readonly keyFactsPath: string;
  readonly keyFactsHash: string;
}

/** What the page shows beside the journey. */
export interface LoanFacts {
  readonly payPath: string;
  readonly notLending: readonly string[];
  /** In the requested order. */
  readonly compared: readonly ChoosableOffer[];
  /** Of the offer on the page; empty without one. */
  readonly keyFactsHash: string;
  readonly returned: readonly ReturnedMoney[];
  /** Whether a payment was ordered for any choice. */
  readonly isEverOrdered: boolean;
  /** Whether the latest order has or had a page. */
  readonly hasPage: boolean;
  readonly paymentPage: PaymentPage | null;
  readonly decisionSeconds: number;
  readonly language: Language;
  readonly now: Date;
}

/** The fewest offers that are compared. */
const FEWEST = 2;

export function viewOf(journey: HostedJourneyView, facts: LoanFacts): InstantLoanView {
  const offer = leadingOf(journey, facts.compared);
  return offer && journey.state !== 'INITIATED'
    ? offeredView(journey, offer, facts)
    : offerlessView(journey, facts);
}

/** The chosen offer, else the first that can be chosen, else the first. */
export function leadingOf<
  Offer extends { readonly isChosen: boolean; readonly canChoose: boolean },
>({ state }: Pick<HostedJourneyView, 'state'>, compared: readonly Offer[]): Offer | null {
  const chosen = compared.find(({ isChosen }) => isChosen);
  if (chosen) return chosen;
  if (state !== 'OFFERS_RECEIVED') return null;
  return compared.find(({ canChoose }) => canChoose) ?? compared[0] ?? null;
}

function offerlessView(journey: HostedJourneyView, facts: LoanFacts): OfferlessView {
  const isOpen = journey.state === 'INITIATED';
  const ended = journey.state === 'REJECTED' ? 'NO_OFFER' : 'EXPIRED';
  const offers = isOpen ? facts.compared.filter(({ canChoose }) => canChoose).length : 0;
  return {
    ...loanPart(journey, facts),
    stage: isOpen ? 'OFFERS' : ended,
    hasOffer: false,
    offersNow: offers < FEWEST ? null : offers,
    isAnswered: journey.outcomeReason !== 'LENDERS_UNAVAILABLE',
    isUnpaid: !facts.isEverOrdered,
    isTimeOver: journey.outcomeReason === 'PAYMENT_EXPIRED',
    othersBack: paidMoneyOf(null, facts.returned).othersBack,
  };
}

function loanPart(journey: HostedJourneyView, { payPath, notLending }: LoanFacts): LoanView {
  const { loanAmount, returnUrl, lenders } = journey;
  return { loanAmount, payPath, returnUrl, lenders, notLending };
}

function offeredView(
  journey: HostedJourneyView,
  offer: ChoosableOffer,
  facts: LoanFacts,
): OfferedLoanView {
  const { terms, figures } = offer;
  const { compared, keyFactsHash, returned, decisionSeconds, language, now } = facts;
  const { fee, finishedAt, selected } = journey;
  const others = compared.filter(({ offerId }) => offerId !== offer.offerId);
  const isPayable = offer.canChoose || (fee?.orderId ?? null) !== null;
  const stage = stageOf(journey, facts, { isPayable, hasOthers: others.some(canChoose) });
  const isComparable = isToPay({ stage }) || stage === 'TO_CHOOSE';
  return {
    ...loanPart(journey, facts),
    ...paidMoneyOf(fee, returned),
    ...timesOf(journey, offer, facts),
    ...paymentOf(journey, facts),
    stage,
    hasOffer: true,
    isAgreed: selected?.isAgreed ?? false,
    lenderName: offer.lenderName,
    lender: lenderIdentityOf(terms),
    ...(terms.creditReport && { creditReport: terms.creditReport }),
    grievanceOfficer: terms.grievanceOfficer,
    ombudsman: ombudsmanOf(terms),
    contact: terms.contact ?? terms.grievanceOfficer,
    instalment: figures.instalment,
    tenureMonths: figures.tenureMonths,
    annualRatePercent: figures.annualRatePercent,
    apr: figures.apr,
    fee: figures.processingFees,
    isFeeKept: fee ? fee.isKept : terms.feeOnDecline === 'KEPT',
    decisionSeconds,
    finishedAt,
    charges: figures.fees,
    totalPayable: offer.totalPayable - figures.processingFees,
    cost: offer.cost,
    coolingOffDays: terms.coolingOffDays,
    contingentCharges: chargesIn(terms.texts, language, terms.contingentCharges),
    chargeTerms: terms,
    ...(terms.coLender && { coLender: terms.coLender }),
    canBeHad: isPayable,
    offerId: offer.offerId,
    isChoiceGone: offer.isChosen && !isPayable,
    others: isComparable ? others : [],
    compared: isComparable ? compared : [],
    isStillAsking: journey.lenders.some(({ status }) => status === 'WAITING'),
    paymentPage: facts.paymentPage,
    decisionDueAt: decisionDueAt(fee?.paidAt ?? null, decisionSeconds, now),
    keyFactsPath: offer.kfsUrl,
    keyFactsHash,
  };
}

function paymentOf({ fee }: HostedJourneyView, { hasPage, isEverOrdered }: LoanFacts) {
  const orderReference = fee?.orderId ?? null;
  return {
    isOrdered: orderReference !== null,
    isUnpaid: orderReference === null ? !isEverOrdered : !hasPage && !fee?.isTryFailed,
    paidAt: fee?.paidAt ?? null,
    paymentReference: fee?.gatewayPaymentId ?? null,
    orderReference,
  };
}

function timesOf(journey: HostedJourneyView, offer: ChoosableOffer, { hasPage, now }: LoanFacts) {
  const { fee, state, finishedAt } = journey;
  const begin = choosableUntil(journey, offer.validUntil);
  const expiresAt = fee?.expiresAt ?? payableUntil(journey, offer.validUntil);
  const payUntil = hasPage ? expiresAt : beginUntil(expiresAt);
  const isOver = finishedAt !== null;
  return {
    payUntil,
    expiresAt,
    endsBy: lastEnd(journey),
    isTooLateToBegin: !isOver && payUntil <= now && now < expiresAt,
    isEndedEarly:
      state === 'ABANDONED' && (fee?.orderId ?? null) === null && isOver && finishedAt < begin,
  };
}

/** Null once it has passed. */
function decisionDueAt(paidAt: Date | null, seconds: number, now: Date): Date | null {
  const due = paidAt && new Date(paidAt.getTime() + seconds * 1_000);
  return due && due > now ? due : null;
}

function stageOf(
  journey: HostedJourneyView,
  { hasPage, compared, now }: LoanFacts,
  { isPayable, hasOthers }: { readonly isPayable: boolean; readonly hasOthers: boolean },
): OfferedLoanView['stage'] {
  const { state, fee, selected } = journey;
  switch (state) {
    case 'OFFERS_RECEIVED':
      if (compared.every(({ validUntil }) => choosableUntil(journey, validUntil) <= now))
        return 'EXPIRED';
      return compared.filter(canChoose).length >= FEWEST ? 'TO_CHOOSE' : 'TO_PAY';
    case 'FEE_PENDING':
      if (fee && (hasPage ? fee.expiresAt : beginUntil(fee.expiresAt)) <= now) {
        return hasPage ? 'LAST_CHECK' : 'EXPIRED';
      }
      if (!isPayable && hasOthers) return 'TO_CHOOSE';
      return fee?.isTryFailed ? 'TO_PAY_AGAIN' : 'TO_PAY';
    case 'SANCTIONED':
      return 'SANCTIONED';
    case 'REJECTED':
      return 'REJECTED';
    case 'ABANDONED':
      return 'EXPIRED';
    default:
      return selected ? 'UNDER_DECISION' : 'EXPIRED';
  }
}

function canChoose(offer: ChoosableOffer): boolean {
  return offer.canChoose;
}

export function isToPay(view: Pick<InstantLoanView, 'stage'>): view is OfferedLoanView {
  return view.stage === 'TO_PAY' || view.stage === 'TO_PAY_AGAIN';
}

export function isToCompare(view: InstantLoanView): view is OfferedLoanView {
  return isToPay(view) && view.others.length > 0;
}
