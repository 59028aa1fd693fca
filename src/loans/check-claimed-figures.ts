import { amountsByPercentage, type FeeCharge } from './fees.js';
import { LoanDecimal } from './loan-decimal.js';
import type { Paise } from './money.js';
import { quoteLoan, type Quote } from './quote.js';

/** A lender's own figures for an offer; money in paise, rates in percent. */
export interface ClaimedFigures {
  principal: Paise;
  annualRatePercent: number;
  tenureMonths: number;
  instalment: Paise;
  apr: number;
  /** What reaches the borrower. */
  netDisbursed: Paise;
  fees: readonly FeeCharge[];
  /** Whether the fees are paid before the loan, all of which then arrives; else they are deducted. */
  areChargesPaidUpFront?: boolean;
}

/** One figure that the lender has otherwise: percent for the APR, else paise. */
export interface Disagreement {
  figure: 'instalment' | 'netDisbursed' | 'apr' | 'fee';
  claimed: number;
  computed: number;
  /** Of a fee: the percentage that the lender states. */
  percentOfPrincipal?: number;
}

const MONEY_TOLERANCE_PAISE = 100;
const APR_TOLERANCE_POINTS = 0.01;

/**
 * Computes a lender's offer again. A lender's own figures are never passed on unchecked: what
 * disagrees by more than ₹1, or by more than 0.01 percentage points of APR, is listed. So is a fee that is not
 * to the paisa the percentage of the principal that the lender states for it.
 *
 * The principal, rate, tenure and fees are taken as claimed; whether they are what was asked for is
 * the caller's question.
 * @throws RangeError as quoteLoan does, when the claimed terms make no loan at all.
 */
export function checkClaimedFigures(claimed: ClaimedFigures): {
  quote: Quote;
  disagreements: Disagreement[];
} {
  const quote = quoteLoan(claimed);
  const arrives = claimed.areChargesPaidUpFront ? quote.principal : quote.netDisbursed;
  const compared: (Disagreement & { tolerance: number })[] = [
    row('instalment', claimed.instalment, quote.instalment, MONEY_TOLERANCE_PAISE),
    row('netDisbursed', claimed.netDisbursed, arrives, MONEY_TOLERANCE_PAISE),
    row('apr', claimed.apr, quote.apr, APR_TOLERANCE_POINTS),
  ];
  const disagreements = compared
    .filter((one) => !agrees(one.claimed, one.computed, one.tolerance))
    .map(({ figure, claimed: theirs, computed }) => ({ figure, claimed: theirs, computed }));
  return { quote, disagreements: [...disagreements, ...wrongPercentages(claimed)] };
}

function wrongPercentages({ principal, fees }: ClaimedFigures): Disagreement[] {
  return fees.flatMap((fee) => {
    const amounts = amountsByPercentage(principal, fee);
    if (amounts === null || amounts.includes(fee.amount)) return [];
    const { amount: claimed, percentOfPrincipal } = fee;
    return [{ figure: 'fee', claimed, computed: amounts[0], percentOfPrincipal }];
  });
}

function row(
  figure: Disagreement['figure'],
  claimed: number,
  computed: number,
  tolerance: number,
): Disagreement & { tolerance: number } {
  return { figure, claimed, computed, tolerance };
}

function agrees(claimed: number, computed: number, tolerance: number): boolean {
  // A lender's answer is foreign data: NaN compares false with everything and must not pass as equal.
  return (
    Number.isFinite(claimed) &&
    new LoanDecimal(claimed).minus(computed).abs().lessThanOrEqualTo(tolerance)
  );
}
