import type { FieldProblem } from '../../platform/index.js';
import type { Deployment } from './deployment.js';
import { paymentMistakes } from './gateways-of.js';
import type { LenderSection } from './lender-section.js';
import type { Placed } from './placed.js';
import type { ProductSection } from './product-section.js';

// The one product whose applicants pay before the loan is paid out.
const INSTANT_PRODUCT = 'ONLINE_INSTANT';
const SIMULATED = 'must be a real gateway: the simulated one has no accounts, leave payment out';

/**
 * What is wrong with the accounts into which lenders' fees go. In production the fee belongs to the
 * lender: an instant product that is switched on needs an account of each lender that serves it.
 */
export function feeAccountMistakes(
  lenders: readonly Placed<LenderSection>[],
  products: readonly ProductSection[],
  deployment: Deployment,
): FieldProblem[] {
  const isTaken = products.some(
    ({ code, enabled }) => code === INSTANT_PRODUCT && (enabled ?? true),
  );
  return lenders.flatMap(({ path, section }) => {
    const field = `${path}.payment`;
    if (section.payment?.gateway === 'sandbox') {
      return [{ field: `${field}.gateway`, message: SIMULATED }];
    }
    if (section.payment) return paymentMistakes(section.payment, deployment, field);
    const serves = (section.enabled ?? true) && section.products.has(INSTANT_PRODUCT);
    const isLacking = deployment.mode === 'production' && isTaken && serves;
    const message = `is required here: the fee of ${INSTANT_PRODUCT} goes into the lender's own account`;
    return isLacking ? [{ field, message }] : [];
  });
}
