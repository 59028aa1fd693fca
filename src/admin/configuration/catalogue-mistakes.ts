import type { FieldProblem } from '../../platform/index.js';
import { INSTANT_PRODUCT } from '../../settings/index.js';
import { mistake, type Placed, repeated } from './placed.js';
import type { ProductSection } from './product-section.js';
import {
  DECISION,
  FEE,
  JOURNEY_STEPS,
  type JourneyStep,
  OFFERS,
  STEP_DEFINITIONS,
} from '../../journey-steps/index.js';

// Lenders appraise the gold that its applicants bring.
const GOLD_PRODUCT = 'ONLINE_GOLD';

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
  if (section.channel === 'OFFLINE') {
    const message = 'must be left out: this product has no journey';
    return steps.length === 0 ? [] : mistake(field, message);
  }
  if (section.code === INSTANT_PRODUCT) {
    const isComplete = steps.join() === INSTANT_STEPS.join();
    return isComplete ? [] : mistake(field, `must be ${INSTANT_STEPS.join(', ')}`);
  }
  if (!isInOrder(steps)) {
    const order = IN_ORDER.join(', ');
    return mistake(field, `must keep the order ${order}; FEE may come once, anywhere in between`);
  }
  const isGold = section.code === GOLD_PRODUCT;
  const lacking = STEP_DEFINITIONS.filter(
    ({ name, need }) =>
      (need === 'EVERY_LOAN' || (need === 'GOLD_LOANS_ALONE' && isGold)) && !steps.includes(name),
  );
  if (lacking.length > 0) {
    const message = `must hold ${namesOf(lacking)}: without that no loan of ${section.code} can be paid out`;
    return mistake(field, message);
  }
  if (steps.includes(DECISION.name)) {
    return mistake(field, `must not hold ${DECISION.name}: only ${INSTANT_PRODUCT} has it`);
  }
  const vain = STEP_DEFINITIONS.filter(
    ({ name, need }) => need === 'GOLD_LOANS_ALONE' && !isGold && steps.includes(name),
  );
  const message = `must not hold ${namesOf(vain)}: no gold is appraised for a loan of ${section.code}`;
  return vain.length > 0 ? mistake(field, message) : [];
}

const INSTANT_STEPS: readonly JourneyStep[] = [OFFERS.name, FEE.name, DECISION.name];

const IN_ORDER = JOURNEY_STEPS.filter((step) => step !== FEE.name && step !== DECISION.name);

/** The fee may stand anywhere between the offers and the payout. */
function isInOrder(steps: readonly JourneyStep[]): boolean {
  const others = steps.filter((step) => step !== FEE.name);
  const inOrder = IN_ORDER.filter((step) => others.includes(step));
  const place = steps.indexOf(FEE.name);
  const isBetween = place > 0 && place < steps.length - 1 && place === steps.lastIndexOf(FEE.name);
  return others.every((step, index) => step === inOrder[index]) && (place < 0 || isBetween);
}

function namesOf(steps: readonly { readonly name: string }[]): string {
  return steps.map(({ name }) => name).join(', ');
}

function amountMistakes({ path, section }: Placed<ProductSection>): FieldProblem[] {
  const { minimumAmount, maximumAmount, defaultAmount } = section;
  if (minimumAmount > maximumAmount) {
    return mistake(`${path}.maximumAmount`, 'must not be below minimumAmount');
  }
  const isWithin = minimumAmount <= defaultAmount && defaultAmount <= maximumAmount;
  const message = 'must lie from minimumAmount to maximumAmount';
  return isWithin ? [] : mistake(`${path}.defaultAmount`, message);
}
