import type { AskedLender, OfferedLoanView, OfferlessView } from '../../instant-loans/index.js';
import { type Language, type ScreenModel, translate } from '../../platform/index.js';
import { creditEnquiry } from '../credit-enquiry.js';
import {
  cheaperOf,
  comparedCards,
  figuresOf,
  identityOf,
  loanRows,
  shownCard,
} from './instant-loan-terms.js';

const LOOK_AGAIN_SECONDS = 4;

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
    refreshSeconds: LOOK_AGAIN_SECONDS,
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

/** All offers side by side, none of them chosen. */
export function chooseScreen(view: OfferedLoanView, language: Language): ScreenModel {
  const { loanAmount, compared, comparison, othersBack, endsBy, payPath } = view;
  return {
    sheets: ['steps.css'],
    titleKey: 'instant.choose.page',
    choicePath: `${payPath}/choice`,
    loanAmount,
    offers: comparedCards(compared, language),
    cheaper: cheaperOf(view),
    comparison,
    othersBack,
    endsBy,
  };
}

/** What is paid before the decision and what becomes of it, what the loan is, and the way to the payment. */
export function payScreen(view: OfferedLoanView, language: Language): InstantScreen {
  const { comparison, others, lender, payPath } = view;
  return {
    ...view,
    sheets: ['steps.css'],
    titleKey: 'instant.pay.title',
    choicePath: `${payPath}/choice`,
    canChoose: others.some(({ canChoose }) => canChoose),
    identity: identityOf(lender, language),
    figures: figuresOf(view, language),
    loan: loanRows(view, language),
    // An earlier release compared the lenders' terms.
    isOfOffers: comparison.noOffer !== undefined,
    others: others.map((other) => shownCard(other, language)),
    cheaper: cheaperOf(view),
    enquiry: creditEnquiry(view, 'PAYMENT', view.lenderName, language),
  };
}

/** How it stands after the payment, or after the try. */
export function statusScreen(view: OfferedLoanView, language: Language): InstantScreen {
  const { stage, isEndedEarly, others } = view;
  return {
    ...view,
    canChoose: others.some(({ canChoose }) => canChoose),
    sheets: ['steps.css'],
    titleKey: isEndedEarly ? 'instant.ended.title' : STATUS_TITLES[stage],
    titleValues: { lender: view.lenderName },
    figures: figuresOf(view, language),
    ...(changesByItself(view) && { refreshSeconds: LOOK_AGAIN_SECONDS }),
  };
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
