import { beforeAll, describe, expect, it } from 'vitest';
import { LenderInbox, QUESTION_KINDS, type QuestionKind } from '../../../src/lenders/index.js';
import { Database, type Tx } from '../../../src/platform/index.js';
import { serviceOfFile } from '../../support/shared-service.js';

const WAITING = 4_000;
/** As in the service: offers in batches, all other answers one by one. */
const OFFERS: QuestionKind[] = ['OFFERS'];
const OTHERS = QUESTION_KINDS.filter((kind) => kind !== 'OFFERS');

const service = serviceOfFile();
let inbox: LenderInbox;

beforeAll(() => {
  inbox = service.get<LenderInbox>(LenderInbox);
});

class Undone extends Error {}

/** Rolls back, so that the service's own workers do not see the rows. */
async function undone(work: (tx: Tx) => Promise<void>): Promise<void> {
  const done = service.get<Database>(Database).transaction(async (tx) => {
    await tx.execute('DELETE FROM lender_inbox');
    await work(tx);
    throw new Undone();
  });
  await expect(done).rejects.toBeInstanceOf(Undone);
}

/** Answers of these kinds in rotation, one per millisecond, the last a second ago. */
async function fill(
  tx: Tx,
  rows: number,
  kinds: readonly QuestionKind[],
  { isConsumed = false } = {},
): Promise<void> {
  await tx.execute(
    `INSERT INTO lender_inbox (lender_code, answer_id, partner_id, subject_id, kind, reference,
       answer_sealed, received_at, next_attempt_at, consumed_at)
     SELECT 'some', kind || n || $3::boolean, 'demo', 'subject' || n, kind, '1', 'sealed',
       app_now(), app_now() - interval '1 second' - ($1 - n) * interval '1 millisecond',
       CASE WHEN $3::boolean THEN app_now() END
     FROM generate_series(1, $1::int) AS n
     CROSS JOIN LATERAL (SELECT ($2::text[])[1 + n % cardinality($2::text[])] AS kind) AS k`,
    [rows, kinds, isConsumed],
  );
}

interface Plan {
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** The most rows that one plan node reads in the statement that takes an answer. */
async function rowsLookedAt(tx: Tx, kinds: readonly QuestionKind[]): Promise<number> {
  let most = -1;
  const first = async (sql: string, values: unknown[]) => {
    const row = await tx.first<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
      values,
    );
    most = maxRows(row!['QUERY PLAN'][0].Plan);
    return null;
  };
  await inbox.take({ first } as unknown as Tx, kinds);
  return most;
}

function maxRows(plan: Plan): number {
  const own = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
  return Math.max(own, ...(plan.Plans ?? []).map(maxRows));
}

describe('the next answer in the lenders’ inbox', () => {
  const others: [string, QuestionKind[], QuestionKind[]][] = [
    ['of offers', OFFERS, OTHERS],
    ['after the offers', OTHERS, OFFERS],
  ];

  it.each(others)(
    '%s is found without reading processed answers, or those of other kinds',
    (_, own, foreign) =>
      undone(async (tx) => {
        await fill(tx, WAITING, [...own, ...foreign], { isConsumed: true });
        await fill(tx, WAITING, foreign);
        await tx.execute('ANALYZE lender_inbox');
        expect(await rowsLookedAt(tx, own)).toBeLessThan(10);
        await fill(tx, WAITING, own);
        await tx.execute('ANALYZE lender_inbox');
        expect(await rowsLookedAt(tx, own)).toBeLessThan(10);
      }),
  );

  it('is the oldest of all the kinds that are asked for', () =>
    undone(async (tx) => {
      await fill(tx, 20, [...OTHERS, 'OFFERS']);
      const taken: string[] = [];
      for (let turn = 0; turn < 20; turn += 1) {
        const next = await inbox.take(tx, OTHERS);
        if (!next) break;
        taken.push(next.subjectId);
        await inbox.markConsumed(tx, next.id);
      }
      const places = Array.from({ length: 20 }, (_, place) => place + 1);
      const asked = places.filter((place) => place % 7 !== 6);
      expect(taken).toEqual(asked.map((place) => `subject${place}`));
      expect(await inbox.take(tx, OTHERS)).toBeNull();
      expect(await inbox.take(tx, OFFERS)).toMatchObject({ subjectId: 'subject6' });
    }));
});
