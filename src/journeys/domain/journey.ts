import type { FeeCharge, Paise } from '../../loans/index.js';
import type { LenderWithoutOffer } from '../../matching/index.js';

export type Channel = 'API_HOSTED' | 'API_HEADLESS';

/** The figures of an offer or of a selection: money in paise, rates in percent, tenure in months. */
export interface LoanFigures {
  readonly annualRatePercent: number;
  readonly tenureMonths: number;
  readonly instalment: Paise;
  readonly apr: number;
  readonly processingFees: Paise;
  readonly netDisbursed: Paise;
  readonly fees: readonly FeeCharge[];
}

/** How the lenders stood that made no offer when a round ended: what comes later changes nothing of it. */
export interface EndedRound {
  readonly round: number;
  readonly lenders: readonly LenderWithoutOffer[];
}

/** What the lender says that it has paid out. */
export interface Payout {
  readonly amount: Paise;
  readonly transferReference: string;
  /** The lender's own reference of the loan. */
  readonly loanReference?: string;
  /** Of the account that it went to; an erasure empties it. */
  readonly accountLastFour?: string;
}

/** An offer, quoted again for the chosen amount. */
export interface QuotedLoan extends LoanFigures {
  readonly loanAmount: Paise;
}

/** The quote of a choice that its lender has taken. */
export interface Selection extends QuotedLoan {
  /** The lender's own reference of the application. */
  readonly applicationReference: string;
  /** What the lender calls the chosen branch, when it has a name of its own for it. */
  readonly branchReference?: string;
}

/** A journey's properties that come of its choice, before there is one: an account is the chosen lender's to accept. */
export const NO_CHOICE = {
  selectedOfferId: null,
  selection: null,
  selectedBranchId: null,
  bankAccountSealed: null,
} as const;

/** A journey as it would be without its choice. */
export function withoutChoice<Seen extends object>(journey: Seen): Seen & typeof NO_CHOICE {
  return { ...journey, ...NO_CHOICE };
}
