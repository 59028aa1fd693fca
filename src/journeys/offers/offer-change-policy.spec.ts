import { expect, it } from 'vitest';
import { bindingStep } from './offer-change-policy.js';

it('a lender’s terms bind after a step only where the journey has that step', () => {
  const steps = (...of: Parameters<typeof bindingStep>[0]['steps']) => ({ steps: of });
  const terms = (bindsAfter?: 'MANDATE') =>
    ({ bindsAfter }) as unknown as Parameters<typeof bindingStep>[1];
  expect(bindingStep(steps('KYC', 'MANDATE'), terms('MANDATE'))).toBe('MANDATE');
  expect(bindingStep(steps('KYC', 'BRANCH'), terms('MANDATE'))).toBeNull();
  expect(bindingStep(steps('KYC', 'MANDATE'), terms())).toBeNull();
});
