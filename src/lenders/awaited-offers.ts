import type { QuestionState } from './store/question-outbox.js';

/** With fewer offers the comparison starts only after every lender has answered. */
export const FEWEST_COMPARED = 2;

interface AwaitedOffers {
  readonly states: readonly QuestionState[];
  readonly hasOffer: boolean;
  /** From here any offer ends the wait. */
  readonly isPastDeadline: boolean;
  readonly isGivenUp: boolean;
}

/**
 * The wait ends when all lenders have answered, at the deadline with an offer, or at the long deadline. Once there is
 * an offer, unreachable lenders are skipped.
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

export function hasAnyAnswered(states: readonly QuestionState[]): boolean {
  return states.some(({ status }) => status === 'ANSWERED');
}

export function silentLenders(states: readonly QuestionState[]): string[] {
  return states.filter(isOpen).map(({ lenderCode }) => lenderCode);
}

function isOpen({ status }: QuestionState): boolean {
  return status === 'OPEN';
}
