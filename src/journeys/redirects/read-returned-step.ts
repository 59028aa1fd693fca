import type { RedirectStep } from '../../lenders/index.js';
import { missingOr, validationFault } from '../../platform/index.js';

const STEPS: readonly string[] = ['KYC', 'MANDATE', 'ESIGN'];

/**
 * Finds the step that a return names. The contract does not name the field, so any top-level string
 * with one of the three values is taken, in any case.
 * @throws Fault validation_failed when none is there, or two that differ
 */
export function readReturnedStep(body: Record<string, unknown>): RedirectStep {
  const named = new Set(
    Object.values(body)
      .filter((value) => typeof value === 'string')
      .map((value) => value.trim().toUpperCase())
      .filter((value) => STEPS.includes(value)),
  );
  const [step] = named;
  if (named.size === 1) return step as RedirectStep;
  const message = `must be one of ${STEPS.join(', ')}`;
  const isMissing = named.size === 0 && (body.step === undefined || body.step === null);
  throw validationFault([
    { field: 'step', message: isMissing ? missingOr(null, message) : message },
  ]);
}
