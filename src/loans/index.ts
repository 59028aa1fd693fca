export { annualPercentageRate } from './annual-percentage-rate.js';
export {
  addDays,
  addMonths,
  dayInIndia,
  daysFrom,
  type IndianDay,
  instantInIndia,
  momentInIndia,
} from './indian-day.js';
export {
  coolingOff,
  coolingOffCostADay,
  type CoolingOffExit,
  lastCoolingOffDay,
  type PaidOutLoan,
} from './cooling-off.js';
export {
  chargeFees,
  type FeeBasis,
  type FeeCharge,
  type FeePayee,
  type FeeTerm,
  MIN_UP_FRONT_FEE,
} from './fees.js';
export { goldLoanCap, type GoldLoanCap, type LtvSlab } from './gold-loan-cap.js';
export { exactInstalment, roundToRupee } from './instalment.js';
export {
  formatRupees,
  LoanDecimal,
  paise,
  paiseToRupees,
  rupeesToPaise,
  type Paise,
} from './money.js';
export {
  checkClaimedFigures,
  type ClaimedFigures,
  type Disagreement,
} from './check-claimed-figures.js';
export { quoteLoan, type Quote, totalPayable } from './quote.js';
export {
  lastInstalment,
  repaymentSchedule,
  type ScheduleRow,
  scheduleTotal,
} from './repayment-schedule.js';
export { daysOfLeastWorkingDays, MIN_WORKING_DAYS, workingDaysBetween } from './working-days.js';
