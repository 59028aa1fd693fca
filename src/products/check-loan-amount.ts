import { formatRupees, rupeesToPaise } from '../loans/index.js';
import type { FieldProblem } from '../platform/index.js';
import type { Product } from '../settings/index.js';

const FIELD = 'loanAmount';

/** Adds nothing without an amount or a known product, or for a field that already has a problem. */
export function checkLoanAmount(
  rupees: number | undefined,
  product: Product | undefined,
  problems: FieldProblem[],
): void {
  if (rupees === undefined || !product || problems.some(({ field }) => field === FIELD)) return;
  const amount = rupeesToPaise(rupees);
  if (amount >= product.minimumAmount && amount <= product.maximumAmount) return;
  const least = formatRupees(product.minimumAmount);
  const most = formatRupees(product.maximumAmount);
  problems.push({ field: FIELD, message: `must be from ${least} to ${most} for this product` });
}
