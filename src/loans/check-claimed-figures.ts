import { amountsByPercentage, type FeeCharge } from './fees.js';
import { LoanDecimal, type Paise } from './money.js';
import { quoteLoan, type Quote } from './quote.js';

/** Stated by the lender; money in paise. */
export interface ClaimedFigures {
  principal: Paise;
  annualRatePercent: number;
  tenureMonths: number;
  instalment: Paise;
  apr: number;
  /** What the borrower receives. */
  netDisbursed: Paise;
  fees: readonly FeeCharge[];
  /** If set, the whole principal is paid out; otherwise charges are deducted. */
  areChargesPaidUpFront?: boolean;
}

/** Percent for the APR, else paise. */
export interface Disagreement {
  figure: 'instalment' | 'netDisbursed' | 'apr' | 'fee';
  claimed: number;
  computed: number;
  percentOfPrincipal?: number;
}

const MONEY_TOLERANCE_PAISE = 100;
const APR_TOLERANCE_POINTS = 0.01;

/**
 * Tolerates ₹1 and 0.01 points of APR; fees must match their percentage to the paisa. The caller compares the terms with the request.
 * @throws RangeError as quoteLoan
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
  // NaN must not pass as equal.
  return (
    Number.isFinite(claimed) &&
    new LoanDecimal(claimed).minus(computed).abs().lessThanOrEqualTo(tolerance)
  );
}
