import { describe, expect, it } from 'vitest';
import type { PostedQuestionName } from '../protocol/questions.js';
import { readQuestionId } from './answer-intake.js';

describe('a question’s id', () => {
  it.each<[string, PostedQuestionName, object]>([
    ['jrn_1:OFFERS:2', 'OFFERS', { subjectId: 'jrn_1', kind: 'OFFERS', reference: '2' }],
    ['jrn_1:DECISION:off_1', 'DECISIONS', { kind: 'DECISION', reference: 'off_1' }],
    [
      'jrn_1:WITHDRAWAL:OFFER_REFUSED:1',
      'WITHDRAWALS',
      { kind: 'WITHDRAWAL', reference: 'OFFER_REFUSED:1' },
    ],
  ])('%s is one of %s', (id, name, expected) => {
    expect(readQuestionId(id, name)).toMatchObject({ isDurable: true, ...expected });
  });

  it.each<[string, PostedQuestionName]>([
    ['jrn_1:OFFERS:1', 'DECISIONS'],
    ['jrn_1:DECISION:off_1', 'OFFERS'],
    ['jrn_1:OFFERS', 'OFFERS'],
    ['jrn_1', 'OFFERS'],
  ])('%s is none of %s', (id, name) => {
    expect(readQuestionId(id, name)).toBeNull();
  });
});
