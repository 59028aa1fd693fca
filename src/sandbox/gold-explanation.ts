import type { GoldLoanCap, Paise } from '../loans/index.js';
import { formatRupees, translate } from '../platform/index.js';
import { type OwnTexts, ownTextOf } from '../settings/index.js';

/**
 * How a sandbox lender explains what may be borrowed on gold.
 * @param grams decimal string
 * @param pricePerGram paise
 */
export function goldExplanation(
  grams: string,
  pricePerGram: Paise,
  { value, cap, ratioPercent, ceiling }: GoldLoanCap,
): { text: string; texts: OwnTexts } {
  const values = {
    grams,
    price: formatRupees(pricePerGram),
    value: formatRupees(value),
    percent: `${ratioPercent}%`,
    cap: formatRupees(cap),
  };
  return ownTextOf((language) =>
    ceiling === null
      ? translate(language, 'sandbox.gold.explanation', values)
      : translate(language, 'sandbox.gold.explanation.upTo', {
          ...values,
          ceiling: formatRupees(ceiling),
        }),
  );
}
