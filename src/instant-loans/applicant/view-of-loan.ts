import {
  beginUntil,
  choosableUntil,
  type HostedJourneyView,
  lastEnd,
  payableUntil,
} from '../../journeys/index.js';
import { FEWEST_COMPARED } from '../../lenders/index.js';
import { lenderIdentityOf } from '../../matching/index.js';
import type { Language } from '../../platform/index.js';
import { chargesIn, ombudsmanOf } from '../../settings/index.js';
import {
  type ChoosableOffer,
  type InstantLoanView,
  isToPay,
  type LoanFacts,
  type LoanView,
  type OfferedLoanView,
  type OfferlessView,
  paidMoneyOf,
} from './instant-loan-view.js';

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
    offersNow: offers < FEWEST_COMPARED ? null : offers,
    isAnswered: journey.outcomeReason !== 'LENDERS_UNAVAILABLE',
    isUnpaid: !facts.isEverOrdered,
    isTimeOver: journey.outcomeReason === 'PAYMENT_EXPIRED',
    othersBack: paidMoneyOf(null, facts.returned).othersBack,
  };
}

function loanPart(journey: HostedJourneyView, { payPath, notLending }: LoanFacts): LoanView {
  const { loanAmount, returnUrl, lenders } = journey;
  return {
    loanAmount,
    payPath,
    returnUrl,
    lenders,
    notLending: notLending.map(({ name }) => name),
  };
}

function offeredView(
  journey: HostedJourneyView,
  offer: ChoosableOffer,
  facts: LoanFacts,
): OfferedLoanView {
  const { compared, keyFactsHash, returned, decisionSeconds, language, now } = facts;
  const { fee, finishedAt, selected } = journey;
  const others = compared.filter(({ offerId }) => offerId !== offer.offerId);
  const isPayable = offer.canChoose || (fee?.orderId ?? null) !== null;
  const stage = stageOf(journey, facts, { isPayable, hasOthers: others.some(mayChoose) });
  const isComparable = isToPay({ stage }) || stage === 'TO_CHOOSE';
  return {
    ...loanPart(journey, facts),
    ...paidMoneyOf(fee, returned),
    ...timesOf(journey, offer, facts),
    ...paymentOf(journey, facts),
    stage,
    hasOffer: true,
    isAgreed: selected?.isAgreed ?? false,
    ...termsPart(offer, language),
    isFeeKept: fee ? fee.isKept : offer.terms.feeOnDecline === 'KEPT',
    decisionSeconds,
    finishedAt,
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

function termsPart(offer: ChoosableOffer, language: Language) {
  const { terms, figures, lenderName } = offer;
  return {
    lenderName,
    lender: lenderIdentityOf(terms),
    creditReport: terms.creditReport,
    grievanceOfficer: terms.grievanceOfficer,
    ombudsman: ombudsmanOf(terms),
    contact: terms.contact ?? terms.grievanceOfficer,
    instalment: figures.instalment,
    tenureMonths: figures.tenureMonths,
    annualRatePercent: figures.annualRatePercent,
    apr: figures.apr,
    fee: figures.processingFees,
    charges: figures.fees,
    totalPayable: offer.totalPayable - figures.processingFees,
    cost: offer.cost,
    coolingOffDays: terms.coolingOffDays,
    contingentCharges: chargesIn(terms.texts, language, terms.contingentCharges),
    chargeTerms: terms,
    coLender: terms.coLender,
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
      return compared.filter(mayChoose).length >= FEWEST_COMPARED ? 'TO_CHOOSE' : 'TO_PAY';
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

function mayChoose({ canChoose }: ChoosableOffer): boolean {
  return canChoose;
}
