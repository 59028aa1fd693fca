import { beforeAll, describe, expect, it, vi } from 'vitest';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { runAdmin } from '../../support/admin-command.js';
import { eventually } from '../../support/eventually.js';
import { ApplicantBrowser, applyForInstantLoan, openGateway } from '../../support/instant-loans.js';
import { driveTo, journeyIn, readJourney, startJourney } from '../../support/journey-driver.js';
import type { JourneyRecords } from '../../support/journey-records.js';
import { BANK_ACCOUNT, loanRequest } from '../../support/loan-requests.js';
import type { PartnerClient } from '../../support/partner-client.js';
import { InstantLoanBench, PATIENT } from '../instant-loans/instant-loan-bench.js';
import { ofFile } from '../../support/of-file.js';

// erasure-everywhere.isolated.spec.ts checks every column.
const bench = ofFile(() => InstantLoanBench.open());
let records: JourneyRecords;
let demo: PartnerClient;

beforeAll(() => {
  ({ records, demo } = bench);
});

const erase = (...parameters: string[]) =>
  runAdmin(bench.service.databaseUrl, 'applicants', 'erase', ...parameters);

const erased = (id: string) => ({
  code: 0,
  out: `OK: erased the personal data of ${id}.`,
  error: '',
});

let applicants = 0;

/** An applicant without any other loan. */
function newApplicant(): { mobile: string; pan: string } {
  applicants += 1;
  const number = String(applicants).padStart(4, '0');
  return { mobile: `987650${number}`, pan: `ERASE${number}Z` };
}

const idempotencyKeys = (key: string) =>
  records.query('SELECT 1 FROM idempotent_answers WHERE idempotency_key = $1', [key]);

/** Whether the applicant's data is still stored. */
async function isKept(journeyId: string): Promise<boolean> {
  const [{ known }] = await records.query<{ known: number }>(
    'SELECT num_nonnulls(applicant_sealed, mobile_hash, pan_hash) AS known FROM journeys WHERE id = $1',
    [journeyId],
  );
  return known > 0;
}

