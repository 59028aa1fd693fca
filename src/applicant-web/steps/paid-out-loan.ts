import type { HostedJourneyView, HostedSelection } from '../../journeys/index.js';
import {
  addMonths,
  coolingOff,
  type CoolingOffExit,
  dayInIndia,
  type IndianDay,
  type Paise,
  repaymentSchedule,
} from '../../loans/index.js';
import {
  formatDate,
  formatDayMonth,
  formatPercent,
  formatRupees,
  type Language,
  translate,
} from '../../platform/index.js';
import type { GrievanceOfficer, LenderContact } from '../../settings/index.js';
import { totalRow } from '../offers/confirmed-terms.js';
import { goldFolds } from '../offers/gold-folds.js';
import {
  type CardFigure,
  cardFigures,
  type CardRow,
  receivedRow,
  shortAccount,
  shortName,
} from '../offers/offer-card.js';
import { type BranchToVisit, branchToVisit } from './branch-to-visit.js';
import { type FurtherComplaint, furtherComplaint } from './further-complaint.js';
import { backFold } from './gold-visit.js';

interface DueInstalment {
  readonly number: number;
  readonly due: IndianDay;
  readonly instalment: Paise;
  readonly principal: Paise;
  readonly interest: Paise;
  readonly balance: Paise;
}

interface ExitFold {
  readonly gist: string;
  /** By day; empty when the period is over. */
  readonly rows: readonly CardRow[];
}

interface PledgedGold {
  readonly branch: BranchToVisit;
  readonly gist: string;
  readonly rows: readonly CardRow[];
}

interface PaidOutLoanPage {
  readonly lenderName: string;
  readonly shortName: string;
  readonly netDisbursed: Paise;
  readonly disbursedAt: Date;
  readonly account: string | undefined;
  readonly emi: Paise;
  readonly firstKey: string;
  /** Contains **strong** parts. */
  readonly due: string;
  readonly exit: ExitFold;
  readonly agreed: { readonly gist: string; readonly rows: readonly CardRow[] };
  readonly schedule: readonly DueInstalment[];
  /** The grievance officer unless a contact is configured. */
  readonly contact: LenderContact;
  readonly officer: GrievanceOfficer;
  readonly further: FurtherComplaint;
  readonly gold: PledgedGold | null;
  readonly kfsHref: string;
}

/** @throws Error when the journey is not paid out */
export function paidOutLoan(
  { selected, disbursedAt, bankAccount, steps }: HostedJourneyView,
  now: Date,
  language: Language,
): PaidOutLoanPage {
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
    due: dueText(schedule, language),
    exit: exitFold(lastDay, exits, language),
    agreed: {
      gist: translate(language, 'steps.done.agreed.gist', {
        total: formatRupees(statement.aprComputation.totalPayable),
        apr: formatPercent(selection.apr),
      }),
      rows: agreedRows(selected, language),
    },
    schedule,
    contact,
    officer: grievanceOfficer,
    further: furtherComplaint(offer.terms),
    gold: branch && pledgedGold(offer.terms, branch, language),
    kfsHref: selected.kfsUrl,
  };
}

function pledgedGold(
  terms: HostedSelection['offer']['terms'],
  branch: NonNullable<HostedSelection['branch']>,
  language: Language,
): PledgedGold {
  const back = backFold(terms, language);
  // Refusing at the branch is no longer possible.
  const [, unpaid] = goldFolds(terms, language);
  return {
    branch: branchToVisit(branch, language),
    gist: back.gist,
    rows: [back, unpaid].map(({ heading, gist, texts }) => ({
      label: heading,
      value: gist,
      note: texts.join(' '),
    })),
  };
}

/** Due monthly from the payout, as in the Key Facts Statement. */
export function dueInstalments(
  { loanAmount, annualRatePercent, tenureMonths }: HostedSelection['selection'],
  disbursedAt: Date,
): DueInstalment[] {
  const paidOut = dayInIndia(disbursedAt);
  return repaymentSchedule(loanAmount, annualRatePercent, tenureMonths).map((row) => ({
    number: row.number,
    due: addMonths(paidOut, row.number),
    instalment: row.instalment,
    principal: row.principal,
    interest: row.interest,
    balance: row.closingBalance,
  }));
}

function dueText(schedule: readonly DueInstalment[], language: Language): string {
  const [first] = schedule;
  const last = schedule.at(-1);
  if (!first || !last) return '';
  const dates = { first: formatDate(language, first.due), last: formatDate(language, last.due) };
  return translate(language, first === last ? 'steps.done.then.once' : 'steps.done.then', dates);
}

function exitFold(
  lastDay: IndianDay,
  exits: readonly CoolingOffExit[],
  language: Language,
): ExitFold {
  if (exits.length === 0) {
    const when = formatDate(language, lastDay);
    return { gist: translate(language, 'steps.exit.over', { when }), rows: [] };
  }
  return {
    gist: translate(language, 'steps.exit.gist', { when: formatDayMonth(language, lastDay) }),
    rows: exits.map(({ day, amount }, index) => ({
      label: index === 0 ? translate(language, 'steps.exit.today') : formatDayMonth(language, day),
      value: formatRupees(amount),
    })),
  };
}

type Selected = Pick<HostedSelection, 'selection' | 'statement'>;

interface SignedLoan {
  readonly figures: readonly CardFigure[];
  readonly rows: readonly CardRow[];
}

export function signedLoan(selected: Selected, language: Language): SignedLoan {
  const { instalment: emi, apr, tenureMonths } = selected.selection;
  return {
    figures: cardFigures({ emi, apr, tenureMonths }, language),
    rows: [
      amountRow(selected, language),
      receivedRow(selected.selection, language),
      totalRow(selected.statement, language),
    ],
  };
}

function agreedRows(selected: Selected, language: Language): CardRow[] {
  const { processingFees, annualRatePercent, areFeesPaidFirst } = selected.selection;
  const feesKey = areFeesPaidFirst ? 'offers.confirm.feesFirst' : 'offers.confirm.fees';
  return [
    amountRow(selected, language),
    { label: translate(language, feesKey), value: formatRupees(processingFees) },
    {
      label: translate(language, 'offers.confirm.interest'),
      value: formatPercent(annualRatePercent),
    },
    totalRow(selected.statement, language),
  ];
}

function amountRow({ selection }: Selected, language: Language): CardRow {
  return {
    label: translate(language, 'offers.amount'),
    value: formatRupees(selection.loanAmount),
  };
}
