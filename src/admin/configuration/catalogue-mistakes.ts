import type { FieldProblem } from '../../platform/index.js';
import { JOURNEY_STEPS } from '../../products/index.js';
import { type Placed, repeated } from './placed.js';
import type { ProductSection } from './product-section.js';

// Instant loans have an endpoint of their own and no journey.
const INSTANT_PRODUCT = 'ONLINE_INSTANT';
const STEPS_MESSAGE = `must begin with OFFERS, end with DISBURSEMENT and keep the order ${JOURNEY_STEPS.join(', ')}`;

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
  const isRight =
    steps.at(0) === 'OFFERS' &&
    steps.at(-1) === 'DISBURSEMENT' &&
    steps.every((step, index) => step === inOrder[index]);
  return isRight ? [] : [{ field, message: STEPS_MESSAGE }];
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
