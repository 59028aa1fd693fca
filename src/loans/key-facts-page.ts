import { dateInIndia, timeInIndia } from './date-in-india.js';
import type { CollaborativeLending, ContingentCharge } from './key-facts-input.js';
import type {
  AprComputation,
  KeyFactsFee,
  KeyFactsPart1,
  KeyFactsPart2,
  KeyFactsStatement,
} from './key-facts-statement.js';
import { formatRupees } from './money.js';

/** One row of a table of facts; `number` is the row's number in the circular's annex. */
export interface FactRow {
  number: string;
  label: string;
  value: string;
}

/** One charge, formatted. */
export interface FeeRow {
  name: string;
  frequency: string;
  amount: string;
  /** How the amount comes about; empty when there is nothing to add. */
  note: string;
}

/** One instalment, formatted. */
export interface InstalmentRow {
  number: string;
  openingBalance: string;
  principal: string;
  interest: string;
  instalment: string;
}

/** Everything that views/key-facts-statement.hbs shows, formatted; the template only repeats and chooses. */
export interface KeyFactsPageView {
  title: string;
  brandDisplayName: string;
  circular: string;
  templateVersion: string;
  lenderLegalName: string;
  lspName: string;
  loanProposalNumber: string;
  issuedOn: string;
  /** The date alone, such as '21 November 2026', and with it the time of day in IST. */
  validUntil: string;
  validUntilTime: string;
  summary: { label: string; value: string }[];
  part1: FactRow[];
  feesPayableToLender: FeeRow[];
  feesPayableToThirdParties: FeeRow[];
  totalFees: string;
  annualPercentageRate: string;
  contingentCharges: ContingentCharge[];
  part2: FactRow[];
  grievanceOfficer: {
    name: string;
    phone: string;
    phoneHref: string;
    email: string;
    emailHref: string;
  };
  digitalLoan: FactRow[];
  collateralExplanation: string;
  aprComputation: FactRow[];
  schedule: InstalmentRow[];
  closingBalance: string;
}

const FIRST_INSTALMENT = 'One month after the loan is paid out';
const NOT_APPLICABLE = 'Not applicable';

/**
 * Formats a Key Facts Statement for its page: rupees in Indian grouping, dates in India's time.
 * Pure: the same statement and brand always give the same view.
 * @throws RangeError when the statement holds an unsafe amount or a malformed date.
 */
export function keyFactsPage(
  statement: KeyFactsStatement,
  brand: { brandDisplayName: string },
): KeyFactsPageView {
  const { part1, part2, aprComputation } = statement;
  return {
    title: `Key Facts Statement: ${part1.loanType} from ${statement.lenderLegalName}`,
    brandDisplayName: brand.brandDisplayName,
    circular: statement.circular,
    templateVersion: statement.templateVersion,
    lenderLegalName: statement.lenderLegalName,
    lspName: statement.lspName,
    loanProposalNumber: part1.loanProposalNumber,
    issuedOn: dateInIndia(statement.issuedAt),
    validUntil: dateInIndia(statement.validUntil),
    validUntilTime: timeInIndia(statement.validUntil),
    summary: summary(aprComputation),
    part1: part1Rows(part1),
    feesPayableToLender: part1.fees.payableToLender.map(feeRow),
    feesPayableToThirdParties: part1.fees.payableToThirdParties.map(feeRow),
    totalFees: formatRupees(aprComputation.feesPayable),
    annualPercentageRate: twoDecimals(part1.annualPercentageRate),
    contingentCharges: part1.contingentCharges.map((charge) => ({ ...charge })),
    part2: part2Rows(part2),
    grievanceOfficer: {
      ...part2.grievanceOfficer,
      phoneHref: `tel:${part2.grievanceOfficer.phone.replace(/[^\d+]/g, '')}`,
      emailHref: `mailto:${encodeURI(part2.grievanceOfficer.email)}`,
    },
    digitalLoan: digitalLoanRows(part2),
    collateralExplanation: statement.collateralExplanation ?? '',
    aprComputation: aprRows(aprComputation),
    schedule: statement.repaymentSchedule.map((row) => ({
      number: String(row.number),
      openingBalance: formatRupees(row.openingBalance),
      principal: formatRupees(row.principal),
      interest: formatRupees(row.interest),
      instalment: formatRupees(row.instalment),
    })),
    closingBalance: formatRupees(statement.repaymentSchedule.at(-1)?.closingBalance ?? 0),
  };
}

function summary(apr: AprComputation): { label: string; value: string }[] {
  return [
    { label: 'Loan amount', value: formatRupees(apr.sanctionedAmount) },
    { label: 'Paid out to you after charges', value: formatRupees(apr.netDisbursed) },
    {
      label: 'You repay',
      value: `${formatRupees(apr.instalment)} a month for ${count(apr.termMonths, 'month')}`,
    },
    { label: 'Annual percentage rate (APR)', value: twoDecimals(apr.annualPercentageRate) },
  ];
}

