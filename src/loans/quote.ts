import { annualPercentageRate } from './annual-percentage-rate.js';
import type { FeeCharge } from './fees.js';
import { assertPrincipal, exactInstalment, roundToRupee } from './instalment.js';
import { type Decimal, type Paise, paise } from './money.js';

export interface QuoteInput {
  /** Paise, above zero. */
  principal: Paise;
  /** On the reducing balance, 0 to 100. */
  annualRatePercent: number;
  /** 1 to 600. */
  tenureMonths: number;
  /** All deducted from the payout. */
  fees: readonly FeeCharge[];
}

/** Money in paise, rates in percent. */
export interface Quote {
  principal: Paise;
  annualRatePercent: number;
  tenureMonths: number;
  /** Rounded half up to the rupee. */
  instalment: Paise;
  /** Two decimals; see annualPercentageRate. */
  apr: number;
  fees: FeeCharge[];
  /** All one-time charges. */
  processingFees: Paise;
  /** Principal less the one-time charges. */
  netDisbursed: Paise;
  /** From the unrounded instalments, half up to the rupee. */
  totalInterest: Paise;
  totalPayable: Paise;
}

/**
 * Totals come from the unrounded instalment (RBI/2024-25/18, Annex B), so `totalPayable` may differ by some
 * rupees from instalment × months.
 * @throws RangeError when the principal is not above zero, the tenure is not 1 to 600 whole months, the rate
 *   is not 0 to 100 percent, a fee is negative, or the fees leave nothing to pay out.
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

/**
 * In paise, as in a quote.
 * @throws RangeError as exactInstalment.
 */
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
