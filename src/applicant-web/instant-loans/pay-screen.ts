import type { OfferedLoanView } from '../../instant-loans/index.js';
import type { Paise } from '../../loans/index.js';
import {
  formatRupees,
  joined,
  say,
  sayDate,
  sayDateTime,
  type ScreenModel,
  type Shown,
} from '../../platform/index.js';
import { check, type CheckMark } from '../entry/left-behind.js';
import { lateRow } from '../offers/late-charge.js';
import { cardFigures, type CardRow, lenderHead, row } from '../offers/offer-card.js';
import { furtherComplaint } from '../steps/further-complaint.js';
import {
  daysText,
  type InstantFold,
  instantLendersWithout,
  leftFold,
  moreFold,
  noFold,
  receivedRow,
  repaidWithFeeRow,
} from './loan-folds.js';
import { refundCards } from './refund-cards.js';

const MINUTE_SECONDS = 60;

export function payScreen(view: OfferedLoanView): ScreenModel {
  const amount = formatRupees(view.fee);
  const isFailed = view.stage === 'TO_PAY_AGAIN';
  return {
    titleKey: 'instant.pay.title',
    titleValues: { amount },
    ...loanPart(view),
    amount,
    isFailed,
    checks: checksOf(view),
    folds: [
      ...(isFailed ? [leftFold(view)] : []),
      noFold(view, 'UNPAID'),
      moreFold(view),
      ...withoutFold(view),
    ],
    warning: enquiryWarning(view),
    ...paymentPart(view),
    isAgreed: view.isAgreed,
    boxText: joined([
      say('instant.pay.box', { amount }),
      view.isFeeKept ? say('instant.pay.box.kept', { amount }) : null,
    ]),
  };
}

export function goneScreen(view: OfferedLoanView): ScreenModel {
  return {
    titleKey: 'instant.gone',
    ...loanPart(view),
    leadText: joined([
      view.othersBack.length === 0 ? say('instant.unpaid') : null,
      say('instant.gone.lead', { when: sayDate(view.endsBy) }),
    ]),
    folds: [moreFold(view), ...withoutFold(view)],
  };
}

export function paymentPart(view: OfferedLoanView) {
  return {
    payPath: view.payPath,
    keyFactsHash: view.keyFactsHash,
    paymentPage: view.paymentPage,
    untilText: say('instant.pay.until', { when: sayDateTime(view.payUntil) }),
  };
}

/** Null without other offers. */
export function othersLink(view: OfferedLoanView) {
  const { others, payPath } = view;
  if (others.length === 0) return null;
  const href = `${payPath}/offers`;
  const count = others.filter(({ canChoose }) => canChoose).length;
  if (count === 0) return { href, text: say('instant.pay.others.gone') };
  const text = say('instant.pay.others', { count });
  const saving = savingBeside(view);
  if (saving === 0) return { href, text };
  const less = formatRupees(saving);
  return { href, text: say('instant.pay.others.cheaper', { others: text, less }) };
}

function loanPart(view: OfferedLoanView) {
  return {
    isWide: true,
    ...lenderHead(view.lenderName, view.lender),
    figures: cardFigures(view),
    rows: [
      feeRow(view),
      receivedRow(view.loanAmount),
      repaidWithFeeRow(view),
      lateRow(view.chargeTerms),
    ],
    keyFactsPath: view.keyFactsPath,
    others: othersLink(view),
    officer: view.grievanceOfficer,
    further: furtherComplaint(view),
    refunds: refundCards(view.othersBack),
  };
}

function feeRow({ charges, fee }: OfferedLoanView): CardRow {
  const note = say('instant.pay.fee.note');
  const value = formatRupees(fee);
  if (charges.length === 1)
    return { label: say('instant.pay.fee', { name: charges[0].name }), value, note };
  const parts = charges.map(({ name, amount }) => `${name} ${formatRupees(amount)}`).join(', ');
  return row('instant.pay.fees', value, joined([note, parts], ': '));
}

function checksOf(view: OfferedLoanView): CheckMark[] {
  const { fee, isFeeKept, decisionSeconds, coolingOffDays, creditReport } = view;
  const amount = formatRupees(fee);
  const minutes = say('instant.minutes', { count: Math.ceil(decisionSeconds / MINUTE_SECONDS) });
  const days = daysText(coolingOffDays);
  return [
    isFeeKept
      ? check('alert', 'instant.pay.declined.kept', { amount })
      : check('repeat', 'instant.pay.declined', { amount }),
    check('bank', 'instant.pay.approved'),
    check('clock', 'instant.pay.deciding', { minutes }),
    check('check', 'instant.pay.after', { days }),
    ...(creditReport?.afterChoice === 'SOFT' ? [check('score', 'instant.pay.soft')] : []),
  ];
}

function enquiryWarning({ creditReport }: OfferedLoanView): Shown | null {
  switch (creditReport?.afterChoice) {
    case 'NONE':
    case 'SOFT':
      return null;
    case 'HARD':
      return say('instant.pay.hard');
    default:
      return say('offers.enquiry.unknown');
  }
}

/** Lenders without an offer, when no other offer can be compared. */
function withoutFold(view: OfferedLoanView): InstantFold[] {
  const { others, isStillAsking } = view;
  const without = instantLendersWithout(view);
  if (others.length > 0 || without.length === 0) return [];
  return [
    {
      mark: 'bank',
      heading: say('instant.pay.others.none'),
      gist: say(isStillAsking ? 'offers.without.waiting' : 'instant.pay.others.none.gist'),
      rows: without.map(({ name, reason }) => ({ label: name, value: reason })),
      texts: [],
    },
  ];
}

/** By how much the cheapest other offer costs less; 0 when none does. */
function savingBeside({ canBeHad, cost, others }: OfferedLoanView): Paise {
  if (!canBeHad) return 0;
  const costs = others.filter(({ canChoose }) => canChoose).map((other) => other.cost);
  return cost - Math.min(cost, ...costs);
}
