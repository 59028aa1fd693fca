import { afterAll, beforeAll, expect, it } from 'vitest';
import { OperatorFlags } from '../../../src/operator-flags/index.js';
import { Database } from '../../../src/platform/index.js';
import { startTwoReplicas, type TwoReplicas } from '../../support/service.js';
import { CallbackBench } from '../lender-api/callback-bench.js';

let bench: CallbackBench;
let replicas: TwoReplicas;

beforeAll(async () => {
  [bench, replicas] = await Promise.all([CallbackBench.open(), startTwoReplicas()]);
});

afterAll(() => Promise.all([bench.close(), replicas.close()]));

interface Flag {
  readonly kind: string;
  readonly count: number;
  readonly detail: Record<string, unknown>;
  readonly hasLasted: boolean;
}

const FLAGS = `
  SELECT *, last_seen_at > created_at AS "hasLasted"
  FROM operator_flags WHERE subject_id = $1 ORDER BY id
`;

it('whatever a lender writes, it raises one flag for each word of the protocol', async () => {
  const journey = await bench.journeys.startWithOffers();
  await journey.select();
  for (let message = 0; message < 40; message += 1) {
    const event = await bench.loanEvent(journey, {
      event: message % 2 === 0 ? 'MANDATE_REVOKED' : `MADE_UP_${message}`,
      loanReference: `LOAN-${message}`,
      happenedAt: `2026-11-25T09:00:${10 + message}+05:30`,
      amount: 1_000 + message,
      detail: `Text ${message}`,
    });
    expect((await bench.lender.tell('loan-events', event)).status).toBe(202);
  }
  const flags = await bench.journeys.query<Flag>(
    'SELECT * FROM operator_flags WHERE subject_id = $1 ORDER BY id',
    [journey.id],
  );
  expect(flags.map(({ kind, detail }) => [kind, detail['event']])).toEqual(
    ['MANDATE_REVOKED', 'OTHER'].map((event) => ['LOAN_EVENT', event]),
  );
  expect(flags.map(({ count }) => count)).toEqual([20, 20]);
  expect(flags.at(-1)!.detail['amount']).toBe(1_039);
});

it('the same on two replicas at once is one flag; another cause, or one after its end, is another', async () => {
  const { first, second } = replicas;
  const flag = { partnerId: '-', subjectId: 'somebody', kind: 'LENDER_SILENT' } as const;
  const raise = (cause: string, from = first) =>
    from
      .get<Database>(Database)
      .transaction((tx) =>
        from.get<OperatorFlags>(OperatorFlags).raise(tx, { ...flag, cause: [cause], detail: {} }),
      );
  const flags = async () => {
    const rows = await first
      .get<Database>(Database)
      .query<Flag & Record<string, unknown>>(FLAGS, [flag.subjectId]);
    return rows.map(({ count, hasLasted }): [number, boolean] => [count, hasLasted]);
  };
  await Promise.all(
    Array.from({ length: 20 }, (_, turn) => [
      raise('one', first),
      raise(turn < 5 ? 'other' : 'one', second),
    ]).flat(),
  );
  expect(new Map(await flags())).toEqual(
    new Map([
      [35, true],
      [5, true],
    ]),
  );
  await first
    .get<Database>(Database)
    .transaction((tx) => first.get<OperatorFlags>(OperatorFlags).resolve(tx, flag, {}));
  await raise('one');
  expect(await flags()).toHaveLength(3);
});