function part1Rows(part1: KeyFactsPart1): FactRow[] {
  return [
    fact('1', 'Loan proposal number', part1.loanProposalNumber),
    fact('', 'Type of loan', part1.loanType),
    fact('2', 'Sanctioned loan amount', formatRupees(part1.sanctionedAmount)),
    fact('3', 'Disbursal schedule', '100% upfront'),
    fact('4', 'Loan term', count(part1.termMonths, 'month')),
    fact('5', 'Type of instalments', 'Monthly, equated (EMI)'),
    fact('', 'Number of instalments', String(part1.instalments.count)),
    fact('', 'Instalment (EMI)', formatRupees(part1.instalments.amount)),
    fact('', 'Commencement of repayment, post sanction', FIRST_INSTALMENT),
    fact('6', 'Interest rate and type', `${yearly(part1.interest.annualRatePercent)}, fixed`),
    fact('7', 'Additional information on a floating rate', `${NOT_APPLICABLE}: the rate is fixed`),
  ];
}

function part2Rows(part2: KeyFactsPart2): FactRow[] {
  return [
    fact('1', 'Engagement of recovery agents', part2.recoveryAgentsClause),
    fact('2', 'Grievance redressal mechanism', part2.grievanceRedressalClause),
    fact(
      '4',
      'Whether the loan is, or in future may be, transferred to other lenders or securitised',
      part2.mayBeTransferred ? 'Yes' : 'No',
    ),
    ...collaborativeRows(part2.collaborativeLending),
  ];
}

function collaborativeRows(lending: CollaborativeLending | null): FactRow[] {
  if (lending === null) {
    return [fact('5', 'Collaborative lending', NOT_APPLICABLE)];
  }
  const { originatingLender, partnerLender } = lending;
  return [
    fact('5', 'Originating lender and its share', share(originatingLender)),
    fact('', 'Partner lender and its share', share(partnerLender)),
    fact('', 'Blended rate of interest', yearly(lending.blendedRatePercent)),
  ];
}

function share(lender: { name: string; sharePercent: number }): string {
  return `${lender.name}, ${lender.sharePercent}%`;
}

function digitalLoanRows(part2: KeyFactsPart2): FactRow[] {
  const { coolingOffDays, recoveryAgentLsp } = part2.digitalLoan;
  return [
    fact(
      '6 (i)',
      'Cooling-off period, during which no penalty is charged on prepayment',
      count(coolingOffDays, 'day'),
    ),
    fact(
      '6 (ii)',
      'Lending service provider acting as recovery agent and authorised to approach the borrower',
      recoveryAgentLsp ?? 'None',
    ),
  ];
}

function aprRows(apr: AprComputation): FactRow[] {
  return [
    fact('1', 'Sanctioned loan amount', formatRupees(apr.sanctionedAmount)),
    fact('2', 'Loan term', count(apr.termMonths, 'month')),
    fact('2 (a)', 'Instalments of principal, for non-equated loans', NOT_APPLICABLE),
    fact('2 (b)', 'Type, amount and number of instalments', instalments(apr)),
    fact('2 (c)', 'Instalments of capitalised interest', NOT_APPLICABLE),
    fact('2 (d)', 'Commencement of repayment, post sanction', FIRST_INSTALMENT),
    fact('3', 'Interest rate type', 'Fixed'),
    fact('4', 'Rate of interest', yearly(apr.annualRatePercent)),
    fact('5', 'Total interest over the term of the loan', formatRupees(apr.totalInterest)),
    fact('6', 'Fees and charges payable', formatRupees(apr.feesPayable)),
    fact('6 (A)', 'Payable to the lender', formatRupees(apr.feesPayableToLender)),
    fact(
      '6 (B)',
      'Payable to third parties through the lender',
      formatRupees(apr.feesPayableToThirdParties),
    ),
    fact('7', 'Net disbursed amount (1 less 6)', formatRupees(apr.netDisbursed)),
    fact('8', 'Total to be paid by the borrower (1 plus 5)', formatRupees(apr.totalPayable)),
    fact(
      '9',
      'Annual percentage rate: internal rate of return on the net disbursed amount, reducing balance',
      twoDecimals(apr.annualPercentageRate),
    ),
    fact('10', 'Schedule of disbursement', '100% upfront'),
    fact('11', 'Due date of instalments', 'Monthly, from one month after the loan is paid out'),
  ];
}

function instalments(apr: AprComputation): string {
  return `Monthly, ${formatRupees(apr.instalment)}, ${count(apr.instalmentCount, 'instalment')}`;
}

function feeRow(fee: KeyFactsFee): FeeRow {
  const notes = [
    ...(fee.percentOfPrincipal === null ? [] : [`${fee.percentOfPrincipal}% of the loan amount`]),
    ...(fee.gst === null || fee.gst === 0 ? [] : [`includes ${formatRupees(fee.gst)} GST`]),
  ];
  return {
    name: fee.name,
    frequency: 'One-time',
    amount: formatRupees(fee.amount),
    note: notes.join('; '),
  };
}

function fact(number: string, label: string, value: string): FactRow {
  return { number, label, value };
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}

function yearly(percent: number): string {
  return `${percent}% a year`;
}

function twoDecimals(percent: number): string {
  return `${percent.toFixed(2)}%`;
}
