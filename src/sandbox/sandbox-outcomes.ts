import type { RedirectStep } from '../journey-steps/index.js';
import { RESERVED_PANS, type SandboxOutcome } from './reserved-pans.js';

const RESERVED_PAN = /^SANDX(\d{4})[A-Z]$/;

const BY_NUMBER = new Map(
  RESERVED_PANS.map(({ pan, outcome }) => [RESERVED_PAN.exec(pan)![1], outcome] as const),
);

/** Null: everything passes. */
export function sandboxOutcome(pan: string): SandboxOutcome | null {
  const number = RESERVED_PAN.exec(pan)?.[1];
  return number === undefined ? null : (BY_NUMBER.get(number) ?? null);
}

export type PageDecision = 'approve' | 'decline' | 'leave';

type SimulatedVerdict = 'PASSED' | 'FAILED' | 'REFUSED' | 'UNDECIDED';

/**
 * The provider's verdict on an attempt. A return without a visit passes, as a partner's tests have no browser; an
 * unfinished visit is undecided.
 * @param decision null: no visit; 'leave': a visit without a decision
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
