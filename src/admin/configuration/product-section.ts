import { choice } from '../../platform/index.js';
import { INSTANT_PRODUCT, type Product } from '../../settings/index.js';
import {
  DECISION,
  FEE,
  JOURNEY_STEPS,
  type JourneyStep,
  OFFERS,
  STEP_DEFINITIONS,
} from '../../journey-steps/index.js';
import { flag, pattern, problem, rules, rupees, section, text, words } from './fields.js';
import { inEnglish, otherLanguagesOf, ownText } from './own-text.js';
import type { z } from 'zod';

// Lenders appraise its applicants' gold.
const GOLD_PRODUCT = 'ONLINE_GOLD';

export const product = section({
  code: pattern(/^[A-Z][A-Z0-9_]{1,59}$/, 'must be capital letters, digits and underscores'),
  /** Partners get the English text. */
  displayName: ownText(),
  category: text(),
  channel: choice(['ONLINE', 'OFFLINE']),
  provider: text(),
  icon: text(),
  enabled: flag.default(true),
  steps: words(JOURNEY_STEPS).default([]),
  minimumAmount: rupees,
  maximumAmount: rupees,
  defaultAmount: rupees,
}).check(
  rules(({ minimumAmount, maximumAmount, defaultAmount, ...given }) => [
    ...problem(stepsProblem(given), 'steps'),
    ...(minimumAmount > maximumAmount
      ? problem('must not be below minimumAmount', 'maximumAmount')
      : problem(
          (defaultAmount < minimumAmount || defaultAmount > maximumAmount) &&
            'must be between minimumAmount and maximumAmount',
          'defaultAmount',
        )),
  ]),
);

export type ProductSection = z.output<typeof product>;

export function productsOf(sections: readonly ProductSection[]): Product[] {
  return sections.map(({ enabled, ...given }, position) => ({
    ...inEnglish(given),
    position,
    isEnabled: enabled,
    texts: otherLanguagesOf(given),
  }));
}

function stepsProblem({
  code,
  channel,
  steps,
}: {
  code: string;
  channel: string;
  steps: readonly JourneyStep[];
}): string | null {
  if (channel === 'OFFLINE') {
    return steps.length === 0 ? null : 'must be left out: this product has no journey';
  }
  if (code === INSTANT_PRODUCT) {
    return steps.join() === INSTANT_STEPS.join() ? null : `must be ${INSTANT_STEPS.join(', ')}`;
  }
  if (!isInOrder(steps)) {
    return `must keep the order ${IN_ORDER.join(', ')}; FEE may come once, anywhere in between`;
  }
  const isGold = code === GOLD_PRODUCT;
  const lacking = STEP_DEFINITIONS.filter(
    ({ name, need }) =>
      (need === 'EVERY_LOAN' || (need === 'GOLD_LOANS_ALONE' && isGold)) && !steps.includes(name),
  );
  if (lacking.length > 0) {
    return `must have ${namesOf(lacking)}: a loan of ${code} cannot be paid out without it`;
  }
  if (steps.includes(DECISION.name)) {
    return `must not have ${DECISION.name}: only ${INSTANT_PRODUCT} has it`;
  }
  const vain = STEP_DEFINITIONS.filter(
    ({ name, need }) => need === 'GOLD_LOANS_ALONE' && !isGold && steps.includes(name),
  );
  return vain.length === 0 ? null : `must not have ${namesOf(vain)}: ${code} is not a gold loan`;
}

const INSTANT_STEPS: readonly JourneyStep[] = [OFFERS.name, FEE.name, DECISION.name];

const IN_ORDER = JOURNEY_STEPS.filter((step) => step !== FEE.name && step !== DECISION.name);

/** The fee may be anywhere between offers and payout. */
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
