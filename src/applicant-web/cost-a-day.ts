import { coolingOffCostADay, type PaidOutLoan } from '../loans/index.js';
import { formatRupees, type Language, translate } from '../platform/index.js';

const RUPEE = 100;

/** What a day costs whoever leaves a loan within its cooling-off period: the APR on what arrives, as it is written. */
export function costADay(
  loan: Pick<PaidOutLoan, 'netDisbursed' | 'apr'>,
  language: Language,
): string {
  const cost = coolingOffCostADay(loan);
  if (cost < RUPEE) return translate(language, 'common.under-a-rupee');
  return translate(language, 'common.about', { amount: formatRupees(cost) });
}
