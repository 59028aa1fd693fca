/** The face of this folder: everything that other modules may import. */
export { annualPercentageRate } from './annual-percentage-rate.js';
export {
  addDays,
  addMonths,
  dayInIndia,
  daysFrom,
  type IndianDay,
  instantInIndia,
} from './indian-day.js';
export {
  coolingOff,
  coolingOffCostADay,
  type CoolingOff,
  type CoolingOffExit,
  coolingOffExitAmount,
  lastCoolingOffDay,
  type PaidOutLoan,
} from './cooling-off.js';
export { momentInIndia } from './moment-in-india.js';
export {
  chargeFees,
  type FeeBasis,
  type FeeCharge,
  type FeePayee,
  type FeeTerm,
  MIN_UP_FRONT_FEE,
} from './fees.js';
export {
  goldLoanCap,
  RBI_GOLD_LTV_SLABS,
  type GoldLoanCap,
  type LtvSlab,
} from './gold-loan-cap.js';
export { exactInstalment, roundToRupee } from './instalment.js';
export { formatRupees, paise, paiseToRupees, rupeesToPaise, type Paise } from './money.js';
export {
  checkClaimedFigures,
  type ClaimedFigures,
  type Disagreement,
} from './check-claimed-figures.js';
export { quoteLoan, type Quote, type QuoteInput, totalPayable } from './quote.js';
export {
  lastInstalment,
  repaymentSchedule,
  type ScheduleRow,
  scheduleTotal,
} from './repayment-schedule.js';
export { daysOfLeastWorkingDays, MIN_WORKING_DAYS, workingDaysBetween } from './working-days.js';
