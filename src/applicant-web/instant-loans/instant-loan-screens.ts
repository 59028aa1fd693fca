import type { AskedLender, OfferedLoanView, OfferlessView } from '../../instant-loans/index.js';
import { SHORTEST_PAGE_LIFE_MS } from '../../payments/index.js';
import { formatMoney, type Language, type ScreenModel, translate } from '../../platform/index.js';
import { costADay } from '../cost-a-day.js';
import { creditEnquiry, enquiriesThatStay, hasHardEnquiry } from '../credit-enquiry.js';
import { furtherComplaint } from '../steps/further-complaint.js';
import {
  cheaperOf,
  cheapestBeside,
  comparedCards,
  figuresOf,
  identityOf,
  loanRows,
} from './instant-loan-terms.js';

const RELOAD_SECONDS = 4;
const MINUTE_SECONDS = 60;

const STATUS_TITLES: Readonly<Record<OfferedLoanView['stage'], string>> = {
  TO_CHOOSE: 'instant.others.title',
  TO_PAY: 'instant.checking.title',
  TO_PAY_AGAIN: 'instant.failed.title',
  LAST_CHECK: 'instant.checking.title',
  CLOSING: 'instant.closing.title',
  UNDER_DECISION: 'instant.received.title',
  SANCTIONED: 'instant.sanctioned.title',
  REJECTED: 'instant.rejected.title',
  EXPIRED: 'instant.expired.title',
};

const LENDER_STANDINGS: Readonly<Record<AskedLender['standing'], string>> = {
  WAITING: 'entry.waiting.asked',
  OFFERED: 'entry.waiting.offered',
  DECLINED: 'entry.waiting.noOffer',
  OFFER_REFUSED: 'entry.waiting.noOffer',
  PASSED_OVER: 'instant.no-offer.passed-over',
  UNREACHABLE: 'entry.waiting.unreachable',
  NO_ANSWER: 'entry.waiting.noAnswer',
};

/** Those of whom an answer may still come. */
const AWAITED: ReadonlySet<AskedLender['standing']> = new Set(['WAITING', 'UNREACHABLE']);

/** Where something is still to come, the page looks again by itself. */
const CHANGES_BY_ITSELF: readonly OfferedLoanView['stage'][] = [
  'TO_PAY',
  'LAST_CHECK',
  'CLOSING',
  'UNDER_DECISION',
];

type InstantScreen = ScreenModel & OfferedLoanView;

/** Who is asked, and how many have answered; the page goes on by itself. */
export function offersScreen(view: OfferlessView, language: Language): ScreenModel {
  return {
    titleKey: 'instant.offers.title',
    refreshSeconds: RELOAD_SECONDS,
    loanAmount: view.loanAmount,
    answered: view.lenders.filter(({ standing }) => !AWAITED.has(standing)).length,
    asked: view.lenders.length,
    lenders: lendersOf(view, language),
  };
}

/** That no lender makes an offer, or that it ended before one was chosen. */
export function noOfferScreen(view: OfferlessView, language: Language): ScreenModel {
  const isRejected = view.stage === 'NO_OFFER';
  return {
    titleKey: isRejected ? 'instant.no-offer.title' : 'instant.ended.title',
    isRejected,
    loanAmount: view.loanAmount,
    isAnswered: view.isAnswered,
    asked: view.lenders.length,
    lenders: lendersOf(view, language),
    returnUrl: view.returnUrl,
  };
}

/** All offers side by side: none of them chosen, or the comparison looked at once more. */
export function chooseScreen(view: OfferedLoanView, language: Language): ScreenModel {
  const { loanAmount, compared, comparison, othersBack, endsBy, payPath, lenderName } = view;
  const isChosen = view.stage !== 'TO_CHOOSE';
  const isComparison = compared.length > 1;
  return {
    sheets: ['steps.css', 'instant-offers.css'],
    isWide: isComparison,
    isComparison,
    titleKey: 'instant.choose.page',
    ...(isChosen && { backHref: payPath }),
    payPath,
    choicePath: `${payPath}/choice`,
    loanAmount,
    lenderName,
    isChosen,
    isChoiceGone: view.isChoiceGone,
    isFailed: view.stage === 'TO_PAY_AGAIN',
    isOrdered: view.isOrdered,
    isOfOffers: isOfOffers(view),
    canChoose: choosableOf(view) > 0,
    offers: comparedCards(compared, language).map((card) => ({
      ...card,
      isLeading: isChosen && view.canBeHad && card.offerId === view.offerId,
    })),
    enquiries: compared.flatMap(({ creditReport = {}, lenderName: lender }) =>
      enquiriesThatStay(creditReport, 'BEFORE_PAYMENT', lender, language),
    ),
    cheaper: cheaperOf(view),
    comparison,
    othersBack,
    endsBy,
  };
}

