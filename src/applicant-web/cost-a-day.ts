import { coolingOffCostADay, type PaidOutLoan } from '../loans/index.js';
import { formatRupees, type Language, translate } from '../platform/index.js';

const RUPEE = 100;

/**
 * What a day costs a borrower who leaves within the cooling-off period: the APR on the amount
 * disbursed.
 */
export function costADay(
  loan: Pick<PaidOutLoan, 'netDisbursed' | 'apr'>,
  language: Language,
): string {
  const cost = coolingOffCostADay(loan);
  if (cost < RUPEE) return translate(language, 'common.under-a-rupee');
  return translate(language, 'common.about', { amount: formatRupees(cost) });
}
