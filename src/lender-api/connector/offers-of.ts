import { Decimal } from 'decimal.js';
import type { z } from 'zod';
import { formatRupees, goldLoanCap } from '../../loans/index.js';
import type { LenderOffer, RefusedOffer } from '../../lenders/index.js';
import type { Offer } from '../protocol/offer.js';

type ToldOffer = z.infer<typeof Offer>;

/** The share of a point by which a percentage may differ: it is told with two decimals. */
const PERCENT_TOLERANCE = 0.01;

/** An offer in the port's form; or why it is refused, in the protocol's words. */
export function offerOf(told: ToldOffer): LenderOffer | RefusedOffer {
  const { reference, principal, minimumAmount, tenureMonths, netPayout, validUntil } = told;
  const { repayment } = told;
  if (repayment.kind !== 'EMI') {
    const { kind } = repayment;
    return { offerReference: reference, problem: 'REPAYMENT_KIND', stated: kind, computed: 'EMI' };
  }
  const objection = OBJECTIONS.map((object) => object(told)).find((one) => one !== null);
  if (objection) return { offerReference: reference, ...objection };
  return {
    reference,
    principal,
    minimumAmount,
    annualRatePercent: Number(told.rate.annualPercent),
    tenureMonths,
    instalment: repayment.instalment,
    apr: Number(told.apr),
    netDisbursed: netPayout,
    fees: told.fees.map(({ name, payee, amount, gst, percentOfPrincipal }) => ({
      name,
      payee,
      amount,
      ...(gst !== undefined && { gst }),
      ...(percentOfPrincipal !== undefined && { percentOfPrincipal: Number(percentOfPrincipal) }),
    })),
    validUntil,
    collateralExplanation: explanationOf(told.goldValuation),
  };
}

export function isRefused(offer: LenderOffer | RefusedOffer): offer is RefusedOffer {
  return 'problem' in offer;
}

type Objection = Omit<RefusedOffer, 'offerReference'> | null;

/** In this order: the first that applies is told. */
const OBJECTIONS: readonly ((offer: ToldOffer) => Objection)[] = [
  ({ repayment: { schedule } }) =>
    schedule === undefined
      ? null
      : { problem: 'SCHEDULE', stated: 'payments that are not equal and a month apart' },
  ({ rate: { kind } }) =>
    kind === 'FIXED' ? null : { problem: 'RATE_KIND', stated: kind, computed: 'FIXED' },
  // Every charge is taken off the payout in the arithmetic of the statement.
  ({ fees }) => {
    const other = fees.find(({ due }) => due !== 'AT_PAYOUT');
    return other ? { problem: 'FEES', stated: other.due, computed: 'AT_PAYOUT' } : null;
  },
  ({ coLender }) => (coLender ? { problem: 'OTHER', stated: 'coLender' } : null),
  loanToValueObjection,
];

/** A loan against gold keeps to the ratio that it states, and to the RBI's for its size. */
function loanToValueObjection({ principal, goldValuation }: ToldOffer): Objection {
  if (!goldValuation) return null;
  const { value, netWeightGrams, pricePerGram, ltvPercent } = goldValuation;
  const worth = new Decimal(netWeightGrams).times(pricePerGram);
  if (worth.minus(value).abs().greaterThan(100)) {
    return { problem: 'LTV', stated: formatRupees(value), computed: formatRupees(rounded(worth)) };
  }
  const ratio = new Decimal(principal).times(100).dividedBy(value);
  if (ratio.minus(ltvPercent).abs().greaterThan(PERCENT_TOLERANCE)) {
    return { problem: 'LTV', stated: `${ltvPercent}%`, computed: `${ratio.toFixed(2)}%` };
  }
  const { cap } = goldLoanCap({ grams: '1', pricePerGram: value });
  return principal <= cap
    ? null
    : { problem: 'LTV', stated: formatRupees(principal), computed: `at most ${formatRupees(cap)}` };
}

function explanationOf(valuation: ToldOffer['goldValuation']): string | null {
  if (!valuation) return null;
  if (valuation.explanation !== undefined) return valuation.explanation;
  const { netWeightGrams, purityKarat, pricePerGram, value, ltvPercent } = valuation;
  return (
    `${netWeightGrams} g of ${purityKarat} karat gold at ${formatRupees(pricePerGram)} a gram is ` +
    `worth ${formatRupees(value)}. The loan is ${ltvPercent}% of that value.`
  );
}

function rounded(amount: Decimal): number {
  return amount.toDecimalPlaces(0, Decimal.ROUND_DOWN).toNumber();
}
