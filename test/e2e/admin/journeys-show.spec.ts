import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LenderAnswer } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { runAdmin } from '../../support/admin-command.js';
import { BANK_ACCOUNT } from '../../support/loan-requests.js';
import { JourneyBench } from '../journeys/journey-bench.js';

const SIGNATURE = 'header.payload.signature';

let bench: JourneyBench;

beforeAll(async () => {
  bench = await JourneyBench.open();
  await bench.keepOneLender();
});

afterAll(async () => {
  vi.restoreAllMocks();
  await bench.close();
});

const HASH = 'd'.repeat(64);

/** The lender's verdict on each step and on the payout, as a remote lender sends it. */
const ANSWERS: Readonly<Record<string, LenderAnswer>> = Object.fromEntries(
  [
    ['KYC', { kycReference: 'KYC-77' }],
    ['MANDATE', { mandateReference: 'UMRN0000000077' }],
    ['ESIGN', { documentHash: HASH }],
  ].map(([step, evidence]) => [
    step,
    { kind: 'PASSED', evidence: { passedAt: '2026-11-22T10:00:00Z', ...(evidence as object) } },
  ]),
);

function answeredByLender(): void {
  const lender = bench.service.get<SandboxLender>(SandboxLender);
  const ask = lender.ask.bind(lender);
  vi.spyOn(lender, 'ask').mockImplementation(async (question) => {
    const reply = await ask(question);
    if (reply.status !== 'ANSWERED') return reply;
    const { kind, attemptsBefore: _, payload } = question;
    if (kind === 'MANDATE' && payload.stepAttempt === 1) {
      const detail = 'The account of A. Verma is frozen';
      return { ...reply, answer: { kind: 'FAILED', reason: 'BANK_DECLINED', detail } };
    }
    if (reply.answer.kind === 'PAID') {
      const accountLastFour = BANK_ACCOUNT.accNo.slice(-4);
      return { ...reply, answer: { ...reply.answer, loanReference: 'LN-77', accountLastFour } };
    }
    return { ...reply, answer: ANSWERS[kind] ?? reply.answer };
  });
  vi.spyOn(lender, 'select').mockResolvedValue({
    kind: 'ACCEPTED',
    applicationReference: 'APP-77',
    keyFactsSignature: SIGNATURE,
  });
}

const show = (id: string) => runAdmin(bench.service.databaseUrl, 'journeys', 'show', id);

describe('journeys show', () => {
  it('says what proves the steps, what the lender calls the loan, and what it has signed', async () => {
    answeredByLender();
    const journey = await bench.startWithOffers();
    await journey.complete();
    const { code, out, error } = await show(journey.id);
    expect([code, error]).toEqual([0, '']);
    const [{ hash }] = await bench.query<{ hash: string }>(
      'SELECT content_hash AS hash FROM key_facts_statements WHERE journey_id = $1',
      [journey.id],
    );
    for (const shown of [
      `${journey.id}: SANCTIONED`,
      'Lender navdhara',
      'application APP-77',
      `Statement ${hash}`,
      SIGNATURE,
      'kycReference KYC-77',
      'mandateReference UMRN0000000077',
      `documentHash ${HASH}`,
      'loan LN-77',
      `ending in ${BANK_ACCOUNT.accNo.slice(-4)}`,
      'The account of A. Verma is frozen',
      'PAID_OUT',
    ]) {
      expect(out).toContain(shown);
    }
    expect(out).toMatch(/MANDATE +navdhara +1 +FAILED +reason BANK_DECLINED$/m);

    const kept = JSON.stringify(
      await bench.query('SELECT * FROM journey_redirects WHERE journey_id = $1', [journey.id]),
    );
    for (const plain of ['KYC-77', 'UMRN0000000077']) expect(kept).not.toContain(plain);

    await runAdmin(bench.service.databaseUrl, 'applicants', 'erase', '--journey', journey.id);
    const after = (await show(journey.id)).out;
    expect(after).toMatch(/MANDATE +navdhara +2 +PASSED *$/m);
    for (const gone of ['KYC-77', 'UMRN0000000077', HASH]) {
      expect(after).not.toContain(gone);
    }
    expect(after).toContain('(erased)');
    expect(after).toContain('ending in (unknown)');
    expect(after).not.toContain('A. Verma');
  });

  it('does not take the evidence of one step for that of another', async () => {
    const journey = await bench.startWithOffers();
    await journey.complete();
    expect((await show(journey.id)).code).toBe(0);
    await bench.query(
      `UPDATE journey_redirects AS r SET evidence_sealed = o.evidence_sealed
       FROM journey_redirects AS o WHERE r.journey_id = $1 AND o.journey_id = $1
         AND r.step = 'ESIGN' AND o.step = 'KYC'`,
      [journey.id],
    );
    const { code, out } = await show(journey.id);
    expect([code, out]).toEqual([1, '']);
    expect(await show('jrn_none')).toMatchObject({ error: 'Error: There is no journey jrn_none.' });
  });

  it('has nothing of a verdict that comes after its applicant was erased', async () => {
    const journey = await bench.startWithOffers();
    await journey.goOnTo('KYC_PENDING');
    const reference = await journey.redirectId('KYC');
    const whose = ['--journey', journey.id, '--force'];
    await runAdmin(bench.service.databaseUrl, 'applicants', 'erase', ...whose);
    await bench.deliverTo(journey.id, ANSWERS['KYC'], { kind: 'KYC', reference });
    const [late] = await bench.query(
      'SELECT verdict, evidence_sealed FROM journey_redirects WHERE id = $1',
      [reference],
    );
    expect(late).toEqual({ verdict: 'PASSED', evidence_sealed: null });
  });
});
