import { isRedirectStep, REDIRECT_STEPS, type RedirectStep } from '../../journey-steps/index.js';
import { missingOr, validationFault } from '../../platform/index.js';

/**
 * Finds the step in any top-level string, since the contract names no field, and in any case.
 * @throws Fault validation_failed when there is none, or two that differ
 */
export function readReturnedStep(body: Record<string, unknown>): RedirectStep {
  const named = new Set(
    Object.values(body)
      .filter((value) => typeof value === 'string')
      .map((value) => value.trim().toUpperCase())
      .filter(isRedirectStep),
  );
  const [step] = named;
  if (step && named.size === 1) return step;
  const message = `must be one of ${REDIRECT_STEPS.join(', ')}`;
  const isMissing = named.size === 0 && (body.step === undefined || body.step === null);
  throw validationFault([
    { field: 'step', message: isMissing ? missingOr(null, message) : message },
  ]);
}
