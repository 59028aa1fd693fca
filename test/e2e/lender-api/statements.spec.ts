import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StatementChecks } from '../../../src/lender-api/callbacks/statement-checks.tasks.js';
import { dayInIndia } from '../../../src/loans/index.js';
import { DAY, HOUR } from '../journeys/journey-bench.js';
import { CallbackBench, type TestJourney } from './callback-bench.js';

let bench: CallbackBench;

beforeAll(async () => {
  bench = await CallbackBench.open();
});

afterAll(() => bench.close());

interface Payout {
  readonly applicationId: string;
  readonly loanReference: string;
  readonly amount: number;
  readonly utr: string;
  readonly paidAt: string;
}

/** Pays a loan out; answers what a true statement says of it. */
async function paidOut(): Promise<Payout> {
  const journey = await bench.journeys.startWithOffers();
  await journey.complete();
  return payoutOf(journey);
}

async function payoutOf(journey: TestJourney): Promise<Payout> {
  const [row] = await bench.journeys.query<Omit<Payout, 'loanReference'>>(
    `SELECT p.application_id AS "applicationId", p.amount::integer AS amount, p.utr,
       to_char(p.paid_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "paidAt"
     FROM lender_payouts AS p JOIN journeys AS j USING (application_id) WHERE j.id = $1`,
    [journey.id],
  );
  return { ...row, loanReference: `LOAN-${journey.id}` };
}

/** The pages of a day, as the lender tells them. */
function pagesOf(pages: readonly (readonly Payout[])[], more: object = {}) {
  const all = pages.flat();
  return pages.map((payouts, index) => ({
    id: bench.newId(),
    day: dayInIndia(new Date(all[0].paidAt)),
    page: index + 1,
    pages: pages.length,
    payoutCount: all.length,
    payoutTotal: all.reduce((sum, { amount }) => sum + amount, 0),
    payouts,
    ...more,
  }));
}

function daysAgo(days: number): string {
  return dayInIndia(new Date(bench.journeys.service.now().getTime() - days * DAY));
}

async function tell(...pages: readonly object[]): Promise<number[]> {
  const statuses = [];
  for (const page of pages) statuses.push((await bench.lender.tell('statements', page)).status);
  return statuses;
}

/** What the operator reads of a day once the statement was checked, by two replicas at once. */
async function checked(day: string): Promise<Record<string, unknown>[]> {
  await bench.journeys.service.travel(DAY + 2 * HOUR);
  const checks = bench.journeys.service.get<StatementChecks>(StatementChecks);
  await Promise.all([checks.run(), checks.run()]);
  const rows = await bench.journeys.query<{ detail: Record<string, unknown> }>(
    `SELECT detail FROM operator_flags
     WHERE kind = 'LENDER_STATEMENT' AND subject_id = 'navdhara' AND detail ->> 'day' = $1
     ORDER BY id`,
    [day],
  );
  return rows.map(({ detail }) => detail);
}

