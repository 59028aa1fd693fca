import type { QuestionState } from './store/question-outbox.js';

/** With fewer offers there is nothing to compare before every lender has answered. */
export const FEWEST_COMPARED = 2;

interface AwaitedOffers {
  readonly states: readonly QuestionState[];
  readonly hasOffer: boolean;
  /** Whether the next step may begin with the offers that are there. */
  readonly isPastDeadline: boolean;
  /** Whether the long deadline has passed. */
  readonly isGivenUp: boolean;
}

/**
 * Waiting ends when all lenders have answered, at the deadline if there is an offer, and at the long deadline in any
 * case. Once there is an offer, unreachable lenders are not waited for.
 */
export function whatIsDue({
  states,
  hasOffer,
  isPastDeadline,
  isGivenUp,
}: AwaitedOffers): 'ARRIVED' | 'DECLINED' | 'GIVEN_UP' | 'PAST_DEADLINE' | 'WAITING' {
  const open = states.filter(isOpen);
  const isNobodyAwaited = open.every(({ isUnreachable }) => isUnreachable);
  if (hasOffer && (isNobodyAwaited || isPastDeadline)) return 'ARRIVED';
  if (open.length === 0) return 'DECLINED';
  if (isGivenUp) return 'GIVEN_UP';
  return isPastDeadline ? 'PAST_DEADLINE' : 'WAITING';
}

/** False: no lender could be reached. */
export function hasAnyAnswered(states: readonly QuestionState[]): boolean {
  return states.some(({ status }) => status === 'ANSWERED');
}

/** The codes of the lenders that have not answered. */
export function silentLenders(states: readonly QuestionState[]): string[] {
  return states.filter(isOpen).map(({ lenderCode }) => lenderCode);
}

function isOpen({ status }: QuestionState): boolean {
  return status === 'OPEN';
}
