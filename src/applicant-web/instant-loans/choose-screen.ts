import type { ChoosableOffer, OfferedLoanView, OfferlessView } from '../../instant-loans/index.js';
import { lenderIdentityOf, type OfferOrder } from '../../matching/index.js';
import {
  formatDate,
  formatRupees,
  type Language,
  Page,
  type ScreenModel,
  translate,
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
} from '../offers/offer-card.js';
import { orderLinks, withOrder } from '../offers/offer-order.js';
import { lendersWithout, receivedRow, repaidWithFeeRow, shownLender } from './instant-rows.js';
import { refundCards } from './refund-cards.js';

const ENQUIRIES: Readonly<Record<CreditReportTerms['afterChoice'], string>> = {
  NONE: 'instant.choose.report.none',
  SOFT: 'instant.choose.report.soft',
  HARD: 'instant.choose.report.hard',
};

const REFRESH_SECONDS = 10;

type InstantCard = OfferCard & { readonly choosePath?: string };

export function chooseScreen(
  view: OfferedLoanView,
  order: OfferOrder,
  language: Language,
): ScreenModel {
  const { compared, payPath, loanAmount, isChoiceGone, stage, endsBy } = view;
  const isChosen = stage !== 'TO_CHOOSE';
  const count = compared.length;
  const isComparison = count > 1;
  const own = isChosen ? `${payPath}/offers` : payPath;
  return {
    titleKey: isChosen ? 'offers.again' : 'offers.title',
    titleValues: { count },
    isWide: true,
    ...(isChosen && { backHref: payPath, chosenText: chosenText(view, language) }),
    payPath,
    lenderName: view.lenderName,
    count,
    loanAmount: formatRupees(loanAmount),
    isComparison,
    orders: isComparison ? orderLinks(own, order, language) : [],
    offers: instantCards(view, order, language),
    without: lendersWithout(view, language),
    isChoiceGone,
    hasHardEnquiry: compared.some(({ terms }) => isHard(terms.creditReport)),
    leaveText: translate(language, 'instant.choose.leave', { when: formatDate(language, endsBy) }),
    isFailed: stage === 'TO_PAY_AGAIN',
    refunds: refundCards(view.othersBack, language),
  };
}

export function askingPart({ compared, lenders, isStillAsking }: OfferedLoanView): ScreenModel {
  if (!isStillAsking) return {};
  const offers = compared.map(({ offerId }) => offerId);
  const stage = [...offers, ...lenders.map(({ status }) => status)].join(' ');
  return { refreshSeconds: REFRESH_SECONDS, stage };
}

function chosenText(
  { lenderName: lender, isOrdered, others }: OfferedLoanView,
  language: Language,
) {
  if (!others.some(({ canChoose }) => canChoose))
    return translate(language, 'instant.choose.chosen.only', { lender });
  return [
    translate(language, 'instant.choose.chosen', { lender }),
    ...(isOrdered ? [translate(language, 'instant.choose.chosen.ordered')] : []),
  ].join(' ');
}

/** Every offer, in the given order, none hidden. */
function instantCards(view: OfferedLoanView, order: OfferOrder, language: Language): InstantCard[] {
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
      ...lenderHead(lenderName, lenderIdentityOf(terms), language),
      standing: standingOf(isChosen, canChoose, language),
      figures: cardFigures(
        { ...compared[place], tenureMonths: figures.tenureMonths },
        language,
        lowest,
      ),
      rows: moneyRows(offer, amount, lowest.total, language),
      ownRows: [...coLenderRows(terms.coLender, language), creditRow(offer, language)],
      kfsHref,
      ...(canChoose && !isChosen && { choosePath: withOrder(`${payPath}/choice`, order) }),
    };
  });
}

function standingOf(isChosen: boolean, canChoose: boolean, language: Language): string | null {
  if (isChosen) return translate(language, 'offers.standing.chosen');
  return canChoose ? null : translate(language, 'offers.standing.released');
}

function moneyRows(
  { figures, terms, totalPayable }: ChoosableOffer,
  loanAmount: number,
  isLowest: boolean,
  language: Language,
): CardRow[] {
  const { processingFees: fee } = figures;
  const declined =
    terms.feeOnDecline === 'KEPT' ? 'instant.choose.fee.kept' : 'instant.choose.fee.back';
  return [
    {
      label: translate(language, 'instant.choose.fee'),
      value: formatRupees(fee),
      note: translate(language, declined),
    },
    receivedRow(loanAmount, language),
    {
      ...repaidWithFeeRow({ loanAmount, fee, totalPayable: totalPayable - fee }, language),
      ...lowestTag(isLowest, language),
    },
    lateRow(terms, language),
  ];
}

function creditRow({ terms }: ChoosableOffer, language: Language): CardRow {
  const { creditReport } = terms;
  const key = creditReport ? ENQUIRIES[creditReport.afterChoice] : undefined;
  return {
    label: translate(language, 'instant.choose.report'),
    value: translate(language, key ?? 'instant.choose.report.unknown'),
    ...(creditReport?.forOffer === 'HARD' && {
      note: translate(language, 'instant.choose.report.before'),
    }),
  };
}

function isHard(terms: CreditReportTerms | undefined): boolean {
  return terms?.afterChoice === 'HARD' || terms?.forOffer === 'HARD';
}

const RELOAD_SECONDS = 4;

export function offersPage(view: OfferlessView, language: Language): Page {
  const lenders = view.lenders.map((lender) => shownLender(lender, language));
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

/** Ended without a choice, perhaps after undone ones. */
function endedPage(view: OfferlessView, language: Language): Page {
  const { isTimeOver, isUnpaid, othersBack, returnUrl } = view;
  const isUnseen = !isUnpaid && othersBack.length === 0;
  const keys = [...(isUnpaid ? ['instant.unpaid'] : []), 'entry.stop.again'];
  return new Page('instant/ended', {
    titleKey: isTimeOver ? 'instant.expired' : 'entry.closed.title',
    lead: keys.map((key) => translate(language, key)).join(' '),
    isUnseen,
    refunds: refundCards(othersBack, language),
    returnUrl,
  });
}

export function noOfferPage(view: OfferlessView, language: Language): Page {
  const { returnUrl, isAnswered } = view;
  if (view.stage !== 'NO_OFFER') return endedPage(view, language);
  const texts = rejectionTexts(isAnswered ? 'NO_OFFERS' : 'LENDERS_UNAVAILABLE');
  return new Page('entry/rejected', {
    titleKey: texts.titleKey,
    reasonKey: texts.reasonKey,
    owed: translate(language, 'entry.owed.nothing'),
    advice: adviceRows(texts, '', language),
    lenders: view.lenders.map((lender) => {
      const { name, standing } = shownLender(lender, language);
      return `${name} · ${standing}`;
    }),
    returnUrl,
  });
}
