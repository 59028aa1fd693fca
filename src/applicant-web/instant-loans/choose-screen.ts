import type { ChoosableOffer, OfferedLoanView, OfferlessView } from '../../instant-loans/index.js';
import { lenderIdentityOf, type OfferOrder } from '../../matching/index.js';
import {
  formatRupees,
  joined,
  Page,
  say,
  sayDate,
  type ScreenModel,
  type Shown,
} from '../../platform/index.js';
import type { CreditReportTerms } from '../../settings/index.js';
import { adviceRows, rejectionTexts } from '../entry/rejection-texts.js';
import { lateRow } from '../offers/late-charge.js';
import {
  cardFigures,
  type CardRow,
  coLenderRows,
  lenderHead,
  lowestOf,
  lowestTag,
  type OfferCard,
  row,
} from '../offers/offer-card.js';
import { orderLinks, withOrder } from '../offers/offer-order.js';
import { instantLendersWithout, receivedRow, repaidWithFeeRow, shownLender } from './loan-folds.js';
import { refundCards } from './refund-cards.js';

const ENQUIRIES: Readonly<Record<CreditReportTerms['afterChoice'], string>> = {
  NONE: 'instant.choose.report.none',
  SOFT: 'instant.choose.report.soft',
  HARD: 'instant.choose.report.hard',
};

const REFRESH_SECONDS = 10;

type InstantCard = OfferCard & { readonly choosePath?: string };

export function chooseScreen(view: OfferedLoanView, order: OfferOrder): ScreenModel {
  const { compared, payPath, loanAmount, isChoiceGone, stage, endsBy } = view;
  const isChosen = stage !== 'TO_CHOOSE';
  const count = compared.length;
  const isComparison = count > 1;
  const own = isChosen ? `${payPath}/offers` : payPath;
  return {
    titleKey: isChosen ? 'offers.again' : 'offers.title',
    titleValues: { count },
    isWide: true,
    ...(isChosen && { backHref: payPath, chosenText: chosenText(view) }),
    payPath,
    lenderName: view.lenderName,
    count,
    loanAmount: formatRupees(loanAmount),
    isComparison,
    orders: isComparison ? orderLinks(own, order) : [],
    offers: instantCards(view, order),
    without: instantLendersWithout(view),
    isChoiceGone,
    hasHardEnquiry: compared.some(({ terms }) => isHard(terms.creditReport)),
    leaveText: say('instant.choose.leave', { when: sayDate(endsBy) }),
    isFailed: stage === 'TO_PAY_AGAIN',
    refunds: refundCards(view.othersBack),
  };
}

export function askingPart({ compared, lenders, isStillAsking }: OfferedLoanView): ScreenModel {
  if (!isStillAsking) return {};
  const offers = compared.map(({ offerId }) => offerId);
  const stage = [...offers, ...lenders.map(({ status }) => status)].join(' ');
  return { refreshSeconds: REFRESH_SECONDS, stage };
}

function chosenText({ lenderName: lender, isOrdered, others }: OfferedLoanView) {
  if (!others.some(({ canChoose }) => canChoose))
    return say('instant.choose.chosen.only', { lender });
  return joined([
    say('instant.choose.chosen', { lender }),
    isOrdered ? say('instant.choose.chosen.ordered') : null,
  ]);
}

/** Every offer, in the given order, none hidden. */
function instantCards(view: OfferedLoanView, order: OfferOrder): InstantCard[] {
  const { compared: offers, loanAmount: amount, payPath, stage } = view;
  const compared = offers.map(({ figures, totalPayable: total }) => ({
    emi: figures.instalment,
    apr: figures.apr,
    total,
    amount,
  }));
  const choosable = compared.filter((_, place) => offers[place].canChoose);
  return offers.map((offer, place) => {
    const { offerId, lenderName, terms, figures, canChoose, kfsUrl: kfsHref } = offer;
    const lowest = lowestOf(compared[place], choosable);
    const isChosen = stage !== 'TO_CHOOSE' && view.canBeHad && offerId === view.offerId;
    return {
      offerId,
      ...lenderHead(lenderName, lenderIdentityOf(terms)),
      standing: standingOf(isChosen, canChoose),
      figures: cardFigures(figures, lowest),
      rows: moneyRows(offer, amount, lowest.total),
      ownRows: [...coLenderRows(terms.coLender), creditRow(offer)],
      kfsHref,
      ...(canChoose && !isChosen && { choosePath: withOrder(`${payPath}/choice`, order) }),
    };
  });
}

function standingOf(isChosen: boolean, canChoose: boolean): Shown | null {
  if (isChosen) return say('offers.standing.chosen');
  return canChoose ? null : say('offers.standing.released');
}

function moneyRows(
  { figures, terms, totalPayable }: ChoosableOffer,
  loanAmount: number,
  isLowest: boolean,
): CardRow[] {
  const { processingFees: fee } = figures;
  const declined =
    terms.feeOnDecline === 'KEPT' ? 'instant.choose.fee.kept' : 'instant.choose.fee.back';
  return [
    row('instant.choose.fee', formatRupees(fee), say(declined)),
    receivedRow(loanAmount),
    {
      ...repaidWithFeeRow({ loanAmount, fee, totalPayable: totalPayable - fee }),
      ...lowestTag(isLowest),
    },
    lateRow(terms),
  ];
}

function creditRow({ terms }: ChoosableOffer): CardRow {
  const { creditReport } = terms;
  const key = creditReport ? ENQUIRIES[creditReport.afterChoice] : undefined;
  return row(
    'instant.choose.report',
    say(key ?? 'instant.choose.report.unknown'),
    creditReport?.forOffer === 'HARD' ? say('instant.choose.report.before') : undefined,
  );
}

function isHard(terms: CreditReportTerms | undefined): boolean {
  return terms?.afterChoice === 'HARD' || terms?.forOffer === 'HARD';
}

const RELOAD_SECONDS = 4;

export function offersPage(view: OfferlessView): Page {
  const lenders = view.lenders.map(shownLender);
  return new Page('entry/waiting', {
    titleKey: 'entry.waiting.title',
    refreshSeconds: RELOAD_SECONDS,
    leaveKey: 'instant.waiting.leave',
    answered: lenders.filter(({ isAwaited }) => !isAwaited).length,
    asked: lenders.length,
    lenders,
    offersNow: view.offersNow,
    nowPath: `${view.payPath}/offers`,
  });
}

/** The application ended without a choice. Earlier choices may have been undone and refunded. */
function endedPage(view: OfferlessView): Page {
  const { isTimeOver, isUnpaid, othersBack, returnUrl } = view;
  const isUnseen = !isUnpaid && othersBack.length === 0;
  return new Page('instant/ended', {
    titleKey: isTimeOver ? 'instant.expired' : 'entry.closed.title',
    lead: joined([isUnpaid ? say('instant.unpaid') : null, say('entry.stop.again')]),
    isUnseen,
    refunds: refundCards(othersBack),
    returnUrl,
  });
}

export function noOfferPage(view: OfferlessView): Page {
  const { returnUrl, isAnswered } = view;
  if (view.stage !== 'NO_OFFER') return endedPage(view);
  const texts = rejectionTexts(isAnswered ? 'NO_OFFERS' : 'LENDERS_UNAVAILABLE');
  return new Page('entry/rejected', {
    titleKey: texts.titleKey,
    reasonKey: texts.reasonKey,
    owed: say('entry.owed.nothing'),
    advice: adviceRows(texts, ''),
    lenders: view.lenders
      .map(shownLender)
      .map(({ name, standing }) => joined([name, standing], ' · ')),
    returnUrl,
  });
}
