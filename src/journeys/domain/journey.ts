import type { FeeCharge, Paise } from '../../loans/index.js';

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

/** The chosen offer, quoted again for the chosen amount. */
export interface Selection extends LoanFigures {
  readonly loanAmount: Paise;
}
