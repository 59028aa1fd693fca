import type { RedirectStep } from '../journey-steps/index.js';

const RESERVED_PAN = /^SANDX(\d{4})[A-Z]$/;

/** What a reserved PAN makes the sandbox do. */
export type SandboxOutcome =
  | 'EVERY_LENDER_DECLINES'
  | 'SLOW_LENDERS'
  | 'ONE_OFFER'
  | 'KYC_FAILS_ONCE'
  | 'KYC_REFUSED'
  | 'MANDATE_FAILS_ONCE'
  | 'ESIGN_REFUSED'
  | 'SLOW_DISBURSEMENT'
  | 'LENDERS_FAIL_TWICE'
  | 'PAYMENT_FAILS'
  | 'SMS_DOWN'
  | 'SLOW_PROVIDERS'
  | 'DECISION_DECLINED';

const BY_NUMBER: Readonly<Record<string, SandboxOutcome>> = {
  '0001': 'EVERY_LENDER_DECLINES',
  '0002': 'SLOW_LENDERS',
  '0003': 'ONE_OFFER',
  '0004': 'KYC_FAILS_ONCE',
  '0005': 'KYC_REFUSED',
  '0006': 'MANDATE_FAILS_ONCE',
  '0007': 'ESIGN_REFUSED',
  '0008': 'SLOW_DISBURSEMENT',
  '0009': 'LENDERS_FAIL_TWICE',
  '0010': 'PAYMENT_FAILS',
  '0011': 'SMS_DOWN',
  '0012': 'SLOW_PROVIDERS',
  '0013': 'DECISION_DECLINED',
};

/** The outcome that a PAN is reserved for; null: everything passes. */
export function sandboxOutcome(pan: string): SandboxOutcome | null {
  const number = RESERVED_PAN.exec(pan)?.[1];
  return number === undefined ? null : (BY_NUMBER[number] ?? null);
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
