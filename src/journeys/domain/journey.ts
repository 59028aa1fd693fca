import { DECISION, FEE, type JourneyStep } from '../../journey-steps/index.js';
import type { FeeCharge, Paise } from '../../loans/index.js';
import type { LenderWithoutOffer } from '../../matching/index.js';
import { SHORTEST_PAGE_LIFE_MS } from '../../payments/index.js';

export type Channel = 'API_HOSTED' | 'API_HEADLESS';

/** Money in paise, rates in percent, tenure in months. */
export interface LoanFigures {
  readonly annualRatePercent: number;
  readonly tenureMonths: number;
  readonly instalment: Paise;
  readonly apr: number;
  readonly processingFees: Paise;
  readonly netDisbursed: Paise;
  /** The applicant pays the fees first; else they are deducted from the payout. */
  readonly areFeesPaidFirst?: true;
  readonly fees: readonly FeeCharge[];
}

/** Lenders without an offer when the round ended; later answers change nothing. */
export interface EndedRound {
  readonly round: number;
  readonly lenders: readonly LenderWithoutOffer[];
}

export interface Payout {
  readonly amount: Paise;
  readonly transferReference: string;
  readonly loanReference?: string;
  /** Of the account; an erasure deletes it. */
  readonly accountLastFour?: string;
}

export interface QuotedLoan extends LoanFigures {
  readonly loanAmount: Paise;
}

export interface Selection extends QuotedLoan {
  /** The lender's; an instant loan has none. */
  readonly applicationReference?: string;
  /** The lender's. */
  readonly branchReference?: string;
}

/** Its offers bind the lenders, its link needs no sign-in, and the partner receives no events. */
export function isInstant({ steps }: { readonly steps: readonly JourneyStep[] }): boolean {
  return steps.includes(DECISION.name);
}

/** In the terms of the lenders' protocol. */
export function subjectKindOf(journey: {
  readonly steps: readonly JourneyStep[];
}): 'INSTANT_LOAN' | 'JOURNEY' {
  return isInstant(journey) ? 'INSTANT_LOAN' : 'JOURNEY';
}

/** Before the confirmation no lender's deadline runs. */
export function isConfirmed({
  state,
  offersDueAt,
  offersGivenUpAt,
}: {
  readonly state: string;
  readonly offersDueAt: Date | null;
  readonly offersGivenUpAt: Date | null;
}): boolean {
  return state !== 'INITIATED' || offersDueAt !== null || offersGivenUpAt !== null;
}

/** Includes the bank account: the offer's lender accepted it. */
export const NO_CHOICE = {
  selectedOfferId: null,
  selection: null,
  selectedBranchId: null,
  bankAccountSealed: null,
} as const;

export function withoutChoice<Seen extends object>(journey: Seen): Seen & typeof NO_CHOICE {
  return { ...journey, ...NO_CHOICE };
}

const PAY_MS = FEE.payHours * 3_600_000;

interface Started {
  readonly steps: readonly JourneyStep[];
  readonly createdAt: Date;
}

/** When an instant loan with an unpaid fee ends. */
export function lastEnd({ createdAt }: Pick<Started, 'createdAt'>): Date {
  return new Date(createdAt.getTime() + PAY_MS);
}

export function payableUntil(started: Pick<Started, 'createdAt'>, validUntil: Date): Date {
  return new Date(Math.min(lastEnd(started).getTime(), validUntil.getTime()));
}

/** A payment must begin so early that its page closes by `end`. */
export function beginUntil(end: Date): Date {
  return new Date(end.getTime() - SHORTEST_PAGE_LIFE_MS);
}

export function choosableUntil(started: Started, validUntil: Date): Date {
  return isInstant(started) ? beginUntil(payableUntil(started, validUntil)) : validUntil;
}
