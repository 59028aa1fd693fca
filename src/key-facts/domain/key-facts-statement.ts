import {
  type FeeBasis,
  type FeeCharge,
  type FeePayee,
  type Paise,
  type Quote,
  type ScheduleRow,
  scheduleTotal,
} from '../../loans/index.js';
import {
  type ContingentCharge,
  type GrievanceOfficer,
  type OwnTexts,
  textsOf,
} from '../../settings/index.js';
import {
  type CollaborativeLending,
  type KeyFactsInput,
  statementInstant,
} from './key-facts-input.js';

/** Part 1, row 8; paise, GST included. */
export interface KeyFactsFee {
  name: string;
  frequency: 'ONE_TIME';
  amount: Paise;
  gst: Paise | null;
  percentOfPrincipal: number | null;
  /** Absent when a percentage gives the amount. */
  basis?: FeeBasis;
}

/** Money in paise, rates in percent. */
export interface KeyFactsPart1 {
  loanProposalNumber: string;
  loanType: string;
  sanctionedAmount: Paise;
  disbursal: 'UPFRONT';
  termMonths: number;
  instalments: {
    type: 'MONTHLY';
    count: number;
    amount: Paise;
    commencement: 'ONE_MONTH_AFTER_DISBURSAL';
  };
  interest: { annualRatePercent: number; type: 'FIXED' };
  floatingRate: null;
  fees: {
    payableToLender: KeyFactsFee[];
    payableToThirdParties: KeyFactsFee[];
    /** Absent: deducted at disbursal. */
    paid?: 'UP_FRONT';
  };
  annualPercentageRate: number;
  contingentCharges: ContingentCharge[];
}

export interface KeyFactsPart2 {
  recoveryAgentsClause: string;
  grievanceRedressalClause: string;
  grievanceOfficer: GrievanceOfficer;
  mayBeTransferred: boolean;
  collaborativeLending: CollaborativeLending | null;
  digitalLoan: { coolingOffDays: number; recoveryAgentLsp: string | null };
}

/** Annex B. Money in paise, rates in percent. */
export interface AprComputation {
  sanctionedAmount: Paise;
  termMonths: number;
  instalmentType: 'MONTHLY';
  instalment: Paise;
  instalmentCount: number;
  commencement: 'ONE_MONTH_AFTER_DISBURSAL';
  interestType: 'FIXED';
  annualRatePercent: number;
  totalInterest: Paise;
  feesPayable: Paise;
  feesPayableToLender: Paise;
  feesPayableToThirdParties: Paise;
  netDisbursed: Paise;
  totalPayable: Paise;
  annualPercentageRate: number;
  disbursal: 'UPFRONT';
}

/** Plain JSON, hashed by canonicalJson. */
export interface KeyFactsStatement {
  circular: string;
  templateVersion: string;
  issuedAt: string;
  validUntil: string;
  lenderLegalName: string;
  lspName: string;
  part1: KeyFactsPart1;
  part2: KeyFactsPart2;
  collateralExplanation: string | null;
  aprComputation: AprComputation;
  repaymentSchedule: ScheduleRow[];
  texts?: OwnTexts;
}

/** 15 April 2024. */
const CIRCULAR = 'RBI/2024-25/18 DOR.STR.REC.13/13.03.00/2024-25';

export interface KeyFactsDraft {
  readonly statement: KeyFactsStatement;
  readonly content: string;
  readonly contentHash: string;
}

/**
 * Annexes A, B and C of RBI/2024-25/18. Shares no object with the input, so nothing changes after hashing.
 * @throws RangeError for missing texts, wrong dates or cooling-off period, or a schedule that does not match the quote
 */
export function keyFactsStatement(input: KeyFactsInput): KeyFactsStatement {
  assertKeyFacts(input);
  const stated = structuredClone({
    circular: CIRCULAR,
    templateVersion: input.templateVersion,
    issuedAt: input.issuedAt,
    validUntil: input.validUntil,
    lenderLegalName: input.lenderLegalName,
    lspName: input.lspName,
    part1: part1(input),
    part2: part2(input),
    collateralExplanation: input.collateralExplanation ?? null,
    aprComputation: aprComputation(input.quote),
    repaymentSchedule: [...input.schedule],
  });
  const texts = textsStated(stated, input.texts);
  return Object.keys(texts).length > 0 ? { ...stated, texts } : stated;
}

/** Only of texts in this statement. */
function textsStated(stated: KeyFactsStatement, all: OwnTexts | undefined): OwnTexts {
  const { loanType, fees, contingentCharges } = stated.part1;
  const { recoveryAgentsClause, grievanceRedressalClause } = stated.part2;
  return textsOf(all, [
    loanType,
    ...[...fees.payableToLender, ...fees.payableToThirdParties].map(({ name }) => name),
    ...contingentCharges.flatMap(({ name, description }) => [name, description]),
    recoveryAgentsClause,
    grievanceRedressalClause,
    stated.collateralExplanation ?? '',
  ]);
}

