import { describe, expect, it } from 'vitest';
import type { PostedQuestionName } from '../protocol/questions.js';
import { readQuestionId } from './question-ids.js';

describe('a question’s id', () => {
  it.each<[string, PostedQuestionName, object]>([
    ['jrn_1:OFFERS:2', 'OFFERS', { subjectId: 'jrn_1', kind: 'OFFERS', reference: '2' }],
    ['app_1:INSTANT_OFFERS:1', 'OFFERS', { kind: 'INSTANT_OFFERS', reference: '1' }],
    ['app_1:DECISION:1', 'DECISIONS', { kind: 'DECISION', reference: '1' }],
    [
      'app_1:WITHDRAWAL:OFFER_REFUSED:1',
      'WITHDRAWALS',
      { kind: 'WITHDRAWAL', reference: 'OFFER_REFUSED:1' },
    ],
  ])('%s is one of %s', (id, name, expected) => {
    expect(readQuestionId(id, name)).toMatchObject({ isDurable: true, ...expected });
  });

  it.each<[string, PostedQuestionName]>([
    ['app_1:INSTANT_OFFERS:1', 'DECISIONS'],
    ['app_1:DECISION:1', 'OFFERS'],
    ['app_1:INSTANT_OFFERS', 'OFFERS'],
    ['app_1', 'OFFERS'],
  ])('%s is none of %s', (id, name) => {
    expect(readQuestionId(id, name)).toBeNull();
  });
});