describe('applicants erase', () => {
  it('erases the applicant and the kept answer, and keeps the figures', async () => {
    const { json } = await demo.initiate(loanRequest(newApplicant()), {
      headers: { 'idempotency-key': 'erase-me' },
    });
    const journey = { id: json.data.journeyId, session: json.data.journeySession };
    await driveTo(demo, journey, 'SANCTIONED');
    const trail = await records.trail(journey.id);
    const seen = async () => ({
      view: await readJourney(demo, journey),
      events: await records.events(journey.id),
      lead: (await demo.get(`/leads/${json.data.applicationId}/status`)).json.data,
    });
    const before = await seen();
    expect(await idempotencyKeys('erase-me')).toHaveLength(1);
    expect(await erase('--journey', journey.id)).toEqual(erased(journey.id));
    expect(await isKept(journey.id)).toBe(false);
    expect(await idempotencyKeys('erase-me')).toEqual([]);
    const { accountLastFour, ...disbursement } = before.view.disbursement!;
    expect(accountLastFour).toMatch(/^\d{4}$/);
    expect(await seen()).toEqual({ ...before, view: { ...before.view, disbursement } });
    expect(await records.trail(journey.id)).toEqual([...trail, 'APPLICANT_ERASED']);
    expect(await erase('--journey', journey.id)).toMatchObject({
      code: 0,
      out: `OK: the personal data of ${journey.id} was already erased.`,
    });
    expect(await records.trail(journey.id)).toHaveLength(trail.length + 1);
  });

  it('--force abandons first: the event, the lead, the audit; and the journey can still be read', async () => {
    const journey = await journeyIn(demo, 'KYC_PENDING', newApplicant());
    const before = await readJourney(demo, journey);
    expect((await erase('--journey', journey.id, '--force')).code).toBe(0);
    const after = await readJourney(demo, journey);
    expect(after).toMatchObject({ state: 'ABANDONED', outcome: 'ABANDONED' });
    expect(after.selectedOffer).toEqual(before.selectedOffer);
    expect((await records.events(journey.id)).at(-1)).toMatch(/journey\.abandoned$/);
    const lead = await demo.get(`/leads/${after.applicationId}/status`);
    expect(lead.json.data.status).toBe('ABANDONED');
    expect((await records.trail(journey.id)).slice(-2)).toEqual(['WENT_IDLE', 'APPLICANT_ERASED']);
    const { id, session } = journey;
    const bank = await demo.action(id, session, 'SUBMIT_BANK_ACCOUNT', BANK_ACCOUNT);
    expect(bank.status).toBe(409);
    const returned = await demo.returned(id, session, 'KYC');
    const { type } = returned.json.data.nextAction;
    expect([returned.status, type]).toEqual([200, 'JOURNEY_ABANDONED']);
    const link = await fetch(before.currentNextAction.url!, { redirect: 'manual' });
    expect(link.status).toBeLessThan(500);
    const statement = await fetch(before.offers[0].kfsLink);
    expect([statement.status, await statement.text()]).toEqual([
      200,
      expect.not.stringContaining('Asha Verma'),
    ]);
  });

  it('a return that is with the provider meanwhile brings no data of the applicant back', async () => {
    const journey = await journeyIn(demo, 'KYC_PENDING', newApplicant());
    const asked = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    const ask = vi.spyOn(bench.service.get(SandboxLender), 'ask').mockImplementation(async () => {
      asked.resolve();
      await done.promise;
      return { status: 'PENDING' };
    });
    const returned = demo.returned(journey.id, journey.session, 'KYC');
    await asked.promise;
    expect((await erase('--journey', journey.id, '--force')).code).toBe(0);
    done.resolve();
    expect((await returned).json.data.nextAction.type).toBe('JOURNEY_ABANDONED');
    ask.mockRestore();
    const left = await records.query<{ kind: string }>(
      `SELECT kind FROM lender_questions
       WHERE subject_id = $1 AND (status = 'OPEN' OR payload_sealed IS NOT NULL)`,
      [journey.id],
    );
    expect(left.map(({ kind }) => kind).filter((kind) => kind !== 'WITHDRAWAL')).toEqual([]);
  });

  it('finds every journey of a mobile number or a PAN, of every partner', async () => {
    const { mobile, pan } = newApplicant();
    const first = await journeyIn(demo, 'REJECTED', { mobile, pan: 'SANDX0001A' });
    const second = await startJourney(demo, { channel: 'API_HOSTED', mobile, pan });
    const stranger = await journeyIn(demo, 'REJECTED', { pan: 'SANDX0001A' });
    expect(await erase('--pan', pan.toLowerCase(), '--force')).toEqual(erased(second.id));
    const open = 'SELECT 1 FROM hosted_links WHERE journey_id = $1 AND expires_at > app_now()';
    expect(await records.query(open, [second.id])).toEqual([]);
    expect(await erase('--mobile', mobile)).toEqual(erased(first.id));
    expect(await erase('--mobile', mobile)).toMatchObject({
      code: 0,
      out: expect.stringContaining('OK: no loan of this applicant') as string,
    });
    expect(await isKept(stranger.id)).toBe(true);
  });

  it.each([
    ['--journey', 'jrn_of_nobody', 1, 'There is no loan jrn_of_nobody.'],
    ['--application', 'jrn_of_nobody', 1, 'There is no loan jrn_of_nobody.'],
    ['--mobile', '98765 0000', 2, 'It must be ten digits'],
    ['--pan', 'ERASE-0000-Z', 2, 'It must be five letters'],
  ])('does not say OK where %s %s can be of no loan', async (option, value, exit, said) => {
    const { code, out, error } = await erase(option, value);
    expect([code, out, error]).toEqual([exit, '', expect.stringContaining(said)]);
  });

  it('refuses a journey in progress, and erases nothing of the others either', async () => {
    const { mobile, pan } = newApplicant();
    const over = await journeyIn(demo, 'REJECTED', { mobile, pan: 'SANDX0001A' });
    const open = await journeyIn(demo, 'OFFERS_RECEIVED', { mobile, pan });
    const { code, error } = await erase('--mobile', mobile);
    expect(code).toBe(1);
    expect(error).toBe(
      `Error: Nothing was erased. ${open.id} is in progress (OFFERS_RECEIVED). ` +
        'With --force it is abandoned and erased.',
    );
    for (const { id } of [over, open]) {
      expect(await isKept(id)).toBe(true);
      expect(await records.trail(id)).not.toContain('APPLICANT_ERASED');
    }
  });

  it('never takes a journey whose money is on its way, nor one with an action in flight', async () => {
    const paying = await journeyIn(demo, 'DISBURSEMENT_PENDING', { pan: 'SANDX0008A' });
    const busy = await journeyIn(demo, 'OFFERS_RECEIVED', newApplicant());
    await records.query(
      `UPDATE journeys SET lease_until = app_now() + interval '20 seconds' WHERE id = $1`,
      [busy.id],
    );
    for (const [{ id }, state, said] of [
      [
        paying,
        'DISBURSEMENT_PENDING',
        'is being paid out (DISBURSEMENT_PENDING): wait until that is over.',
      ],
      [busy, 'OFFERS_RECEIVED', 'has an action in progress'],
    ] as const) {
      const { code, error } = await erase('--journey', id, '--force');
      expect([code, error]).toEqual([1, expect.stringContaining(said)]);
      expect([await records.state(id), await isKept(id)]).toEqual([state, true]);
    }
  });

  it.each([[[]], [['--mobile', '9876543210', '--pan', 'ABCDE1234F']]])(
    'wants one of its four options: %j',
    async (parameters) => {
      expect(await erase(...parameters)).toMatchObject({
        code: 1,
        error: 'Error: Give exactly one of --journey, --application, --mobile, --pan.',
      });
    },
  );
});

