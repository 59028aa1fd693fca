import type { FeeCharge, Paise } from '../loans/index.js';
import type { JourneyStep } from '../products/index.js';
import type { JourneyState, OutcomeReason } from './states/journey-state.js';

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

/** The chosen offer, quoted anew for the chosen amount. */
export interface Selection extends LoanFigures {
  readonly loanAmount: Paise;
}

/** A journey as the database has it. */
export interface Journey {
  readonly id: string;
  readonly partnerId: string;
  readonly keyId: string;
  readonly applicationId: string;
  readonly productCode: string;
  readonly channel: Channel;
  readonly state: JourneyState;
  readonly steps: readonly JourneyStep[];
  readonly loanAmount: Paise;
  readonly applicantSealed: string | null;
  readonly mobileHash: string | null;
  readonly panHash: string | null;
  readonly bankAccountSealed: string | null;
  readonly sessionHash: string | null;
  readonly offerRound: number;
  /** INITIATED: the lenders' deadline; OFFERS_RECEIVED: when the last offer runs out. */
  readonly offersDueAt: Date | null;
  readonly offersGivenUpAt: Date | null;
  readonly selectedOfferId: string | null;
  readonly selection: Selection | null;
  readonly selectedBranchId: string | null;
  /** The current redirect, in a state that has one. */
  readonly redirectId: string | null;
  /** Whether the applicant was said to be back from it without a verdict. */
  readonly isReturned: boolean;
  readonly stepFailures: number;
  readonly outcomeReason: OutcomeReason | null;
  readonly eventSequence: number;
  readonly leaseToken: number;
  readonly leaseUntil: Date | null;
  readonly lastActivityAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
  readonly disbursedAt: Date | null;
}
