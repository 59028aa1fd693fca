// Isolated: a lender's statement covers all partners' payouts of a day.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { StatementChecks } from '../../../src/lender-api/callbacks/statement-checks.tasks.js';
import { LenderStatementsRepository } from '../../../src/lenders/index.js';
import { dayInIndia } from '../../../src/loans/index.js';
import { type OwnService, startService } from '../../support/service.js';
import { DAY, HOUR, JourneyBench } from '../journeys/journey-bench.js';
import { CallbackBench } from './callback-bench.js';

let service: OwnService;
let bench: CallbackBench;

beforeAll(async () => {
  service = await startService();
  bench = await CallbackBench.on(new JourneyBench(service));
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(async () => {
  await bench?.close();
  await service?.close();
});

interface Payout {
  readonly applicationId: string;
  readonly loanReference: string;
  readonly amount: number;
  readonly utr: string;
  readonly paidAt: string;
}

/** Pays a loan out; returns its entry in a correct statement. */
async function borrowed(): Promise<Payout> {
  const journey = await bench.journeys.startWithOffers();
  await journey.complete();
  const [row] = await bench.journeys.query<Omit<Payout, 'loanReference'>>(
    `SELECT ${PAYOUT} FROM lender_payouts AS p JOIN journeys AS j USING (application_id) WHERE j.id = $1`,
    [journey.id],
  );
  return { ...row, loanReference: `LOAN-${journey.id}` };
}

const PAYOUT = `application_id AS "applicationId", amount::integer AS amount, utr,
  to_char(paid_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "paidAt"`;
let loans = 0;

/** A payout without a journey; returns its entry. */
async function paidOut(): Promise<Payout> {
  loans += 1;
  const id = `app_paid_${loans}`;
  await bench.journeys.query(
    `INSERT INTO lender_references
       (lender_code, kind, reference, subject_id, application_id, partner_id, is_payout_told)
     VALUES ('navdhara', 'APPLICATION', $1, $1, $1, 'demo', true)`,
    [id],
  );
  const [row] = await bench.journeys.query<Omit<Payout, 'loanReference'>>(
    `INSERT INTO lender_payouts (lender_code, application_id, amount, utr, paid_at, day)
     VALUES ('navdhara', $1, 19500000 + $2::int, 'UTRPAID' || $2::int, app_now(),
       (app_now() AT TIME ZONE 'Asia/Kolkata')::date) RETURNING ${PAYOUT}`,
    [id, loans],
  );
  return { ...row, loanReference: `LOAN-${id}` };
}

/** The pages of a day's statement, as the lender sends them. */
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

/** The operator's report on a day, after two replicas checked a complete statement at once. */
async function checked(day: string): Promise<Record<string, unknown>[]> {
  const dayEndsIn = Date.parse(`${day}T00:00:00+05:30`) + DAY - service.now().getTime();
  await service.travel(Math.max(0, dayEndsIn) + 2 * HOUR);
  const checks = bench.journeys.service.get<StatementChecks>(StatementChecks);
  await Promise.all([checks.run(), checks.run()]);
  return flagsOf(day);
}

/** With `open`, only the flags that are not resolved. */
async function flagsOf(day: string, open = false): Promise<Record<string, unknown>[]> {
  const rows = await bench.journeys.query<{ detail: Record<string, unknown> }>(
    `SELECT detail FROM operator_flags
     WHERE kind = 'LENDER_STATEMENT' AND subject_id = 'navdhara' AND detail ->> 'day' = $1
       AND (NOT $2 OR resolved_at IS NULL)
     ORDER BY id`,
    [day, open],
  );
  return rows.map(({ detail }) => detail);
}

describe('a statement of a day', () => {
  it('in pages that come in any order and twice is checked once, with both sides’ figures', async () => {
    const payouts = [await borrowed(), await paidOut(), await paidOut()];
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
    await tell({ ...second, id: bench.newId() });
    expect(await checked(first.day)).toHaveLength(1);
    expect(await flagsOf(first.day, true)).toEqual([]);
  });

  it('that differs from our books names what differs: also a transfer for two loans, and a loan that is paid twice', async () => {
    const [amount, utr, left] = [await paidOut(), await paidOut(), await paidOut()];
    const [one, other, untold] = [await paidOut(), await paidOut(), await paidOut()];
    const waiting = await bench.journeys.startWithOffers();
    await waiting.select();
    const { applicationId } = await bench.applicationOf(waiting);
    const unknown = { ...utr, applicationId, loanReference: 'LOAN-NEW', utr: 'UTRNEW0001' };
    // As if the lender had not reported this payout.
    for (const sql of [
      'UPDATE lender_references SET is_payout_told = false WHERE application_id = $1',
      'DELETE FROM lender_payouts WHERE application_id = $1',
    ])
      await bench.journeys.query(sql, [untold.applicationId]);
    const [page] = pagesOf([
      [
        { ...amount, amount: amount.amount + 200 },
        { ...utr, utr: 'UTROTHER01' },
        unknown,
        one,
        { ...one, utr: 'UTRAGAIN01' },
        { ...other, utr: one.utr },
        untold,
      ],
    ]);
    expect(await tell(page)).toEqual([202]);
    const [flag] = await checked(page.day);
    const differs = (difference: string, about: Payout, stated: unknown, ours: unknown) => ({
      difference,
      applicationId: about.applicationId,
      stated,
      ours,
    });
    expect(flag).toMatchObject({
      agrees: false,
      notCompared: 1,
      differences: {
        AMOUNT: 1,
        UTR: 2,
        MISSING_HERE: 1,
        MISSING_THERE: 1,
        UTR_TWICE: 2,
        PAID_TWICE: 1,
      },
    });
    expect(flag.firstDifferences).toMatchObject(
      expect.arrayContaining([
        differs('AMOUNT', amount, amount.amount + 200, amount.amount),
        differs('MISSING_HERE', unknown, unknown.amount, null),
        differs('MISSING_THERE', left, null, left.amount),
        differs('UTR', utr, 'UTROTHER01', utr.utr),
      ]),
    );
    // A day later the same transfer is reported for another loan.
    const [next] = pagesOf([[{ ...(await paidOut()), utr: one.utr }]]);
    await tell(next);
    expect((await checked(next.day))[0]).toMatchObject({ differences: { UTR: 1, UTR_TWICE: 1 } });
  });

  it('whose pages do not come to its sums, or do not all come, says so', async () => {
    const [one, other] = [await paidOut(), await paidOut()];
    const sums = { payoutTotal: one.amount + other.amount + 100, payoutCount: 4 };
    const [first, second] = pagesOf([[one], [other]], sums);
    await tell(first);
    expect(await checked(first.day)).toEqual([]);
    await bench.journeys.service.travel(DAY);
    expect(await checked(first.day)).toMatchObject([
      { agrees: false, missingPages: [2], payoutCount: { stated: 4, found: 1, ours: 2 } },
    ]);
    await tell(second);
    const [early, whole] = await checked(first.day);
    expect(early).toHaveProperty('missingPages');
    expect(whole).toMatchObject({
      agrees: false,
      payoutCount: { stated: 4, found: 2, ours: 2 },
      payoutTotal: { stated: sums.payoutTotal, found: one.amount + other.amount },
    });
    expect(whole).not.toHaveProperty('missingPages');
    expect(await flagsOf(first.day, true)).toEqual([whole]);
    expect(whole).not.toHaveProperty('differences');
  });

  it('that is sent again with other sums is another statement; their pages do not mix', async () => {
    const [one, other] = [await paidOut(), await paidOut()];
    const [early] = pagesOf([[one], [other]], { payoutCount: 3 });
    const [right] = pagesOf([[one, other]]);
    expect(await tell(early, right)).toEqual([202, 202]);
    expect(await checked(right.day)).toMatchObject([{ pages: 1, agrees: true }]);
    await bench.journeys.service.travel(DAY);
    await checked(right.day);
    await tell({ ...right, id: bench.newId() });
    await checked(right.day);
    expect(await flagsOf(right.day, true)).toMatchObject([{ missingPages: [2] }]);
    const more = [...Array(25).keys()].map((index) => ({
      ...early,
      id: bench.newId(),
      payoutCount: 100 + index,
    }));
    const statuses = await tell(...more);
    expect(statuses.filter((status) => status === 202)).toHaveLength(18);
    expect(statuses.at(-1)).toBe(429);
  });

  it('is refused of a day to come, of long ago, and with a payout of another day', async () => {
    const payout = await paidOut();
    const [page] = pagesOf([[payout]]);
    const refusal = async (body: object) =>
      (await bench.lender.tell('statements', { ...body, id: bench.newId() })).json.error?.message;
    expect(await refusal({ ...page, day: daysAgo(-2) })).toContain('day: must be within');
    expect(await refusal({ ...page, day: daysAgo(500) })).toContain('day: must be within');
    expect(await refusal({ ...page, day: daysAgo(20) })).toBe(
      'payouts.0.paidAt: must be on that day',
    );
    expect(await refusal({ ...page, payoutTotal: page.payoutTotal + 1 })).toContain('must match');
  });
});

describe('a statement that cannot be checked', () => {
  it('is put off, holds up no other one, and is put before the operator in the end', async () => {
    const [day, other] = [daysAgo(30), daysAgo(31)];
    const empty = { page: 1, pages: 1, payoutCount: 0, payoutTotal: 0, payouts: [] };
    const statements = service.get<LenderStatementsRepository>(LenderStatementsRepository);
    const differences = statements.differences.bind(statements);
    const tried: string[] = [];
    vi.spyOn(statements, 'differences').mockImplementation(async (tx, statement) => {
      tried.push(`${statement.lenderCode} ${statement.day}`);
      // As if the check takes too long: its transaction is rolled back.
      if (statement.day === day) await tx.query('SELECT 1 / 0');
      return differences(tx, statement);
    });
    expect(await tell({ ...empty, id: bench.newId(), day })).toEqual([202]);
    const theirs = { ...empty, id: bench.newId(), day: other };
    expect((await bench.stranger.tell('statements', theirs)).status).toBe(202);
    const checks = service.get<StatementChecks>(StatementChecks);
    await service.travel(3 * HOUR);
    for (let hours = 2; hours <= 5; hours += 1) {
      await checks.run();
      await service.travel(hours * HOUR);
    }
    expect(tried).toEqual(expect.arrayContaining([`navdhara ${day}`, `kaverisetu ${other}`]));
    expect(await flagsOf(day)).toEqual([
      { lenderCode: 'navdhara', day, pages: 1, agrees: false, failedChecks: 4 },
    ]);
    vi.restoreAllMocks();
    await service.travel(DAY);
    await checks.run();
    expect(await flagsOf(day, true)).toEqual([]);
  });

  it('is not made of pages: together they have no more payouts than the day', async () => {
    const payout = await paidOut();
    const [first, second] = pagesOf([[payout], [payout]], {
      payoutCount: 1,
      payoutTotal: payout.amount,
    });
    expect(await tell(first, { ...first, id: bench.newId() }, second)).toEqual([202, 202, 400]);
    // The correct position of the payout, after an empty page.
    const none = { ...first, id: bench.newId(), payouts: [] };
    expect(await tell(none, { ...second, id: bench.newId() })).toEqual([202, 202]);
  });
});
