import { expect, it } from 'vitest';
import type { NewFlag, OperatorFlags } from '../operator-flags/index.js';
import type { Tx } from '../platform/index.js';
import type { PutQuestion } from './claimed-question.js';
import { FailureFlags } from './failure-flags.js';

const givenUp = (lenderCode: string, reference: string): PutQuestion =>
  ({
    question: {
      lenderCode,
      reference,
      partnerId: 'p',
      subjectId: `jrn_${reference}`,
      kind: 'PAYOUT',
    },
    outcome: { kind: 'GIVEN_UP', failure: 'TIMEOUT' },
  }) as unknown as PutQuestion;

async function raised(put: readonly PutQuestion[]): Promise<NewFlag[]> {
  const flags: NewFlag[] = [];
  const raise = async (_: Tx, flag: NewFlag) => void flags.push(flag);
  await new FailureFlags({ raise } as unknown as OperatorFlags).raise({} as Tx, put);
  return flags;
}

it('raises a flag once for all questions that it is about, with how many there are', async () => {
  const put = [givenUp('a', '1'), givenUp('b', '2'), givenUp('a', '3'), givenUp('a', '4')];
  const flags = await raised(put);
  expect(flags.map(({ subjectId, count }) => [subjectId, count])).toEqual([
    ['a', 3],
    ['b', 1],
  ]);
  expect(flags[0].detail).toMatchObject({ reference: '4', first: { reference: '1' } });
  expect(flags[1].detail).not.toHaveProperty('first');
});

it('raises flags in the same order, whatever the order of the questions', async () => {
  const order = async (...lenders: string[]) =>
    (await raised(lenders.map((code) => givenUp(code, '1')))).map(({ subjectId }) => subjectId);
  expect(await order('c', 'a', 'b')).toEqual(await order('b', 'c', 'a'));
});
