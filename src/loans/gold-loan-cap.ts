import { type Decimal, LoanDecimal, type Paise, paise } from './money.js';

export interface LtvSlab {
  /** Null: no limit. */
  ceiling: Paise | null;
  ratioPercent: number;
}

export interface GoldLoanCap {
  /** Grams × price, rounded down to the paisa. */
  value: Paise;
  /** Rounded down to the rupee. */
  cap: Paise;
  ratioPercent: number;
  ceiling: Paise | null;
}

/**
 * Consumption loans, by amount per borrower: RBI (Lending Against Gold and Silver Collateral) Directions, 2025
 * (RBI/2025-26/47 of 6 June 2025).
 */
export const RBI_GOLD_LTV_SLABS: readonly LtvSlab[] = Object.freeze([
  Object.freeze({ ceiling: 2_50_000_00, ratioPercent: 85 }),
  Object.freeze({ ceiling: 5_00_000_00, ratioPercent: 80 }),
  Object.freeze({ ceiling: null, ratioPercent: 75 }),
]);

/**
 * The largest of min(ceiling, ratio × value) over the slabs. Slabs go by amount: by value, more gold would allow less
 * just above a border.
 * @param input.grams decimal string such as '12.345'
 * @throws RangeError for malformed grams, price or slab, or an unsafe value
 */
export function goldLoanCap(input: {
  grams: string;
  pricePerGram: Paise;
  slabs?: readonly LtvSlab[];
}): GoldLoanCap {
  const slabs = input.slabs ?? RBI_GOLD_LTV_SLABS;
  assertSlabs(slabs);
  const value = goldValue(input.grams, input.pricePerGram);
  const [first, ...others] = slabs.map((slab) => ({ slab, amount: cappedBySlab(slab, value) }));
  // A loan of exactly its ceiling belongs to the earlier slab.
  const best = others.reduce(
    (top, next) => (next.amount.greaterThan(top.amount) ? next : top),
    first,
  );
  const wholeValue = paise(value.floor().toNumber());
  const cap = paise(best.amount.dividedBy(100).floor().times(100).toNumber());
  return {
    value: wholeValue,
    cap,
    ratioPercent: best.slab.ratioPercent,
    ceiling: best.slab.ceiling,
  };
}

function goldValue(grams: string, pricePerGram: Paise): Decimal {
  if (!/^\d{1,12}(\.\d{1,12})?$/.test(grams) || new LoanDecimal(grams).isZero()) {
    throw new RangeError(`Grams must be a decimal number above zero: '${grams}'`);
  }
  if (paise(pricePerGram) <= 0) {
    throw new RangeError(`Price per gram must be above zero: ${pricePerGram} paise`);
  }
  return new LoanDecimal(grams).times(pricePerGram);
}

function cappedBySlab(slab: LtvSlab, value: Decimal): Decimal {
  const share = value.times(slab.ratioPercent).dividedBy(100);
  return slab.ceiling === null ? share : LoanDecimal.min(share, slab.ceiling);
}

function assertSlabs(slabs: readonly LtvSlab[]): void {
  if (slabs.length === 0) {
    throw new RangeError('At least one loan-to-value slab is needed');
  }
  for (const slab of slabs) {
    if (!(slab.ratioPercent > 0 && slab.ratioPercent <= 100)) {
      throw new RangeError(`A slab's ratio must be above 0 and at most 100: ${slab.ratioPercent}`);
    }
    if (slab.ceiling !== null && paise(slab.ceiling) <= 0) {
      throw new RangeError(`A slab's ceiling must be above zero: ${slab.ceiling} paise`);
    }
  }
}
