import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chosen, LenderBench, sessionFields } from './lender-bench.js';

const BACK = 'https://rinpath.example/returned?state=1';

/** Presses a button as a browser does; answers where that leads. */
async function press(url: string, step: string, decision: string): Promise<string> {
  const body = new URLSearchParams({ step, decision });
  const response = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  expect(response.status).toBe(303);
  return response.headers.get('location')!;
}

describe('a visit to the reference lender', () => {
  const bench = new LenderBench();

  beforeAll(() => bench.start());
  afterAll(() => bench.stop());

  const askStep = (chosen: Chosen, step: string, lender = 'navdhara') => {
    const { acknowledgement: _, returnUrl: __, ...fields } = sessionFields(chosen, step);
    const stepReference = `${chosen.about.applicationId}-${step}`;
    const key = `qst_${stepReference}`;
    return bench.ask('steps', { ...fields, stepReference }, { key }, lender);
  };
  const open = (chosen: Chosen, step: string, more = {}, lender = 'navdhara') => {
    const stepReference = `${chosen.about.applicationId}-${step}`;
    return bench.openSession(chosen, step, { stepReference, ...more }, lender);
  };

  it('waits for the applicant, then passes what was approved', async () => {
    const chosen = await bench.choose();
    const { url, covers } = await open(chosen, 'KYC');
    expect(covers).toEqual(['KYC']);
    expect(await askStep(chosen, 'KYC')).toMatchObject({
      status: 202,
      body: { waitingFor: 'APPLICANT' },
    });
    expect(await press(url, 'KYC', 'leave')).toBe(BACK);
    expect((await askStep(chosen, 'KYC')).status).toBe(202);
    expect(await press(url, 'KYC', 'approve')).toBe(BACK);
    const { body } = await askStep(chosen, 'KYC');
    expect(body).toMatchObject({ verdict: 'PASSED', evidence: { step: 'KYC' } });
  });

  it('fails what was declined; the first decision counts', async () => {
    const chosen = await bench.choose();
    const { url } = await open(chosen, 'ESIGN');
    await press(url, 'ESIGN', 'decline');
    expect(await press(url, 'ESIGN', 'approve')).toBe(BACK);
    const failed = { verdict: 'FAILED', reason: 'CANCELLED_BY_APPLICANT' };
    expect((await askStep(chosen, 'ESIGN')).body).toMatchObject(failed);
  });

  it('is the same one for the same attempt, asked under another key', async () => {
    const chosen = await bench.choose();
    const first = await open(chosen, 'KYC');
    expect((await open(chosen, 'KYC')).url).toBe(first.url);
  });

  it('ends after an hour, and goes on when it is asked for again', async () => {
    const late = new LenderBench();
    await late.start();
    try {
      const chosen = await late.choose();
      const { url } = await late.openSession(chosen, 'KYC', { stepReference: 'late' });
      // Requests are signed for the lender's clock.
      const later = { claims: { iat: Math.floor(Date.now() / 1000) + 3_601 } };
      const step = { ...chosen.about, step: 'KYC', stepReference: 'late', attempt: 1 };
      late.passTime(3_601);
      expect((await fetch(url)).status).toBe(410);
      expect(await press(url, 'KYC', 'approve')).toBe(new URL(url).pathname);
      expect((await late.ask('steps', step, later)).body.waitingFor).toBe('APPLICANT');
      const fields = sessionFields(chosen, 'KYC', { stepReference: 'late' });
      const again = await late.ask('sessions', fields, later);
      expect((await fetch(again.body.url as string)).status).toBe(200);
      await press(again.body.url as string, 'KYC', 'approve');
      expect((await late.ask('steps', step, later)).body.verdict).toBe('PASSED');
    } finally {
      await late.stop();
    }
  });

  it('deals with several steps where the product’s terms say so', async () => {
    const lender = 'tarangudyam';
    const chosen = await bench.choose({ productCode: 'ONLINE_BUSINESS' }, lender);
    const { url, covers } = await open(chosen, 'KYC', {}, lender);
    expect(covers).toEqual(['KYC', 'MANDATE', 'ESIGN']);
    expect(await press(url, 'KYC', 'approve')).toBe(new URL(url).pathname);
    // An older copy of the page decides nothing.
    expect(await press(url, 'KYC', 'decline')).toBe(BACK);
    await press(url, 'MANDATE', 'approve');
    expect(await press(url, 'ESIGN', 'approve')).toBe(BACK);
    for (const step of covers) {
      const { body } = await askStep(chosen, step, lender);
      expect(body).toMatchObject({ verdict: 'PASSED', evidence: { step } });
    }
  });

  it('fails what was declined on the way, and no later attempt at it', async () => {
    const lender = 'tarangudyam';
    const chosen = await bench.choose({ productCode: 'ONLINE_BUSINESS' }, lender);
    const { url } = await open(chosen, 'KYC', {}, lender);
    await press(url, 'KYC', 'approve');
    expect(await press(url, 'MANDATE', 'decline')).toBe(BACK);
    expect((await askStep(chosen, 'MANDATE', lender)).body.verdict).toBe('FAILED');
    const second = { ...chosen.about, step: 'MANDATE', stepReference: 'second-try', attempt: 2 };
    expect((await bench.ask('steps', second, {}, lender)).body.verdict).toBe('PASSED');
  });

  it('shows what is signed, and needs no script', async () => {
    const chosen = await bench.choose();
    const { url } = await open(chosen, 'ESIGN');
    const response = await fetch(url);
    const html = await response.text();
    expect(html).toContain('Sign the loan agreement');
    expect(html).toContain('₹2,00,000');
    expect(html).toContain('a'.repeat(64));
    expect(html).not.toContain('<script');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('shows an address as text, whatever is in it', async () => {
    const chosen = await bench.choose();
    const returnUrl = `https://rinpath.example/?a="><script>alert(1)</script>`;
    const { url } = await open(chosen, 'KYC', { returnUrl });
    await press(url, 'KYC', 'approve');
    const html = await (await fetch(url)).text();
    expect(html).not.toContain('<script');
    expect(html).toContain('&quot;&gt;&lt;script&gt;');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '/relative'])(
    'is not opened to return to %s',
    async (returnUrl) => {
      const chosen = await bench.choose();
      const answer = await bench.ask('sessions', sessionFields(chosen, 'KYC', { returnUrl }));
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringMatching(/^returnUrl/) } },
      });
    },
  );

  it('is found by its address alone', async () => {
    const { lendersUrl } = bench.rinpath;
    expect((await fetch(`${lendersUrl}/navdhara/visits/guessed`)).status).toBe(404);
    const chosen = await bench.choose();
    const { url } = await open(chosen, 'KYC');
    expect((await fetch(url.replace('/navdhara/', '/kaverisetu/'))).status).toBe(404);
  });
});

describe('a lender for which a return without a visit is no proof', () => {
  const bench = new LenderBench({ passesUnvisitedSteps: false });

  beforeAll(() => bench.start());
  afterAll(() => bench.stop());

  it('waits for the applicant', async () => {
    const { about } = await bench.choose();
    const fields = { ...about, step: 'KYC', stepReference: 'unvisited', attempt: 1 };
    const answer = await bench.ask('steps', fields);
    expect(answer).toMatchObject({ status: 202, body: { waitingFor: 'APPLICANT' } });
  });
});
