import type {
  FeeBasis,
  FeeCharge,
  FeePayee,
  Paise,
  Quote,
  ScheduleRow,
} from '../../loans/index.js';
import {
  type ContingentCharge,
  type GrievanceOfficer,
  type OwnTexts,
  textsOf,
} from '../../settings/index.js';
import { assertKeyFacts } from './assert-key-facts.js';
import type { CollaborativeLending, KeyFactsInput } from './key-facts-input.js';

/** One charge of Part 1, row 8; paise, tax included. */
export interface KeyFactsFee {
  name: string;
  frequency: 'ONE_TIME';
  amount: Paise;
  gst: Paise | null;
  percentOfPrincipal: number | null;
  /** Left out where a percentage gives the amount, or none was a part of it. */
  basis?: FeeBasis;
}

/** Part 1: interest rate and fees or charges. Money in paise, rates in percent. */
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
  /** Rates are fixed, so there is no benchmark, spread or reset to state. */
  floatingRate: null;
  fees: {
    payableToLender: KeyFactsFee[];
    payableToThirdParties: KeyFactsFee[];
    /** Left out: deducted when the loan is paid out. */
    paid?: 'UP_FRONT';
  };
  annualPercentageRate: number;
  contingentCharges: ContingentCharge[];
}

/** Part 2: other qualitative information. */
export interface KeyFactsPart2 {
  recoveryAgentsClause: string;
  grievanceRedressalClause: string;
  grievanceOfficer: GrievanceOfficer;
  mayBeTransferred: boolean;
  collaborativeLending: CollaborativeLending | null;
  digitalLoan: { coolingOffDays: number; recoveryAgentLsp: string | null };
}

/** Annex B: how the APR was computed. Money in paise, rates in percent. */
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

/** The canonical data of a Key Facts Statement: plain JSON, to be hashed by canonicalJson and kept. */
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
  /** Its own texts in other languages; left out: there are none. */
  texts?: OwnTexts;
}

/** The circular whose Annexes A, B and C this follows, of 15 April 2024. */
const CIRCULAR = 'RBI/2024-25/18 DOR.STR.REC.13/13.03.00/2024-25';

/**
 * Builds the canonical data of RBI's Key Facts Statement: Annex A (Parts 1 and 2), Annex B (the
 * computation of the APR) and Annex C (the repayment schedule) of RBI/2024-25/18.
 *
 * The result shares no object with the input, so it cannot change after it was hashed. Money is paise.
 * @throws RangeError when a required text is empty, the dates are malformed or the wrong way round, the
 * cooling-off period is not at least one whole day, or the schedule is not that of the quote.
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

/** Of all texts in other languages, those of what a statement says. */
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