/** What is paid before the decision and what becomes of it, what the loan is, and the way to the payment. */
export function payScreen(view: OfferedLoanView, language: Language): InstantScreen {
  const { compared, lender } = view;
  const tags = comparedCards(compared, language).find(({ offerId }) => offerId === view.offerId);
  return {
    ...view,
    sheets: ['steps.css'],
    titleKey: view.canBeHad ? 'instant.pay.title' : 'instant.dead.title',
    ...otherOffersOf(view),
    tags,
    cheapest: cheapestBeside(view),
    identity: identityOf(lender, language),
    further: furtherComplaint(view),
    figures: figuresOf(view, language),
    loan: loanRows(view, language),
    costADay: costADay({ netDisbursed: view.loanAmount, apr: view.apr }, language),
    decisionMinutes: Math.ceil(view.decisionSeconds / MINUTE_SECONDS),
    pageMinutes: SHORTEST_PAGE_LIFE_MS / 60_000,
    isOfOffers: isOfOffers(view),
    enquiries: enquiriesOf(view, language),
    enquiry: creditEnquiry(view, 'PAYMENT', view.lenderName, language),
    hasHardEnquiry: hasHardEnquiry(view.creditReport ?? {}),
  };
}

/** How it stands after the payment, or after the try. */
export function statusScreen(view: OfferedLoanView, language: Language): InstantScreen {
  const sentBack = declinedFeeSentBack(view);
  return {
    ...view,
    ...otherOffersOf(view),
    enquiries: enquiriesOf(view, language),
    hasHardEnquiry: hasHardEnquiry(view.creditReport ?? {}),
    sheets: ['steps.css'],
    further: furtherComplaint(view),
    sentBack,
    titleKey: statusTitleOf(view, sentBack),
    titleValues: { lender: view.lenderName, ...(sentBack !== null && { amount: sentBack }) },
    figures: figuresOf(view, language),
    costADay: costADay({ netDisbursed: view.loanAmount, apr: view.apr }, language),
    ...(changesByItself(view) && { refreshSeconds: RELOAD_SECONDS }),
  };
}

function statusTitleOf({ stage, isEndedEarly }: OfferedLoanView, sentBack: string | null): string {
  if (isEndedEarly) return 'instant.ended.title';
  return sentBack === null ? STATUS_TITLES[stage] : 'instant.rejected.sent-back';
}

/** The fee of a declined application that was sent back, as it is written; null as long as it was not. */
function declinedFeeSentBack({ stage, feeBack }: OfferedLoanView): string | null {
  if (stage !== 'REJECTED' || feeBack?.standing !== 'SENT') return null;
  return formatMoney(feeBack.amount, feeBack.currency);
}

/** How many other offers can be chosen, and where they stand side by side. */
function otherOffersOf(view: OfferedLoanView) {
  const choosable = choosableOf(view);
  return { choosable, canChoose: choosable > 0, offersPath: `${view.payPath}/offers` };
}

function choosableOf({ others }: OfferedLoanView): number {
  return others.filter(({ canChoose }) => canChoose).length;
}

/** An earlier release compared the lenders' terms. */
function isOfOffers({ comparison }: OfferedLoanView): boolean {
  return comparison.noOffer !== undefined;
}

/** Nothing is asked after a payment that came too late: no lender decides. */
function enquiriesOf(view: OfferedLoanView, language: Language): string[] {
  const moment = view.paidAt === null ? 'BEFORE_PAYMENT' : 'PAID';
  return enquiriesThatStay(view.creditReport ?? {}, moment, view.lenderName, language);
}

/** One whose time is over may still go on with another offer, as long as it has not ended. */
function changesByItself({ stage, finishedAt }: OfferedLoanView): boolean {
  return CHANGES_BY_ITSELF.includes(stage) || (stage === 'EXPIRED' && finishedAt === null);
}

function lendersOf({ lenders }: OfferlessView, language: Language) {
  return lenders.map(({ name, standing }) => ({
    label: name,
    value: translate(language, LENDER_STANDINGS[standing]),
  }));
}