function part1(input: KeyFactsInput): KeyFactsPart1 {
  const { quote } = input;
  return {
    loanProposalNumber: input.offerId,
    loanType: input.loanType,
    sanctionedAmount: quote.principal,
    disbursal: 'UPFRONT',
    termMonths: quote.tenureMonths,
    instalments: {
      type: 'MONTHLY',
      count: quote.tenureMonths,
      amount: quote.instalment,
      commencement: 'ONE_MONTH_AFTER_DISBURSAL',
    },
    interest: { annualRatePercent: quote.annualRatePercent, type: 'FIXED' },
    floatingRate: null,
    fees: {
      payableToLender: feesOf(quote, 'LENDER').map(keyFactsFee),
      payableToThirdParties: feesOf(quote, 'THIRD_PARTY').map(keyFactsFee),
      ...(input.areChargesPaidUpFront && { paid: 'UP_FRONT' as const }),
    },
    annualPercentageRate: quote.apr,
    contingentCharges: input.contingentCharges.map(({ name, description }) => ({
      name,
      description,
    })),
  };
}

function part2(input: KeyFactsInput): KeyFactsPart2 {
  const { name, phone, email } = input.grievanceOfficer;
  return {
    recoveryAgentsClause: input.recoveryAgentsClause,
    grievanceRedressalClause: input.grievanceRedressalClause,
    grievanceOfficer: { name, phone, email },
    mayBeTransferred: input.mayBeTransferred,
    collaborativeLending: input.collaborativeLending ?? null,
    digitalLoan: {
      coolingOffDays: input.coolingOffDays,
      recoveryAgentLsp: input.recoveryAgentLsp,
    },
  };
}

function aprComputation(quote: Quote): AprComputation {
  return {
    sanctionedAmount: quote.principal,
    termMonths: quote.tenureMonths,
    instalmentType: 'MONTHLY',
    instalment: quote.instalment,
    instalmentCount: quote.tenureMonths,
    commencement: 'ONE_MONTH_AFTER_DISBURSAL',
    interestType: 'FIXED',
    annualRatePercent: quote.annualRatePercent,
    totalInterest: quote.totalInterest,
    feesPayable: quote.processingFees,
    feesPayableToLender: total(feesOf(quote, 'LENDER')),
    feesPayableToThirdParties: total(feesOf(quote, 'THIRD_PARTY')),
    netDisbursed: quote.netDisbursed,
    totalPayable: quote.totalPayable,
    annualPercentageRate: quote.apr,
    disbursal: 'UPFRONT',
  };
}

function feesOf(quote: Quote, payee: FeePayee): FeeCharge[] {
  return quote.fees.filter((fee) => fee.payee === payee);
}

function total(fees: readonly FeeCharge[]): Paise {
  return fees.reduce((sum, fee) => sum + fee.amount, 0);
}

function keyFactsFee(fee: FeeCharge): KeyFactsFee {
  return {
    name: fee.name,
    frequency: 'ONE_TIME',
    amount: fee.amount,
    gst: fee.gst ?? null,
    percentOfPrincipal: fee.percentOfPrincipal ?? null,
    ...(fee.basis && { basis: fee.basis }),
  };
}

/**
 * An applicant must never see an incomplete statement.
 * @throws RangeError naming what is missing or inconsistent
 */
function assertKeyFacts(input: KeyFactsInput): void {
  assertTexts(input);
  if (statementInstant(input.validUntil) <= statementInstant(input.issuedAt)) {
    throw new RangeError('Key facts: validUntil must be after issuedAt');
  }
  if (!Number.isInteger(input.coolingOffDays) || input.coolingOffDays < 1) {
    throw new RangeError('Key facts: coolingOffDays must be a whole number of at least one');
  }
  assertFees(input);
  assertSchedule(input);
}

function assertFees({ quote }: KeyFactsInput): void {
  // The total would include another payee, but neither list would.
  for (const fee of quote.fees) {
    if (fee.payee !== 'LENDER' && fee.payee !== 'THIRD_PARTY') {
      throw new RangeError(`Key facts: fee '${fee.name}' has no known payee`);
    }
  }
}

function assertTexts(input: KeyFactsInput): void {
  const texts: Record<string, string> = {
    offerId: input.offerId,
    templateVersion: input.templateVersion,
    lenderLegalName: input.lenderLegalName,
    lspName: input.lspName,
    loanType: input.loanType,
    'grievanceOfficer.name': input.grievanceOfficer.name,
    'grievanceOfficer.phone': input.grievanceOfficer.phone,
    'grievanceOfficer.email': input.grievanceOfficer.email,
    recoveryAgentsClause: input.recoveryAgentsClause,
    grievanceRedressalClause: input.grievanceRedressalClause,
  };
  for (const [name, text] of Object.entries(texts)) {
    if (text.trim() === '') {
      throw new RangeError(`Key facts: ${name} is empty`);
    }
  }
}

function assertSchedule({ quote, schedule }: KeyFactsInput): void {
  const fits =
    schedule.length === quote.tenureMonths &&
    scheduleTotal(schedule) === quote.totalPayable &&
    schedule.at(-1)?.closingBalance === 0;
  if (!fits) {
    throw new RangeError('Key facts: the repayment schedule is not that of the quote');
  }
}
