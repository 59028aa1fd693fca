import type { QuestionState } from './store/question-outbox.js';

/** With fewer offers there is nothing to compare before every lender has answered. */
export const FEWEST_COMPARED = 2;

/** How the lenders that were asked for offers have answered, and how late it is. */
export interface AwaitedOffers {
  readonly states: readonly QuestionState[];
  readonly hasOffer: boolean;
  /** Whether it is gone on with what is there. */
  readonly isPastDeadline: boolean;
  /** Whether nothing is waited for any longer. */
  readonly isGivenUp: boolean;
}

/**
 * What that means for whoever waits: it goes on when all have answered, or at the deadline if an offer
 * is there, and ends when nothing has come by the long deadline. Once an offer is there it does not
 * wait for a lender that cannot be reached.
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

/** Whether any lender has said something: if none has, none could be reached. */
export function hasAnyAnswered(states: readonly QuestionState[]): boolean {
  return states.some(({ status }) => status === 'ANSWERED');
}

/** The codes of those that have not answered. */
export function silentLenders(states: readonly QuestionState[]): string[] {
  return states.filter(isOpen).map(({ lenderCode }) => lenderCode);
}

function isOpen({ status }: QuestionState): boolean {
  return status === 'OPEN';
}
