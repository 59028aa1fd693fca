import type { PossibleFee } from '../../journeys/index.js';
import { formatRupees, type Language, translate } from '../../platform/index.js';

/** What becomes of the fee when no loan comes of the application. */
export function refundText(
  { amount, isKept }: Pick<PossibleFee, 'amount' | 'isKept'>,
  lender: string,
  language: Language,
): string {
  const key = isKept ? 'steps.fee.kept' : 'steps.fee.back';
  return translate(language, key, { amount: formatRupees(amount), lender });
}
