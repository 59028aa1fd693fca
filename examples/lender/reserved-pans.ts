import type { RedirectStep } from './lender-terms.ts';

const RESERVED = /^SANDX(\d{4})[A-Z]$/;

/** Outcomes of reserved PANs; the numbers are those of Rinpath's sandbox. */
export type Outcome =
  | 'EVERY_LENDER_DECLINES'
  | 'SLOW_LENDERS'
  | 'ONE_OFFER'
  | 'KYC_FAILS_ONCE'
  | 'KYC_REFUSED'
  | 'MANDATE_FAILS_ONCE'
  | 'ESIGN_REFUSED'
  | 'SLOW_DISBURSEMENT'
  | 'LENDERS_FAIL_TWICE'
  | 'SLOW_PROVIDERS'
  | 'DECISION_DECLINED';

/** Without 0010 and 0011, which affect payments and SMS, not lenders. */
const OUTCOMES: Readonly<Record<string, Outcome>> = {
  '0001': 'EVERY_LENDER_DECLINES',
  '0002': 'SLOW_LENDERS',
  '0003': 'ONE_OFFER',
  '0004': 'KYC_FAILS_ONCE',
  '0005': 'KYC_REFUSED',
  '0006': 'MANDATE_FAILS_ONCE',
  '0007': 'ESIGN_REFUSED',
  '0008': 'SLOW_DISBURSEMENT',
  '0009': 'LENDERS_FAIL_TWICE',
  '0012': 'SLOW_PROVIDERS',
  '0013': 'DECISION_DECLINED',
};

/** Null: everything passes. */
export function reservedOutcome(pan: string): Outcome | null {
  return OUTCOMES[RESERVED.exec(pan)?.[1] ?? ''] ?? null;
}

export type StepVerdict = 'PASSED' | 'FAILED' | 'REFUSED';

/** The result of a step that the applicant approved, or that a test suite skipped. */
export function stepVerdict(pan: string, step: RedirectStep, attempt: number): StepVerdict {
  const outcome = reservedOutcome(pan);
  if (step === 'KYC' && outcome === 'KYC_REFUSED') return 'REFUSED';
  if (step === 'ESIGN' && outcome === 'ESIGN_REFUSED') return 'REFUSED';
  const isFirst = attempt === 1;
  if (isFirst && step === 'KYC' && outcome === 'KYC_FAILS_ONCE') return 'FAILED';
  if (isFirst && step === 'MANDATE' && outcome === 'MANDATE_FAILS_ONCE') return 'FAILED';
  return 'PASSED';
}
