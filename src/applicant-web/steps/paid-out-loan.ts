import type { HostedJourneyView } from '../../journeys/index.js';
import {
  addMonths,
  coolingOff,
  type CoolingOffExit,
  dayInIndia,
  type IndianDay,
  type Paise,
  repaymentSchedule,
} from '../../loans/index.js';
import { formatDate, type Language } from '../../platform/index.js';
import type { GrievanceOfficer, LenderContact } from '../../settings/index.js';
import { type FurtherComplaint, furtherComplaint } from './further-complaint.js';
import { agreedLoan } from './agreed-loan.js';
import type { SummaryRow } from './key-facts-summary.js';
import { type BranchToVisit, branchToVisit } from './branch-to-visit.js';
import { type PledgedGoldPage, pledgedGold } from './pledged-gold.js';

type Selected = NonNullable<HostedJourneyView['selected']>;

/** One instalment of the schedule, with the day on which it is due. */
export interface DueInstalment {
  readonly number: number;
  readonly due: IndianDay;
  readonly instalment: Paise;
  readonly principal: Paise;
  readonly interest: Paise;
  readonly balance: Paise;
}

/** Everything that somebody wants to keep of a loan that was paid out. */
export interface PaidOutLoanPage {
  readonly lenderName: string;
  readonly netDisbursed: Paise;
  readonly disbursedAt: Date;
  readonly maskedNumber: string | undefined;
  readonly loanRows: readonly SummaryRow[];
  readonly schedule: readonly DueInstalment[];
  /** The last day of the cooling-off period. */
  readonly lastDay: IndianDay;
  /** What leaving the loan costs today; null when the period is over. */
  readonly today: CoolingOffExit | null;
  /** The same for the days that are left after today. */
  readonly laterDays: readonly CoolingOffExit[];
  /** Whom to tell of leaving the loan: the grievance officer where the configuration says no other place. */
  readonly contact: LenderContact;
  readonly grievance: GrievanceOfficer;
  readonly further: FurtherComplaint;
  /** Of a gold loan. */
  readonly branch: BranchToVisit | null;
  readonly gold: PledgedGoldPage | null;
  readonly kfsHref: string;
}

/** @throws Error when the journey has not been paid out */
export function paidOutLoan(
  { selected, disbursedAt, bankAccount, applicant }: HostedJourneyView,
  now: Date,
  language: Language,
): PaidOutLoanPage {
  if (!selected || !disbursedAt) throw new Error('a loan that is paid out has its terms');
  const { offer, selection, branch } = selected;
  const { coolingOffDays, grievanceOfficer, contact = grievanceOfficer } = offer.terms;
  const { lastDay, exits } = coolingOff({ ...selection, disbursedAt, coolingOffDays }, now);
  const schedule = dueInstalments(selection, disbursedAt);
  return {
    lenderName: offer.lenderName,
    netDisbursed: selection.netDisbursed,
    disbursedAt,
    maskedNumber: bankAccount?.maskedNumber,
    loanRows: [...agreedLoan(selected, language).loanRows, ...dueRows(schedule, language)],
    schedule,
    lastDay,
    today: exits[0] ?? null,
    laterDays: exits.slice(1),
    contact,
    grievance: grievanceOfficer,
    further: furtherComplaint(offer.terms),
    branch: branch && branchToVisit(branch, language),
    gold: branch && pledgedGold(selected, applicant, language),
    kfsHref: selected.kfsUrl,
  };
}

/** The first instalment is due a month after the payout, as the Key Facts Statement says. */
export function dueInstalments(
  { loanAmount, annualRatePercent, tenureMonths }: Selected['selection'],
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

function dueRows(schedule: readonly DueInstalment[], language: Language): SummaryRow[] {
  const [first] = schedule;
  const last = schedule.at(-1);
  if (!first || !last) return [];
  return [
    { labelKey: 'common.offer.first', value: formatDate(language, first.due) },
    { labelKey: 'common.offer.last', value: formatDate(language, last.due) },
  ];
}
