import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDIRECT_STEPS } from '../../journey-steps/index.js';
import { Fault } from '../../platform/index.js';
import { readReturnedStep } from './journeys.controller.js';

function detailsOf(body: Record<string, unknown>): unknown {
  try {
    return `took it as ${readReturnedStep(body)}`;
  } catch (error) {
    return error instanceof Fault && { code: error.code, details: error.details };
  }
}

const REFUSAL = {
  code: 'validation_failed',
  details: [{ field: 'step', message: `must be one of ${REDIRECT_STEPS.join(', ')}` }],
};

describe('the step that a return names', () => {
  it('is found under any name and in any case, with blanks around it', () => {
    expect(readReturnedStep({ status: 'done', Type: ' eSign ' })).toBe('ESIGN');
    expect(readReturnedStep({ step: 'KYC', completed: 'kyc' })).toBe('KYC');
    const cased = fc.constantFrom(...REDIRECT_STEPS).chain((step) =>
      fc.array(fc.boolean(), { minLength: step.length, maxLength: step.length }).map((isLower) => ({
        step,
        text: step.replaceAll(/./g, (letter, place: number) =>
          isLower[place] ? letter.toLowerCase() : letter,
        ),
      })),
    );
    fc.assert(
      fc.property(cased, fc.string(), ({ step, text }, name) => {
        expect(readReturnedStep(JSON.parse(`{${JSON.stringify(name)}:"${text}"}`))).toBe(step);
      }),
    );
  });

  it.each([[{}], [{ step: null }], [{ KYC: true }]])('is missed in %j', (body) => {
    const message = `is missing; it must be one of ${REDIRECT_STEPS.join(', ')}`;
    expect(detailsOf(body)).toEqual({ ...REFUSAL, details: [{ field: 'step', message }] });
  });

  it.each([
    [{ step: 'OFFERS' }],
    [{ step: 'KYC_DONE' }],
    [{ step: '' }],
    [{ step: ['KYC'] }],
    [{ step: { name: 'KYC' } }],
    [{ step: 'KYC', other: 'ESIGN' }],
  ])('is refused with details when none or more than one is there: %j', (body) => {
    expect(detailsOf(body)).toEqual(REFUSAL);
  });
});
