import type { ChoosableOffer, OfferedLoanView } from '../../instant-loans/index.js';
import type { Paise } from '../../loans/index.js';
import {
  formatDate,
  formatDateTime,
  formatRupees,
  type Language,
  type ScreenModel,
  translate,
} from '../../platform/index.js';
import type { CheckMark } from '../entry/left-behind.js';
import { lateRow } from '../offers/late-charge.js';
import { cardFigures, type CardRow, lenderHead } from '../offers/offer-card.js';
import { furtherComplaint } from '../steps/further-complaint.js';
import {
  daysText,
  lendersWithout,
  receivedRow,
  repaidWithFeeRow,
  softText,
} from './instant-rows.js';
import { type InstantFold, leftFold, moreFold, noFold } from './loan-folds.js';
import { refundCards } from './refund-cards.js';

const MINUTE_SECONDS = 60;

export function payScreen(view: OfferedLoanView, language: Language): ScreenModel {
  const amount = formatRupees(view.fee);
  const boxKeys = ['instant.pay.box', ...(view.isFeeKept ? ['instant.pay.box.kept'] : [])];
  const isFailed = view.stage === 'TO_PAY_AGAIN';
  return {
    titleKey: 'instant.pay.title',
    titleValues: { amount },
    ...loanPart(view, language),
    amount,
    isFailed,
    checks: checksOf(view, language),
    folds: [
      ...(isFailed ? [leftFold(view, language)] : []),
      noFold(view, 'UNPAID', language),
      moreFold(view, language),
      ...withoutFold(view, language),
    ],
    warning: enquiryWarning(view, language),
    ...paymentPart(view, language),
    isAgreed: view.isAgreed,
    boxText: boxKeys.map((key) => translate(language, key, { amount })).join(' '),
  };
}

export function goneScreen(view: OfferedLoanView, language: Language): ScreenModel {
  return {
    titleKey: 'instant.gone',
    ...loanPart(view, language),
    leadText: [
      ...(view.othersBack.length === 0 ? [translate(language, 'instant.unpaid')] : []),
      translate(language, 'instant.gone.lead', { when: formatDate(language, view.endsBy) }),
    ].join(' '),
    folds: [moreFold(view, language), ...withoutFold(view, language)],
  };
}

export function paymentPart(view: OfferedLoanView, language: Language) {
  return {
    payPath: view.payPath,
    keyFactsHash: view.keyFactsHash,
    paymentPage: view.paymentPage,
    untilText: translate(language, 'instant.pay.until', {
      when: formatDateTime(language, view.payUntil),
    }),
  };
}

/** Null without other offers. */
export function othersLink(view: OfferedLoanView, language: Language) {
  const { others, payPath } = view;
  if (others.length === 0) return null;
  const href = `${payPath}/offers`;
  const count = others.filter(({ canChoose }) => canChoose).length;
  if (count === 0) return { href, text: translate(language, 'instant.pay.others.gone') };
  const text = translate(language, 'instant.pay.others', { count });
  const cheapest = cheapestBeside(view);
  if (cheapest === null) return { href, text };
  const less = formatRupees(cheapest.less);
  return { href, text: translate(language, 'instant.pay.others.cheaper', { others: text, less }) };
}

function loanPart(view: OfferedLoanView, language: Language) {
  const { lender, loanAmount, fee, totalPayable, instalment, apr, tenureMonths } = view;
  return {
    isWide: true,
    ...lenderHead(view.lenderName, lender, language),
    figures: cardFigures({ emi: instalment, apr, tenureMonths }, language),
    rows: [
      feeRow(view, language),
      receivedRow(loanAmount, language),
      repaidWithFeeRow({ loanAmount, fee, totalPayable }, language),
      lateRow(view.chargeTerms, language),
    ],
    keyFactsPath: view.keyFactsPath,
    others: othersLink(view, language),
    officer: view.grievanceOfficer,
    further: furtherComplaint(view),
    refunds: refundCards(view.othersBack, language),
  };
}

function feeRow({ charges, fee }: OfferedLoanView, language: Language): CardRow {
  const note = translate(language, 'instant.pay.fee.note');
  const value = formatRupees(fee);
  if (charges.length === 1)
    return {
      label: translate(language, 'instant.pay.fee', { name: charges[0].name }),
      value,
      note,
    };
  const parts = charges.map(({ name, amount }) => `${name} ${formatRupees(amount)}`).join(', ');
  return { label: translate(language, 'instant.pay.fees'), value, note: `${note}: ${parts}` };
}

function checksOf(view: OfferedLoanView, language: Language): CheckMark[] {
  const { fee, isFeeKept, decisionSeconds, coolingOffDays, creditReport } = view;
  const say = (key: string, values = {}) => translate(language, key, values);
  const amount = formatRupees(fee);
  const minutes = say('instant.minutes', { count: Math.ceil(decisionSeconds / MINUTE_SECONDS) });
  const days = daysText(coolingOffDays, language);
  return [
    isFeeKept
      ? { mark: 'alert', text: say('instant.pay.declined.kept', { amount }) }
      : { mark: 'repeat', text: say('instant.pay.declined', { amount }) },
    { mark: 'bank', text: say('instant.pay.approved') },
    { mark: 'clock', text: say('instant.pay.deciding', { minutes }) },
    { mark: 'check', text: say('instant.pay.after', { days }) },
    ...(creditReport?.afterChoice === 'SOFT' ? [{ mark: 'score', text: softText(language) }] : []),
  ];
}

function enquiryWarning({ creditReport }: OfferedLoanView, language: Language): string | null {
  switch (creditReport?.afterChoice) {
    case 'NONE':
    case 'SOFT':
      return null;
    case 'HARD':
      return translate(language, 'instant.pay.hard');
    default:
      return translate(language, 'offers.enquiry.unknown');
  }
}

/** Lenders without an offer, when no other offer can be compared. */
function withoutFold(view: OfferedLoanView, language: Language): InstantFold[] {
  const { others, isStillAsking } = view;
  const without = lendersWithout(view, language);
  if (others.length > 0 || without.length === 0) return [];
  return [
    {
      mark: 'bank',
      heading: translate(language, 'instant.pay.others.none'),
      gist: translate(
        language,
        isStillAsking ? 'offers.without.waiting' : 'instant.pay.others.none.gist',
      ),
      rows: without.map(({ name, reason }) => ({ label: name, value: reason })),
      texts: [],
    },
  ];
}

interface Costs {
  readonly lenderName: string;
  readonly cost: Paise;
  readonly emi: Paise;
  readonly tenureMonths: number;
}

/** Null when the leading offer has the lowest cost. */
function cheapestBeside(view: OfferedLoanView): (Costs & { readonly less: Paise }) | null {
  if (!view.canBeHad) return null;
  const { lenderName, cost, instalment: emi, tenureMonths } = view;
  const leading = { lenderName, cost, emi, tenureMonths };
  const others = view.others.filter(({ canChoose }) => canChoose).map(costsOf);
  const cheapest = others.reduce((best, one) => (one.cost < best.cost ? one : best), leading);
  return cheapest === leading ? null : { ...cheapest, less: leading.cost - cheapest.cost };
}

function costsOf({ lenderName, cost, figures }: ChoosableOffer): Costs {
  const { instalment: emi, tenureMonths } = figures;
  return { lenderName, cost, emi, tenureMonths };
}
