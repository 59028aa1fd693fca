import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAdmin } from '../../support/admin-command.js';
import { CallbackBench, type TestJourney } from './callback-bench.js';

let bench: CallbackBench;

beforeAll(async () => {
  bench = await CallbackBench.open();
});

afterAll(() => bench.close());

describe('a loan event, a revision, a statement', () => {
  it('is kept sealed, once, and put before the operator', async () => {
    const journey = await bench.journeys.startWithOffers();
    await journey.select();
    const event = await bench.loanEvent(journey);
    for (const _ of [1, 2])
      expect((await bench.lender.tell('loan-events', event)).status).toBe(202);
    const flags = await journey.flags();
    expect(flags).toMatchObject([
      { kind: 'LOAN_EVENT', detail: { lenderCode: 'navdhara', event: 'MANDATE_REVOKED' } },
    ]);
    expect(JSON.stringify(flags)).not.toContain('Something about a person');
    const rows = (await bench.kept('LOAN_EVENT')).filter(({ messageId }) => messageId === event.id);
    expect(rows).toEqual([{ messageId: event.id, sealed: expect.stringMatching(/^v1:/) }]);
    const other = await bench.lender.tell('loan-events', { ...event, event: 'CLOSED' });
    expect([other.status, other.json.error!.code]).toEqual([409, 'key_reused']);
  });

  it('is refused of another lender’s application or loan', async () => {
    const journey = await bench.journeys.startWithOffers();
    await journey.select();
    const event = await bench.loanEvent(journey);
    expect((await bench.stranger.tell('loan-events', event)).status).toBe(404);
    expect((await bench.stranger.tell('statements', await bench.statement(journey))).status).toBe(
      404,
    );
    const nothing = { ...event, applicationId: 'app_1' };
    const [theirs, none] = [
      await bench.stranger.tell('loan-events', { ...event, id: bench.newId() }),
      await bench.stranger.tell('loan-events', { ...nothing, id: bench.newId() }),
    ];
    // What is another's looks like what does not exist.
    expect(theirs).toEqual(none);
  });

  it('is refused of another loan than the one that was paid out', async () => {
    const [journey, paidOut] = [
      await bench.journeys.startWithOffers(),
      await bench.journeys.startWithOffers(),
    ];
    await journey.select();
    await paidOut.complete();
    await bench.journeys.query(
      `INSERT INTO lender_references (lender_code, kind, reference, subject_id, application_id, partner_id)
       SELECT 'navdhara', 'LOAN', 'LOAN-OF-IT', id, application_id, partner_id FROM journeys WHERE id = $1`,
      [paidOut.id],
    );
    const tell = async (about: TestJourney, loanReference: string) =>
      (await bench.lender.tell('loan-events', await bench.loanEvent(about, { loanReference })))
        .status;
    expect(await tell(paidOut, 'LOAN-OF-IT')).toBe(202);
    expect(await tell(paidOut, 'ANOTHER')).toBe(404);
    expect(await tell(journey, 'LOAN-OF-IT')).toBe(404);
    const page = await bench.statement(journey, { loanReference: 'LOAN-OF-IT' });
    expect((await bench.lender.tell('statements', page)).json.error).toEqual({
      code: 'not_found',
      message: 'payouts.0: this lender was not asked about this loan',
    });
  });

  it('of a day is kept when its figures agree', async () => {
    const journey = await bench.journeys.startWithOffers();
    await journey.select();
    const page = await bench.statement(journey);
    expect((await bench.lender.tell('statements', page)).status).toBe(202);
    const flags = await bench.journeys.query(
      `SELECT kind, detail FROM operator_flags WHERE subject_id = 'navdhara' AND kind = 'LENDER_STATEMENT'`,
    );
    expect(flags).toMatchObject([
      { detail: { day: '2026-11-25', page: 1, pages: 1, payoutCount: 1, payoutTotal: 1_000 } },
    ]);
    const wrong = await bench.statement(journey, {}, { payoutTotal: 999 });
    expect((await bench.lender.tell('statements', wrong)).status).toBe(400);
  });

  it('that revises an offer names the application as the lender does', async () => {
    const journey = await bench.journeys.startWithOffers();
    await journey.select();
    const { applicationId, applicationReference } = await bench.applicationOf(journey);
    const revision = {
      id: bench.newId(),
      applicationId,
      applicationReference,
      reason: 'GOLD_APPRAISED',
      revisedAt: '2026-11-25T09:00:00+05:30',
      offer: {
        reference: 'R-2',
        principal: 1_000_000,
        minimumAmount: 1_000_000,
        tenureMonths: 12,
        rate: { kind: 'FIXED', annualPercent: '12' },
        repayment: { kind: 'EMI', instalment: 88_800 },
        apr: '12.00',
        netPayout: 1_000_000,
        fees: [],
        validUntil: '2026-12-25T09:00:00+05:30',
      },
    };
    expect((await bench.lender.tell('offer-revisions', revision)).status).toBe(202);
    expect(await journey.flags()).toMatchObject([
      { kind: 'OFFER_REVISED', detail: { reason: 'GOLD_APPRAISED', apr: '12.00' } },
    ]);
    const other = { ...revision, id: bench.newId(), applicationReference: 'ANOTHER' };
    expect((await bench.lender.tell('offer-revisions', other)).status).toBe(404);
    expect((await journey.read()).state).toBe('KYC_PENDING');
  });

  it('is erased with its applicant, and stays known', async () => {
    const journey = await bench.journeys.startWithOffers();
    await journey.select();
    const event = await bench.loanEvent(journey);
    await bench.lender.tell('loan-events', event);
    const { databaseUrl } = bench.journeys.service;
    const erase = ['applicants', 'erase', '--journey', journey.id, '--force'] as const;
    expect((await runAdmin(databaseUrl, ...erase)).code).toBe(0);
    const rows = (await bench.kept('LOAN_EVENT')).filter(({ messageId }) => messageId === event.id);
    expect(rows).toEqual([{ messageId: event.id, sealed: null }]);
    expect((await bench.lender.tell('loan-events', event)).status).toBe(202);
  });
});
