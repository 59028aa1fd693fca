import type { StoredOffer } from './applications.ts';
import type { Fields } from './fields.ts';
import { loanFigures, valueGold } from './loan-figures.ts';
import type { Lender } from './question.ts';

const PURITY_KARAT = '22';

/**
 * An offer in the protocol's form, for one amount; null when the fees exceed the amount.
 * @param amount paise
 */
export function offerDocument(lender: Lender, offer: StoredOffer, amount: number): Fields | null {
  const { terms, reference, validUntil, principal, goldGrams } = offer;
  const figures = loanFigures(terms, amount);
  if (!figures) return null;
  const gold = goldGrams === null ? {} : goldParts(lender, offer, goldGrams, amount);
  return {
    reference,
    principal: amount,
    minimumAmount: terms.minimumAmount,
    maximumAmount: principal,
    tenureMonths: terms.tenureMonths,
    rate: { kind: 'FIXED', annualPercent: terms.annualRatePercent },
    repayment: { kind: 'EMI', instalment: figures.instalment },
    apr: figures.apr.toFixed(2),
    netPayout: figures.netPayout,
    fees: figures.fees.map(({ percentOfPrincipal, ...fee }) => ({
      ...fee,
      ...(percentOfPrincipal === undefined ? {} : { percentOfPrincipal: `${percentOfPrincipal}` }),
      due: terms.areFeesPaidFirst ? 'BEFORE_PAYOUT' : 'AT_PAYOUT',
    })),
    contingentCharges: terms.contingentCharges,
    coolingOffDays: terms.coolingOffDays,
    validUntil,
    ...gold,
  };
}

function goldParts(lender: Lender, offer: StoredOffer, grams: string, amount: number): Fields {
  const pricePerGram = offer.terms.gold?.pricePerGram ?? 0;
  const valuation = valueGold(grams, pricePerGram);
  if (!valuation) return {};
  const { value, cap } = valuation;
  return {
    goldValuation: {
      value,
      purityKarat: PURITY_KARAT,
      netWeightGrams: grams,
      pricePerGram,
      // Rounded up, so that the ratio is never understated.
      ltvPercent: (Math.ceil((amount * 10_000) / value) / 100).toFixed(2),
      explanation:
        `${grams} g of gold at ₹${inRupees(pricePerGram)} a gram is worth ₹${inRupees(value)}. ` +
        `The highest loan on it is ₹${inRupees(cap)}.`,
    },
    branches: lender.branches.map(({ id, ...branch }) => ({ reference: id, ...branch })),
  };
}

function inRupees(paise: number): string {
  return (paise / 100).toLocaleString('en-IN', { maximumFractionDigits: 2 });
}
