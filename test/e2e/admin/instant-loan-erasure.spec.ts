import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Keyring, parseEnvironment } from '../../../src/platform/index.js';
import { runAdmin } from '../../support/admin-command.js';
import { eventually } from '../../support/eventually.js';
import { newMobile } from '../../support/hosted-client.js';
import { ApplicantBrowser, applyForInstantLoan, openGateway } from '../../support/instant-loans.js';
import { journeyIn } from '../../support/journey-driver.js';
import { TEST_MASTER_KEY } from '../../support/service.js';
import { InstantLoanBench, PATIENT } from '../instant-loans/instant-loan-bench.js';

const NAME = 'Kamala Unmistakable';
const STREET = '7 Unmistakable Lane';

let bench: InstantLoanBench;

beforeAll(async () => {
  bench = await InstantLoanBench.open();
});

afterAll(() => bench?.close());

const keyring = new Keyring(
  parseEnvironment({ MASTER_KEY: TEST_MASTER_KEY, DATABASE_URL: 'postgres://x/y' }).masterKeys,
);

const erase = (...parameters: string[]) =>
  runAdmin(bench.service.databaseUrl, 'applicants', 'erase', ...parameters);

let applicants = 0;

/** An applicant of whom there is no other loan. */
function newApplicant() {
  applicants += 1;
  const pan = `ERASE${String(applicants).padStart(4, '0')}Y`;
  return { mobile: newMobile(), pan, customer: { fullName: NAME, addressL1: STREET } };
}

/** Where an applicant is known, and how it opens. */
const SEALED: [table: string, column: string, owner: string, purpose: (id: string) => string][] = [
  ['instant_loans', 'applicant_sealed', 'id', (id) => `instant_loans.applicant:${id}`],
  ['instant_loans', 'key_facts_sealed', 'id', (id) => `instant_loans.key_facts:${id}`],
  ['payment_orders', 'details_sealed', 'subject_id', () => 'payment_orders.details'],
  ['lender_questions', 'payload_sealed', 'subject_id', () => 'lender_questions.payload'],
  ['lender_inbox', 'answer_sealed', 'subject_id', () => 'lender_inbox.answer'],
];

/** Everything that is kept of an application under seal, opened, by its column. */
async function openedTexts(id: string): Promise<Record<string, string[]>> {
  const texts: Record<string, string[]> = {};
  for (const [table, column, owner, purpose] of SEALED) {
    const rows = await bench.records.query<{ sealed: string }>(
      `SELECT ${column} AS sealed FROM ${table} WHERE ${owner} = $1 AND ${column} IS NOT NULL`,
      [id],
    );
    texts[`${table}.${column}`] = rows.map(({ sealed }) => keyring.open(sealed, purpose(id)));
  }
  return texts;
}

