import {
  chargeFees,
  goldLoanCap,
  type GoldLoanCap,
  MIN_UP_FRONT_FEE,
  type Paise,
  quoteLoan,
} from '../loans/index.js';
import type { GoldValuation, LenderOffer, QuestionPayload } from '../lenders/index.js';
import { formatRupees, translate } from '../platform/index.js';
import { type Lender, type OwnTexts, ownTextOf, type ProductTerms } from '../settings/index.js';

const DAY_MS = 86_400_000;
/** RBI/2025-26/47: lenders value gold at this purity. */
const VALUED_KARAT = '22';

export class NoOffer extends Error {}

/**
 * Offers the requested amount, or at most the gold's loan cap.
 * @throws NoOffer when the terms allow no loan
 */
export function sandboxOffer(
  lender: Lender,
  payload: QuestionPayload,
  reference: string,
  offeredAt: Date,
): LenderOffer {
  const terms = lender.terms.products[payload.productCode];
  if (!terms) throw new NoOffer('PRODUCT_NOT_SERVED');
  const collateral = collateralOf(terms, payload);
  const principal = Math.min(payload.loanAmount, collateral?.cap ?? payload.loanAmount);
  if (principal < terms.minimumAmount || principal > terms.maximumAmount) {
    throw new NoOffer('AMOUNT_OUT_OF_RANGE');
  }
  return {
    ...figures(terms, principal, arePaidUpFront(payload)),
    reference,
    principal,
    minimumAmount: terms.minimumAmount,
    annualRatePercent: terms.annualRatePercent,
    tenureMonths: terms.tenureMonths,
    validUntil: new Date(offeredAt.getTime() + terms.offerValidDays * DAY_MS).toISOString(),
    collateralExplanation: collateral?.text ?? null,
    ...(collateral && {
      texts: collateral.texts,
      goldValuation: { ...collateral.valuation, ltvPercent: percentOf(principal, collateral) },
    }),
  };
}

function arePaidUpFront({ subjectKind, areChargesPaidUpFront }: QuestionPayload): boolean {
  return areChargesPaidUpFront ?? subjectKind === 'INSTANT_LOAN';
}

interface Collateral {
  readonly cap: Paise;
  readonly text: string;
  readonly texts: OwnTexts;
  readonly valuation: Omit<GoldValuation, 'ltvPercent'>;
}

function percentOf(principal: Paise, { valuation }: Collateral): string {
  return ((principal / valuation.value) * 100).toFixed(2);
}

function collateralOf(terms: ProductTerms, payload: QuestionPayload): Collateral | null {
  if (!terms.gold) return null;
  if (!payload.gold) throw new NoOffer('NO_COLLATERAL');
  const { pricePerGram, slabs } = terms.gold;
  const { grams } = payload.gold;
  const found = goldLoanCap({ grams, pricePerGram, slabs });
  return {
    cap: found.cap,
    ...goldExplanation(grams, pricePerGram, found, payload.loanAmount),
    valuation: {
      value: found.value,
      purityKarat: VALUED_KARAT,
      netWeightGrams: grams,
      pricePerGram,
    },
  };
}

function figures(terms: ProductTerms, principal: Paise, areChargesPaidUpFront: boolean) {
  const { annualRatePercent, tenureMonths } = terms;
  const fees = chargeFees(principal, terms.fees);
  try {
    const quote = quoteLoan({ principal, annualRatePercent, tenureMonths, fees });
    const { instalment, apr, processingFees } = quote;
    if (!areChargesPaidUpFront) return { instalment, apr, netDisbursed: quote.netDisbursed, fees };
    if (processingFees < MIN_UP_FRONT_FEE) throw new NoOffer('FEE_TOO_SMALL');
    return { instalment, apr, netDisbursed: principal, fees };
  } catch (error) {
    // The fees exceed a small loan.
    if (error instanceof RangeError) throw new NoOffer('AMOUNT_TOO_SMALL');
    throw error;
  }
}

/**
 * @param grams decimal string
 * @param asked the requested amount, which may be below the cap
 */
function goldExplanation(
  grams: string,
  pricePerGram: Paise,
  { value, cap, ratioPercent, ceiling }: GoldLoanCap,
  asked: Paise,
): { text: string; texts: OwnTexts } {
  const values = {
    grams,
    price: formatRupees(pricePerGram),
    value: formatRupees(value),
    percent: `${ratioPercent}%`,
    cap: formatRupees(cap),
  };
  return ownTextOf((language) => {
    const loan =
      ceiling === null
        ? translate(language, 'sandbox.gold.explanation.size')
        : translate(language, 'sandbox.gold.explanation.upTo', { ceiling: formatRupees(ceiling) });
    const explanation = translate(language, 'sandbox.gold.explanation', { ...values, loan });
    if (asked >= cap) return explanation;
    const less = translate(language, 'sandbox.gold.explanation.asked', {
      asked: formatRupees(asked),
    });
    return `${explanation} ${less}`;
  });
}