describe('applicants erase, of instant loans', () => {
  it('erases the applicant and the kept answer, and what was agreed to can still be shown', async () => {
    const { json } = await applyForInstantLoan(demo, newApplicant(), 'erase-this-loan');
    const { applicationId, journeyId, redirectUrl } = json.data;
    await bench.atGateway(json.data, 'pay');
    await bench.reaches(applicationId, 'SANCTIONED');
    const before = { row: await bench.row(applicationId), trail: await bench.trail(applicationId) };
    expect(await idempotencyKeys('erase-this-loan')).toHaveLength(1);
    expect(await erase('--application', applicationId)).toEqual(erased(journeyId));
    expect(await isKept(journeyId)).toBe(false);
    expect(await idempotencyKeys('erase-this-loan')).toEqual([]);
    expect(await bench.row(applicationId)).toEqual(before.row);
    const trail = [...before.trail, 'APPLICANT_ERASED SANCTIONED'];
    expect(await bench.trail(applicationId)).toEqual(trail);
    expect(await bench.status(applicationId)).toBe('SANCTIONED');
    const page = await new ApplicantBrowser().open(`${redirectUrl}/done`);
    expect(page.text).toContain(' loan is approved');
  });

  it('--force ends it first: its payment page is closed, and its lenders are notified', async () => {
    const loan = await bench.apply(newApplicant());
    const { applicationId, journeyId } = loan;
    const browser = new ApplicantBrowser();
    await openGateway(browser, loan.redirectUrl);
    expect((await erase('--application', applicationId, '--force')).code).toBe(0);
    expect(await bench.status(applicationId)).toBe('EXPIRED');
    expect((await bench.trail(applicationId)).slice(-2)).toEqual([
      'WENT_IDLE ABANDONED',
      'APPLICANT_ERASED ABANDONED',
    ]);
    await eventually(async () => {
      const sql = 'SELECT status FROM payment_orders WHERE subject_id = $1';
      expect(await records.query(sql, [journeyId])).toEqual([{ status: 'CANCELLED' }]);
    }, PATIENT);
    const { text } = await browser.open(`${loan.redirectUrl}/done`);
    expect(text).toContain('The time to pay is over');
    const stored = await records.query(
      `SELECT reference AS reason, count(*)::int AS lenders FROM lender_questions
       WHERE subject_id = $1 AND kind = 'WITHDRAWAL' GROUP BY reference ORDER BY reference`,
      [journeyId],
    );
    expect(stored).toEqual([
      { reason: 'ABANDONED', lenders: 3 },
      { reason: 'ERASURE', lenders: 3 },
    ]);
  });

  it('never takes one that is paid and not decided', async () => {
    const loan = await bench.applySlowly(newApplicant());
    await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.applicationId, 'PAYMENT_RECEIVED');
    const { code, error } = await erase('--application', loan.applicationId, '--force');
    expect(code).toBe(1);
    expect(error).toContain(`${loan.journeyId} is being paid out (DECISION_PENDING)`);
  });
});
