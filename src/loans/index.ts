/** The face of this folder: everything that other modules may import. */
export { annualPercentageRate } from './annual-percentage-rate.js';
export { canonicalJson } from './canonical-json.js';
export { chargeFees, type FeeCharge, type FeePayee, type FeeTerm } from './fees.js';
export {
  goldLoanCap,
  RBI_GOLD_LTV_SLABS,
  type GoldLoanCap,
  type LtvSlab,
} from './gold-loan-cap.js';
export { exactInstalment, roundToRupee } from './instalment.js';
export { keyFactsPage, type FactRow, type KeyFactsPageView } from './key-facts-page.js';
export type {
  CollaborativeLending,
  ContingentCharge,
  GrievanceOfficer,
  KeyFactsInput,
} from './key-facts-input.js';
export { keyFactsStatement, type KeyFactsStatement } from './key-facts-statement.js';
export { formatRupees, paise, paiseToRupees, rupeesToPaise, type Paise } from './money.js';
export { checkClaimedFigures, type ClaimedFigures, type Disagreement } from './offer-check.js';
export { quoteLoan, type Quote, type QuoteInput } from './quote.js';
export { repaymentSchedule, type ScheduleRow } from './repayment-schedule.js';
