import { expect, it } from 'vitest';
import { whatIsDue } from './awaited-offers.js';
import type { QuestionState } from './store/question-outbox.js';

const [open, away, answered] = (['OPEN', 'AWAY', 'ANSWERED'] as const).map(
  (standing) =>
    ({
      status: standing === 'ANSWERED' ? 'ANSWERED' : 'OPEN',
      isUnreachable: standing === 'AWAY',
    }) as QuestionState,
);

it.each([
  // Columns: the result, the questions, and what applies (an offer, the deadline, the long deadline).
  ['WAITING', [answered, open], 'offer'],
  ['ARRIVED', [answered, open], 'offer deadline'],
  ['ARRIVED', [answered, away], 'offer'],
  ['ARRIVED', [answered], 'offer'],
  ['DECLINED', [answered], ''],
  ['DECLINED', [answered], 'deadline'],
  ['WAITING', [answered, away], ''],
  ['PAST_DEADLINE', [answered, open], 'deadline'],
  ['PAST_DEADLINE', [away], 'deadline'],
  ['GIVEN_UP', [open], 'deadline long'],
] as const)('offers that are awaited are %s: %#', (due, states, facts) => {
  expect(
    whatIsDue({
      states,
      hasOffer: facts.includes('offer'),
      isPastDeadline: facts.includes('deadline'),
      isGivenUp: facts.includes('long'),
    }),
  ).toBe(due);
});
