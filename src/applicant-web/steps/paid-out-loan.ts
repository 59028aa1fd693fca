import type { HostedJourneyView, HostedSelection } from '../../journeys/index.js';
import {
  addMonths,
  coolingOff,
  type CoolingOffExit,
  dayInIndia,
  type IndianDay,
  repaymentSchedule,
} from '../../loans/index.js';
import {
  formatPercent,
  formatRupees,
  joined,
  say,
  sayDate,
  sayDayMonth,
  type Shown,
} from '../../platform/index.js';
import { totalRow } from '../offers/confirmed-terms.js';
import { goldFolds } from '../offers/gold-folds.js';
import {
  cardFigures,
  type CardRow,
  receivedRow,
  row,
  shortAccount,
  shortName,
} from '../offers/offer-card.js';
import { branchToVisit } from './branch-to-visit.js';
import { furtherComplaint } from './further-complaint.js';
import { backFold } from './gold-visit.js';

/** @throws Error when the journey is not paid out */
export function paidOutLoan(
  { selected, disbursedAt, bankAccount, steps }: HostedJourneyView,
  now: Date,
) {
  if (!selected || !disbursedAt) throw new Error('the paid-out loan has no terms');
  const { offer, selection, branch, statement } = selected;
  const { coolingOffDays, grievanceOfficer, contact = grievanceOfficer } = offer.terms;
  const { lastDay, exits } = coolingOff({ ...selection, disbursedAt, coolingOffDays }, now);
  const schedule = dueInstalments(selection, disbursedAt);
  return {
    lenderName: offer.lenderName,
    shortName: shortName(offer),
    netDisbursed: selection.netDisbursed,
    disbursedAt,
    account: bankAccount ? shortAccount(bankAccount.maskedNumber) : undefined,
    emi: selection.instalment,
    firstKey: steps.includes('MANDATE') ? 'steps.done.first.collected' : 'steps.mandate.first',
    due: dueText(schedule),
    exit: exitFold(lastDay, exits),
    areFeesPaidFirst: selection.areFeesPaidFirst ?? false,
    agreed: {
      gist: say('steps.done.agreed.gist', {
        total: formatRupees(statement.aprComputation.totalPayable),
        apr: formatPercent(selection.apr),
      }),
      rows: agreedRows(selected),
    },
    schedule,
    contact,
    officer: grievanceOfficer,
    further: furtherComplaint(offer.terms),
    gold: branch && pledgedGold(offer.terms, branch),
    kfsHref: selected.kfsUrl,
  };
}

function pledgedGold(
  terms: HostedSelection['offer']['terms'],
  branch: NonNullable<HostedSelection['branch']>,
) {
  const back = backFold(terms);
  // Refusing at the branch is no longer possible.
  const [, unpaid] = goldFolds(terms);
  return {
    branch: branchToVisit(branch),
    gist: back.gist,
    rows: [back, unpaid].map(({ heading, gist, texts }) => ({
      label: heading,
      value: gist,
      note: joined(texts),
    })),
  };
}

/** Due monthly from the payout, as in the Key Facts Statement. */
export function dueInstalments(
  { loanAmount, annualRatePercent, tenureMonths }: HostedSelection['selection'],
  disbursedAt: Date,
) {
  const paidOut = dayInIndia(disbursedAt);
  return repaymentSchedule(loanAmount, annualRatePercent, tenureMonths).map(
    ({ number, instalment, principal, interest, closingBalance: balance }) => {
      const due = addMonths(paidOut, number);
      return { number, due, instalment, principal, interest, balance };
    },
  );
}

function dueText(schedule: readonly { readonly due: IndianDay }[]): Shown {
  const [first] = schedule;
  const last = schedule.at(-1);
  if (!first || !last) return '';
  const dates = { first: sayDate(first.due), last: sayDate(last.due) };
  return say(first === last ? 'steps.done.then.once' : 'steps.done.then', dates);
}

function exitFold(lastDay: IndianDay, exits: readonly CoolingOffExit[]) {
  if (exits.length === 0) {
    return { gist: say('steps.exit.over', { when: sayDate(lastDay) }), rows: [] };
  }
  return {
    gist: say('steps.exit.gist', { when: sayDayMonth(lastDay) }),
    rows: exits.map(({ day, amount }, index) => ({
      label: index === 0 ? say('steps.exit.today') : sayDayMonth(day),
      value: formatRupees(amount),
    })),
  };
}

type Selected = Pick<HostedSelection, 'selection' | 'statement'>;

export function signedLoan(selected: Selected) {
  return {
    figures: cardFigures(selected.selection),
    rows: [amountRow(selected), receivedRow(selected.selection), totalRow(selected.statement)],
  };
}

function agreedRows(selected: Selected): CardRow[] {
  const { processingFees, annualRatePercent, areFeesPaidFirst } = selected.selection;
  const feesKey = areFeesPaidFirst ? 'offers.confirm.feesFirst' : 'offers.confirm.fees';
  return [
    amountRow(selected),
    row(feesKey, formatRupees(processingFees)),
    row('offers.confirm.interest', formatPercent(annualRatePercent)),
    totalRow(selected.statement),
  ];
}

function amountRow({ selection }: Selected): CardRow {
  return row('offers.amount', formatRupees(selection.loanAmount));
}
