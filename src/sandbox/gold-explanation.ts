import type { GoldLoanCap, Paise } from '../loans/index.js';
import { formatRupees, translate } from '../platform/index.js';
import { type OwnTexts, ownTextOf } from '../settings/index.js';

/**
 * How a sandbox lender explains what may be borrowed on gold.
 * @param grams decimal string
 * @param pricePerGram paise
 * @param asked what the applicant asked for: it may be less than the gold is good for
 */
export function goldExplanation(
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