describe('a statement of a day', () => {
  it('in pages that come in any order and twice is checked once, with both sides’ figures', async () => {
    const payouts = [await paidOut(), await paidOut(), await paidOut()];
    const [first, second] = pagesOf([payouts.slice(0, 2), payouts.slice(2)]);
    expect(await tell(second, first, second, { ...first, id: bench.newId() })).toEqual([
      202, 202, 202, 202,
    ]);
    const total = payouts.reduce((sum, { amount }) => sum + amount, 0);
    expect(await checked(first.day)).toEqual([
      {
        lenderCode: 'navdhara',
        day: first.day,
        pages: 2,
        agrees: true,
        payoutCount: { stated: 3, found: 3, ours: 3 },
        payoutTotal: { stated: total, found: total, ours: total },
      },
    ]);
    expect(await checked(first.day)).toHaveLength(1);
  });

  it('that differs from our books names what differs', async () => {
    const [amount, utr, left] = [await paidOut(), await paidOut(), await paidOut()];
    const waiting = await bench.journeys.startWithOffers();
    await waiting.select();
    const { applicationId } = await bench.applicationOf(waiting);
    const unknown = { ...utr, applicationId, loanReference: 'LOAN-NEW', utr: 'UTRNEW0001' };
    const [page] = pagesOf([
      [{ ...amount, amount: amount.amount + 200 }, { ...utr, utr: 'UTROTHER01' }, unknown],
    ]);
    expect(await tell(page)).toEqual([202]);
    const [flag] = await checked(page.day);
    const one = (difference: string, about: Payout, stated: unknown, ours: unknown) => ({
      difference,
      applicationId: about.applicationId,
      stated,
      ours,
    });
    expect(flag).toMatchObject({
      agrees: false,
      payoutCount: { stated: 3, found: 3, ours: 3 },
      differences: { AMOUNT: 1, UTR: 1, MISSING_HERE: 1, MISSING_THERE: 1 },
      first: [
        one('AMOUNT', amount, amount.amount + 200, amount.amount),
        one('MISSING_HERE', unknown, unknown.amount, null),
        one('MISSING_THERE', left, null, left.amount),
        one('UTR', utr, 'UTROTHER01', utr.utr),
      ],
    });
  });

  it('that names a transfer for two loans, or a loan twice, is not believed', async () => {
    const [one, other] = [await paidOut(), await paidOut()];
    const [page] = pagesOf([[one, { ...other, utr: one.utr }, { ...one, utr: 'UTRAGAIN01' }]]);
    await tell(page);
    const [flag] = await checked(page.day);
    expect(flag).toMatchObject({
      agrees: false,
      differences: { UTR: 1, UTR_TWICE: 2, PAID_TWICE: 1 },
    });
    // A day later the same transfer is told for another loan.
    const third = await paidOut();
    const [next] = pagesOf([[{ ...third, utr: one.utr }]]);
    await tell(next);
    expect((await checked(next.day))[0]).toMatchObject({ differences: { UTR: 1, UTR_TWICE: 1 } });
  });

  it('whose pages do not come to its sums, or do not all come, says so', async () => {
    const [one, other] = [await paidOut(), await paidOut()];
    const sums = { payoutTotal: one.amount + other.amount + 100, payoutCount: 4 };
    const [first, second] = pagesOf([[one], [other]], sums);
    await tell(first);
    expect(await checked(first.day)).toEqual([]);
    expect(await checked(first.day)).toMatchObject([
      { agrees: false, missingPages: [2], payoutCount: { stated: 4, found: 1, ours: 2 } },
    ]);
    await tell(second);
    const [, whole] = await checked(first.day);
    expect(whole).toMatchObject({
      agrees: false,
      payoutCount: { stated: 4, found: 2, ours: 2 },
      payoutTotal: { stated: sums.payoutTotal, found: one.amount + other.amount },
    });
    expect(whole).not.toHaveProperty('differences');
  });

  it('that is told again with other sums is another statement; their pages do not mix', async () => {
    const [one, other] = [await paidOut(), await paidOut()];
    const [early] = pagesOf([[one], [other]], { payoutCount: 3 });
    const [right] = pagesOf([[one, other]]);
    expect(await tell(early, right)).toEqual([202, 202]);
    expect(await checked(right.day)).toMatchObject([{ pages: 1, agrees: true }]);
    const more = [...Array(25).keys()].map((index) => ({
      ...early,
      id: bench.newId(),
      payoutCount: 100 + index,
    }));
    const statuses = await tell(...more);
    expect(statuses.filter((status) => status === 202)).toHaveLength(18);
    expect(statuses.at(-1)).toBe(429);
  });

  it('of no payouts is compared, too', async () => {
    const day = daysAgo(3);
    const none = { id: bench.newId(), day, page: 1, pages: 1, payoutCount: 0, payoutTotal: 0 };
    expect(await tell({ ...none, payouts: [] })).toEqual([202]);
    expect(await checked(day)).toMatchObject([{ agrees: true, payoutCount: { found: 0 } }]);
  });

  it('is refused of a day to come, of long ago, and with a payout of another day', async () => {
    const payout = await paidOut();
    const [page] = pagesOf([[payout]]);
    const refusal = async (body: object) =>
      (await bench.lender.tell('statements', { ...body, id: bench.newId() })).json.error?.message;
    expect(await refusal({ ...page, day: daysAgo(-2) })).toContain('day: must be today');
    expect(await refusal({ ...page, day: daysAgo(500) })).toContain('day: must be today');
    expect(await refusal({ ...page, day: daysAgo(20) })).toBe(
      'payouts.0.paidAt: is not on that day',
    );
    expect(await refusal({ ...page, payoutTotal: page.payoutTotal + 1 })).toContain('do not agree');
  });
});