/** Where else something of the applicant may stand, as counts. */
async function otherTraces(id: string): Promise<Record<string, number>> {
  const [row] = await bench.records.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM sandbox_sms WHERE subject_id = $1) AS inbox,
       (SELECT count(*)::int FROM sms_messages
        WHERE subject_id = $1 AND content_sealed IS NOT NULL) AS messages,
       (SELECT count(*)::int FROM sandbox_payments
        WHERE subject_id = $1 AND details_sealed IS NOT NULL) AS gateway,
       (SELECT count(*)::int FROM instant_loans
        WHERE id = $1 AND num_nonnulls(mobile_hash, pan_hash) > 0) AS hashes`,
    [id],
  );
  return row;
}

describe('applicants erase, of instant loans', () => {
  it('erases what is kept of the applicant, and keeps the figures', async () => {
    const applicant = newApplicant();
    const { json } = await applyForInstantLoan(bench.demo, applicant, 'erase-this-loan');
    const loan = json.data;
    const id = loan.applicationId;
    await bench.atGateway(loan, 'pay');
    await bench.reaches(id, 'SANCTIONED');
    const before = { row: await bench.row(id), trail: await bench.trail(id) };
    const known = Object.values(await openedTexts(id)).join('\n');
    // The test would prove nothing if it looked in the wrong places.
    for (const text of [NAME, STREET, applicant.mobile, applicant.pan]) {
      expect(known).toContain(text);
    }

    const { code, out, error } = await erase('--application', id);
    expect({ code, out, error }).toEqual({
      code: 0,
      out: `Erased the personal data of ${id}.`,
      error: '',
    });

    const left = Object.entries(await openedTexts(id)).filter(([, texts]) => texts.length > 0);
    // The lender is told of the erasure, without the applicant, and notes it.
    const word = ['lender_questions.payload_sealed', 'lender_inbox.answer_sealed'];
    const others = left.map(([name]) => name).filter((name) => !word.includes(name));
    expect(others).toEqual(['instant_loans.key_facts_sealed']);
    for (const text of [NAME, STREET, applicant.mobile, applicant.pan]) {
      expect(JSON.stringify(left)).not.toContain(text);
    }
    expect(await otherTraces(id)).toEqual({ inbox: 0, messages: 0, gateway: 0, hashes: 0 });
    expect(
      await bench.records.query(
        `SELECT 1 FROM idempotent_answers WHERE idempotency_key = 'erase-this-loan'`,
      ),
    ).toEqual([]);
    const { status, fee, gateway_payment_id } = before.row;
    expect(await bench.row(id)).toMatchObject({ status, fee, gateway_payment_id });
    expect(await bench.trail(id)).toEqual([...before.trail, 'APPLICANT_ERASED SANCTIONED']);
    expect(await bench.status(id)).toBe('SANCTIONED');
    // What was agreed to can still be shown.
    const page = await new ApplicantBrowser().open(`${loan.redirectUrl}/done`);
    expect(page.text).toContain(' loan is approved');
  });

  it('finds the loans of a number or a PAN together with the journeys', async () => {
    const applicant = newApplicant();
    const { mobile, pan } = applicant;
    const journey = await journeyIn(bench.demo, 'SANCTIONED', { mobile, pan });
    const { applicationId: id } = await bench.apply(applicant);
    const stranger = await bench.apply(newApplicant());
    // A message that is on its way would come in after the erasure.
    await eventually(async () => expect((await otherTraces(id)).inbox).toBe(1), PATIENT);
    const { out } = await erase('--pan', pan.toLowerCase(), '--force');
    expect(out).toBe(`Erased the personal data of ${journey.id}, ${id}.`);
    expect(
      (await openedTexts(stranger.applicationId))['instant_loans.applicant_sealed'],
    ).toHaveLength(1);
    // That its lenders have been told by then is not an applicant who is erased once more.
    await eventually(async () => {
      const open = `SELECT 1 FROM lender_questions WHERE subject_id = $1 AND status = 'OPEN'`;
      expect(await bench.records.query(open, [id])).toEqual([]);
    }, PATIENT);
    const again = await erase('--application', id);
    expect(again.out).toBe(`The personal data of ${id} was erased before.`);
    expect((await erase('--mobile', mobile)).out).toContain('There is no loan of this applicant');
  });

  it('refuses a loan that is not paid yet, and erases nothing of the journeys either', async () => {
    const applicant = newApplicant();
    const { mobile, pan } = applicant;
    const journey = await journeyIn(bench.demo, 'SANCTIONED', { mobile, pan });
    const { applicationId: id } = await bench.apply(applicant);
    const { code, error } = await erase('--mobile', mobile);
    expect(code).toBe(1);
    expect(error).toBe(
      `Nothing was erased. ${id} is in progress (PAYMENT_PENDING). ` +
        'With --force it would be abandoned and then erased.',
    );
    expect((await openedTexts(id))['instant_loans.applicant_sealed']).toHaveLength(1);
    expect(await bench.records.trail(journey.id)).not.toContain('APPLICANT_ERASED');
  });

  it('--force ends it first: nothing can be paid any more, and late money is still seen', async () => {
    const loan = await bench.apply(newApplicant());
    const id = loan.applicationId;
    const browser = new ApplicantBrowser();
    await openGateway(browser, loan.redirectUrl);
    expect((await erase('--application', id, '--force')).code).toBe(0);
    expect(await bench.status(id)).toBe('EXPIRED');
    expect((await bench.trail(id)).slice(-2)).toEqual([
      'WITHDRAWN EXPIRED',
      'APPLICANT_ERASED EXPIRED',
    ]);
    await eventually(async () => {
      const [order] = await bench.records.query<{ status: string }>(
        'SELECT status FROM payment_orders WHERE subject_id = $1',
        [id],
      );
      expect(order.status).toBe('CANCELLED');
    }, PATIENT);
    const { text } = await browser.open(`${loan.redirectUrl}/done`);
    expect(text).toContain('The time to pay is over');
    const told = await bench.records.query<{ reason: string; lenders: number }>(
      `SELECT reference AS reason, count(*)::int AS lenders FROM lender_questions
       WHERE subject_id = $1 AND kind = 'WITHDRAWAL' GROUP BY reference ORDER BY reference`,
      [id],
    );
    expect(told).toEqual([
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
    expect(error).toContain('has its money on the way (PAYMENT_RECEIVED)');
  });
});
