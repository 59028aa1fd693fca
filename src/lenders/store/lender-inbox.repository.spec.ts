import { describe, expect, it } from 'vitest';
import { LENDER_INBOX_SOURCE, OWN_ANSWERS } from './lender-inbox.repository.js';

describe('the sentence of an answer', () => {
  const told = (answerId: string, event: 'INSERT' | 'UPDATE') =>
    LENDER_INBOX_SOURCE.tell(
      { lender_code: 'navdhara', kind: 'OFFERS', answer_id: answerId },
      event,
    );

  it.each([
    ['a-1', 'INSERT', 'answered which offers it makes'],
    ['a-1', 'UPDATE', 'What the lender navdhara had answered was erased: which offers it makes.'],
    [`${OWN_ANSWERS}q-1`, 'INSERT', 'could not be reached'],
    [
      `${OWN_ANSWERS}q-1`,
      'UPDATE',
      'What was noted of the lender navdhara was erased: which offers it makes.',
    ],
  ] as const)('%s, %s: %s', (answerId, event, words) => {
    expect(told(answerId, event)).toContain(words);
  });
});
