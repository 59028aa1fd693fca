import type { RedirectStep } from '../journey-steps/index.js';
import { RESERVED_PANS, type SandboxOutcome } from './reserved-pans.js';

const RESERVED_PAN = /^SANDX(\d{4})[A-Z]$/;

const BY_NUMBER = new Map(
  RESERVED_PANS.map(({ pan, outcome }) => [RESERVED_PAN.exec(pan)![1], outcome] as const),
);

/** The outcome that a PAN is reserved for; null: everything passes. */
export function sandboxOutcome(pan: string): SandboxOutcome | null {
  const number = RESERVED_PAN.exec(pan)?.[1];
  return number === undefined ? null : (BY_NUMBER.get(number) ?? null);
}

/** What the applicant did on a simulated provider's page. */
export type PageDecision = 'approve' | 'decline' | 'leave';

export type SimulatedVerdict = 'PASSED' | 'FAILED' | 'REFUSED' | 'UNDECIDED';

/**
 * What the simulated provider says of a try. A return without a visit counts as done: a partner's
 * test suite has no browser. A visit that was left, or not ended, is undecided.
 * @param decision null when the page was never visited; 'leave' when it was without a decision
 */
export function simulatedVerdict(
  pan: string,
  step: RedirectStep,
  attempt: number,
  decision: PageDecision | null,
): SimulatedVerdict {
  if (decision === 'leave') return 'UNDECIDED';
  const outcome = sandboxOutcome(pan);
  if (step === 'KYC' && outcome === 'KYC_REFUSED') return 'REFUSED';
  if (step === 'ESIGN' && outcome === 'ESIGN_REFUSED') return 'REFUSED';
  if (attempt === 1 && step === 'KYC' && outcome === 'KYC_FAILS_ONCE') return 'FAILED';
  if (attempt === 1 && step === 'MANDATE' && outcome === 'MANDATE_FAILS_ONCE') return 'FAILED';
  return decision === 'decline' ? 'FAILED' : 'PASSED';
}
