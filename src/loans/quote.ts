import { annualPercentageRate } from './annual-percentage-rate.js';
import type { FeeCharge } from './fees.js';
import { assertPrincipal, exactInstalment, roundToRupee } from './instalment.js';
import { type Decimal, type Paise, paise } from './money.js';

export interface QuoteInput {
  principal: Paise;
  /** On the reducing balance. */
  annualRatePercent: number;
  tenureMonths: number;
  /** All deducted from the payout. */
  fees: readonly FeeCharge[];
}

/** Money in paise, rates in percent. */
export interface Quote {
  principal: Paise;
  annualRatePercent: number;
  tenureMonths: number;
  /** Half up to the rupee. */
  instalment: Paise;
  /** Two decimals; see annualPercentageRate. */
  apr: number;
  fees: FeeCharge[];
  processingFees: Paise;
  netDisbursed: Paise;
  /** From unrounded instalments, half up to the rupee. */
  totalInterest: Paise;
  totalPayable: Paise;
}

/**
 * `totalPayable` comes from the unrounded instalment (RBI/2024-25/18, Annex B), so it may differ from instalment ×
 * months.
 * @throws RangeError for an input outside its range, or fees that leave nothing to pay out
 */
export function quoteLoan(input: QuoteInput): Quote {
  const { principal, annualRatePercent, tenureMonths } = input;
  assertPrincipal(principal);
  const processingFees = sumOfFees(input.fees);
  const netDisbursed = paise(principal - processingFees);
  if (netDisbursed <= 0) {
    throw new RangeError(`Fees of ${processingFees} paise leave nothing of ${principal} paise`);
  }
  const instalment = exactInstalment(principal, annualRatePercent, tenureMonths);
  const totalInterest = interestOf(principal, instalment, tenureMonths);
  return {
    principal,
    annualRatePercent,
    tenureMonths,
    instalment: roundToRupee(instalment),
    apr: annualPercentageRate({ netDisbursed, exactInstalment: instalment, months: tenureMonths }),
    fees: input.fees.map((fee) => ({ ...fee })),
    processingFees,
    netDisbursed,
    totalInterest,
    totalPayable: paise(principal + totalInterest),
  };
}

/** @throws RangeError as exactInstalment */
export function totalPayable({
  principal,
  annualRatePercent,
  tenureMonths,
}: Pick<QuoteInput, 'principal' | 'tenureMonths'> & { annualRatePercent: Decimal.Value }): Paise {
  const instalment = exactInstalment(principal, annualRatePercent, tenureMonths);
  return paise(principal + interestOf(principal, instalment, tenureMonths));
}

function interestOf(principal: Paise, instalment: Decimal, tenureMonths: number): Paise {
  return roundToRupee(instalment.times(tenureMonths).minus(principal));
}

function sumOfFees(fees: readonly FeeCharge[]): Paise {
  return fees.reduce((sum, fee) => {
    if (paise(fee.amount) < 0) {
      throw new RangeError(`Fee '${fee.name}' is negative: ${fee.amount} paise`);
    }
    return paise(sum + fee.amount);
  }, 0);
}
