import { expect, it } from 'vitest';
import { groupedFlags } from './pending-answers.tasks.js';

const flag = (subjectId: string, reference: string) => ({
  partnerId: 'p',
  subjectId,
  kind: 'ANSWER_PENDING' as const,
  cause: ['lender', 'KYC'],
  detail: { lenderCode: 'lender', kind: 'KYC', reference, subjectId, since: null },
});

it('groups equal flags, in one order whatever the order of the questions', () => {
  const references = groupedFlags([flag('b', '1'), flag('a', '2'), flag('b', '3')]).map((same) =>
    same.map(({ detail }) => detail.reference),
  );
  expect(references).toEqual([['2'], ['1', '3']]);
});
