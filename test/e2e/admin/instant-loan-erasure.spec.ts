import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Keyring, parseEnvironment } from '../../../src/platform/index.js';
import { runAdmin } from '../../support/admin-command.js';
import { eventually } from '../../support/eventually.js';
import { newMobile } from '../../support/hosted-client.js';
import { ApplicantBrowser, applyForInstantLoan, openGateway } from '../../support/instant-loans.js';
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
  ['journeys', 'applicant_sealed', 'id', (id) => `journeys.applicant:${id}`],
  ['key_facts_statements', 'content_sealed', 'journey_id', () => 'key_facts_statements.content'],
  ['payment_orders', 'details_sealed', 'subject_id', () => 'payment_orders.details'],
  ['lender_questions', 'payload_sealed', 'subject_id', () => 'lender_questions.payload'],
  ['lender_inbox', 'answer_sealed', 'subject_id', () => 'lender_inbox.answer'],
];

/** Everything that is kept of a journey under seal, opened, by its column. */
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
       (SELECT count(*)::int FROM journeys
        WHERE id = $1 AND num_nonnulls(mobile_hash, pan_hash) > 0) AS hashes`,
    [id],
  );
  return row;
}

describe('applicants erase, of instant loans', () => {
  it('erases what is kept of the applicant, and keeps the figures', async () => {
    const applicant = newApplicant();
    const { json } = await applyForInstantLoan(bench.demo, applicant, 'erase-this-loan');
    const { applicationId, journeyId, redirectUrl } = json.data;
    await bench.atGateway(json.data, 'pay');
    await bench.reaches(applicationId, 'SANCTIONED');
    const before = { row: await bench.row(applicationId), trail: await bench.trail(applicationId) };
    const known = Object.values(await openedTexts(journeyId)).join('\n');
    // The test would prove nothing if it looked in the wrong places.
    for (const text of [NAME, STREET, applicant.mobile, applicant.pan]) {
      expect(known).toContain(text);
    }

    const { code, out, error } = await erase('--application', applicationId);
    expect({ code, out, error }).toEqual({
      code: 0,
      out: `Erased the personal data of ${journeyId}.`,
      error: '',
    });

    const left = Object.entries(await openedTexts(journeyId)).filter(
      ([, texts]) => texts.length > 0,
    );
    // The lender is notified of the erasure, without the applicant, and acknowledges it.
    const word = ['lender_questions.payload_sealed', 'lender_inbox.answer_sealed'];
    const others = left.map(([name]) => name).filter((name) => !word.includes(name));
    expect(others).toEqual(['key_facts_statements.content_sealed']);
    for (const text of [NAME, STREET, applicant.mobile, applicant.pan]) {
      expect(JSON.stringify(left)).not.toContain(text);
    }
    expect(await otherTraces(journeyId)).toEqual({ inbox: 0, messages: 0, gateway: 0, hashes: 0 });
    expect(
      await bench.records.query(
        `SELECT 1 FROM idempotent_answers WHERE idempotency_key = 'erase-this-loan'`,
      ),
    ).toEqual([]);
    expect(await bench.row(applicationId)).toEqual(before.row);
    expect(await bench.trail(applicationId)).toEqual([
      ...before.trail,
      'APPLICANT_ERASED SANCTIONED',
    ]);
    expect(await bench.status(applicationId)).toBe('SANCTIONED');
    // What was agreed to can still be shown.
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
      const [order] = await bench.records.query<{ status: string }>(
        'SELECT status FROM payment_orders WHERE subject_id = $1',
        [journeyId],
      );
      expect(order.status).toBe('CANCELLED');
    }, PATIENT);
    const { text } = await browser.open(`${loan.redirectUrl}/done`);
    expect(text).toContain('The time to pay is over');
    const told = await bench.records.query<{ reason: string; lenders: number }>(
      `SELECT reference AS reason, count(*)::int AS lenders FROM lender_questions
       WHERE subject_id = $1 AND kind = 'WITHDRAWAL' GROUP BY reference ORDER BY reference`,
      [journeyId],
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
    expect(error).toContain(`${loan.journeyId} has its money on the way (DECISION_PENDING)`);
  });
});
