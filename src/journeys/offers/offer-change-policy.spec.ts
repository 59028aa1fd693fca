import 'reflect-metadata';
import { expect, it } from 'vitest';
import type { Journey } from '../store/journey.entity.js';
import { bindingStep, OfferChangePolicy } from './offer-change-policy.js';

it('a lender’s terms bind after a step only where the journey has that step', () => {
  const steps = (...of: Parameters<typeof bindingStep>[0]['steps']) => ({ steps: of });
  const terms = (bindsAfter?: 'MANDATE') =>
    ({ bindsAfter }) as unknown as Parameters<typeof bindingStep>[1];
  expect(bindingStep(steps('KYC', 'MANDATE'), terms('MANDATE'))).toBe('MANDATE');
  expect(bindingStep(steps('KYC', 'BRANCH'), terms('MANDATE'))).toBeNull();
  expect(bindingStep(steps('KYC', 'MANDATE'), terms())).toBeNull();
});

it.each([
  [0, 'red_2:0'],
  [1, null],
])(
  'after %i failed signatures, the session of a visit that covered it is %j',
  async (stepFailures, session) => {
    const visits = [{ id: 'red_1', verdict: 'PASSED' }];
    const policy = new OfferChangePolicy(
      {} as never,
      { signingVisits: () => Promise.resolve(visits) } as never,
      ...([] as unknown as [never, never, never]),
    );
    const journey = { redirectId: 'red_2', state: 'ESIGN_PENDING', stepFailures } as Journey;
    expect(await policy.signingSession({} as never, journey)).toBe(session);
  },
);
