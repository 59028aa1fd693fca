import type { AskedLender, OfferedLoanView, OfferlessView } from '../../instant-loans/index.js';
import {
  formatPercent,
  formatRupees,
  type Language,
  type ScreenModel,
  translate,
} from '../../platform/index.js';

const LOOK_AGAIN_SECONDS = 4;

const STATUS_TITLES: Readonly<Record<OfferedLoanView['stage'], string>> = {
  TO_PAY: 'instant.checking.title',
  TO_PAY_AGAIN: 'instant.failed.title',
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
const CHANGES_BY_ITSELF: readonly OfferedLoanView['stage'][] = ['TO_PAY', 'UNDER_DECISION'];

interface Figure {
  readonly labelKey: string;
  readonly value: string;
  readonly isMain?: boolean;
}

type InstantScreen = ScreenModel &
  OfferedLoanView & {
    readonly figures: readonly Figure[];
    /** Whether the comparison is of offers; an earlier release compared the lenders' terms. */
    readonly isOfOffers: boolean;
  };

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
  };
}

/** What the loan is, what is paid now, and the way to the payment. */
export function payScreen(view: OfferedLoanView): InstantScreen {
  return { ...view, ...factsOf(view), titleKey: 'instant.pay.title' };
}

/** How it stands after the payment, or after the try. */
export function statusScreen(view: OfferedLoanView): InstantScreen {
  return {
    ...view,
    ...factsOf(view),
    titleKey: view.isEndedEarly ? 'instant.ended.title' : STATUS_TITLES[view.stage],
    ...(CHANGES_BY_ITSELF.includes(view.stage) && { refreshSeconds: LOOK_AGAIN_SECONDS }),
  };
}

function lendersOf({ lenders }: OfferlessView, language: Language) {
  return lenders.map(({ name, standing }) => ({
    label: name,
    value: translate(language, LENDER_STANDINGS[standing]),
  }));
}

function factsOf(view: OfferedLoanView) {
  return { figures: figuresOf(view), isOfOffers: view.comparison.noOffer !== undefined };
}

function figuresOf({ loanAmount, instalment, apr }: OfferedLoanView): Figure[] {
  return [
    { labelKey: 'instant.amount', value: formatRupees(loanAmount), isMain: true },
    { labelKey: 'instant.instalment', value: formatRupees(instalment) },
    { labelKey: 'instant.apr', value: formatPercent(apr) },
  ];
}
