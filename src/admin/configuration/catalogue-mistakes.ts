import type { FieldProblem } from '../../platform/index.js';
import { type Placed, repeated } from './placed.js';
import type { ProductSection } from './product-section.js';
import { JOURNEY_STEPS, type JourneyStep } from '../../settings/index.js';

// Instant loans have an endpoint of their own and no journey.
const INSTANT_PRODUCT = 'ONLINE_INSTANT';
// The one product whose applicants say what gold they bring; its lenders have it appraised.
const GOLD_PRODUCT = 'ONLINE_GOLD';
// What no loan is paid out without: an offer with its Key Facts Statement, the check of who the
// borrower is, the borrower's own account, the signature, and the payout itself. A mandate is not
// among them: instalments can be paid without one.
const INDISPENSABLE: ReadonlySet<JourneyStep> = new Set([
  'OFFERS',
  'KYC',
  'BANK_ACCOUNT',
  'ESIGN',
  'DISBURSEMENT',
]);

/** What is wrong with the products beyond the shape of each field. */
export function catalogueMistakes(products: readonly Placed<ProductSection>[]): FieldProblem[] {
  const codes = products.map(({ path, section }) => ({
    path: `${path}.code`,
    text: section.code,
  }));
  return [
    ...repeated(codes, 'stands twice: another product has this code'),
    ...products.flatMap(stepMistakes),
    ...products.flatMap(amountMistakes),
  ];
}

function stepMistakes({ path, section }: Placed<ProductSection>): FieldProblem[] {
  const steps = section.steps ?? [];
  const field = `${path}.steps`;
  if (section.channel === 'OFFLINE' || section.code === INSTANT_PRODUCT) {
    const message = 'must be left out: this product has no journey';
    return steps.length === 0 ? [] : [{ field, message }];
  }
  const inOrder = JOURNEY_STEPS.filter((step) => steps.includes(step));
  if (steps.some((step, index) => step !== inOrder[index])) {
    return [{ field, message: `must keep the order ${JOURNEY_STEPS.join(', ')}` }];
  }
  const lacking = JOURNEY_STEPS.filter((step) => isNeeded(step, section) && !steps.includes(step));
  if (lacking.length > 0) {
    const message = `must hold ${lacking.join(', ')}: without that no loan of ${section.code} can be paid out`;
    return [{ field, message }];
  }
  const hasVainBranch = steps.includes('BRANCH') && section.code !== GOLD_PRODUCT;
  const message = `must not hold BRANCH: no gold is appraised for a loan of ${section.code}`;
  return hasVainBranch ? [{ field, message }] : [];
}

function isNeeded(step: JourneyStep, { code }: ProductSection): boolean {
  return INDISPENSABLE.has(step) || (step === 'BRANCH' && code === GOLD_PRODUCT);
}

function amountMistakes({ path, section }: Placed<ProductSection>): FieldProblem[] {
  const { minimumAmount, maximumAmount, defaultAmount } = section;
  if (minimumAmount > maximumAmount) {
    return [{ field: `${path}.maximumAmount`, message: 'must not be below minimumAmount' }];
  }
  const isWithin = minimumAmount <= defaultAmount && defaultAmount <= maximumAmount;
  const message = 'must lie from minimumAmount to maximumAmount';
  return isWithin ? [] : [{ field: `${path}.defaultAmount`, message }];
}
