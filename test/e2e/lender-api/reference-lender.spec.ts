import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { account, APPLICANT, CONSENT, LenderBench, sessionFields } from './lender-bench.js';
import type { Json } from './rinpath-stand-in.js';

// What is its own. lender-check/suite.spec.ts checks that it keeps to the protocol.

const BACK = 'https://rinpath.example/returned?state=1';
const bench = new LenderBench();

beforeAll(() => bench.start());
afterAll(() => bench.stop());

const applicant = (pan: string): Json => ({ applicant: { ...APPLICANT, pan } });

/** Presses a button as a browser does; returns where that leads. */
async function press(url: string, step: string, decision: string): Promise<string> {
  const body = new URLSearchParams({ step, decision });
  const response = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  expect(response.status).toBe(303);
  return response.headers.get('location')!;
}

describe('the reference lender', () => {
  it('makes offers of its terms, and signs them with the algorithm of each lender', async () => {
    // 36 months at 11.49 percent; 2 percent and GST, and a stamp duty of 0.1 percent.
    const offered = await bench.askOffers();
    expect(offered.claims).toMatchObject({ alg: 'EdDSA' });
    expect(offered.body.offers).toMatchObject([
      {
        principal: 20_000_000,
        tenureMonths: 36,
        repayment: { kind: 'EMI', instalment: 659_400 },
        apr: '13.23',
        netPayout: 19_508_000,
        fees: [{ amount: 472_000, gst: 72_000 }, { amount: 20_000 }],
      },
    ]);
    expect((await bench.askOffers({}, {}, 'kaverisetu')).claims).toMatchObject({ alg: 'ES256' });
    const gold = { grams: '10.5', items: ['chain'] };
    const { body } = await bench.askOffers({ productCode: 'ONLINE_GOLD', gold });
    // 10.5 g at ₹9,000 is ₹94,500; 85 percent of it is ₹80,325.
    expect(body.offers).toMatchObject([
      { principal: 8_032_500, goldValuation: { value: 9_450_000, ltvPercent: '85.00' } },
    ]);
    for (const [more, reason] of [
      [{ productCode: 'ONLINE_BOATS' }, 'PRODUCT_NOT_SERVED'],
      [{ loanAmount: 99_999 }, 'AMOUNT'],
      [{ productCode: 'ONLINE_GOLD' }, 'COLLATERAL'],
      [applicant('SANDX0001A'), 'POLICY'],
    ] as const) {
      const declined = await bench.askOffers(more);
      expect(declined.body).toMatchObject({ verdict: 'DECLINED', reason });
    }
  });

  it('decides by reserved PANs: one lender’s offer, late offers, an outage, each step', async () => {
    expect((await bench.askOffers(applicant('SANDX0003A'))).body.verdict).toBe('OFFERED');
    const second = await bench.askOffers(applicant('SANDX0003A'), {}, 'kaverisetu');
    expect(second.body.verdict).toBe('DECLINED');
    const slow = () => bench.askOffers(applicant('SANDX0002A'), { key: 'qst_slow' });
    expect((await slow()).status).toBe(202);
    bench.passTime(11);
    expect((await slow()).body.verdict).toBe('OFFERED');
    const fails = () => bench.askOffers(applicant('SANDX0009A'), { key: 'qst_fails_twice' });
    const statuses = [await fails(), await fails(), await fails()].map(({ status }) => status);
    expect(statuses).toEqual([503, 503, 200]);
    for (const [step, pan, attempt, word] of [
      ['KYC', 'ABCDE1234F', 1, 'PASSED'],
      ['KYC', 'SANDX0004A', 1, 'FAILED'],
      ['KYC', 'SANDX0004A', 2, 'PASSED'],
      ['KYC', 'SANDX0005A', 2, 'REFUSED'],
      ['MANDATE', 'SANDX0006A', 1, 'FAILED'],
      ['ESIGN', 'SANDX0007A', 1, 'REFUSED'],
    ] as const) {
      const { about } = await bench.choose(applicant(pan));
      const stepReference = `${about.applicationId}-${step}-${attempt}`;
      const { body } = await bench.ask('steps', { ...about, step, stepReference, attempt });
      expect([pan, body.verdict]).toEqual([pan, word]);
      expect(body).toHaveProperty(word === 'PASSED' ? 'evidence.step' : 'reason');
    }
    const late = await bench.choose(applicant('SANDX0008A'));
    await bench.sign(late);
    expect((await bench.payOut(late)).status).toBe(202);
    bench.passTime(30);
    expect((await bench.payOut(late)).body.verdict).toBe('PAID');
  });

  it('decides by the account, and on an instant loan by the fee that was paid', async () => {
    for (const [number, word] of [
      ['12345678901', 'ACCEPTED'],
      ['12345670000', 'REFUSED'],
      ['12345679999', 'REFUSED_FOR_GOOD'],
    ]) {
      const { about } = await bench.choose();
      const { body } = await bench.ask('accounts', { ...about, account: account(number) });
      expect([number, body.verdict]).toEqual([number, word]);
    }
    const decided = async (pan: string, feePaid: Json) => {
      const applicationId = bench.newApplication();
      const subject = { kind: 'INSTANT_LOAN', id: applicationId };
      const loan = { loanAmount: 2_500_000, consent: CONSENT, productCode: 'ONLINE_INSTANT' };
      const about = { ...loan, ...applicant(pan), applicationId, subject };
      const [offer] = (await bench.askOffers(about)).body.offers as Json[];
      const fields = { ...about, feePaid, offerReference: offer.reference };
      const { verdict, reason } = (await bench.ask('decisions', fields)).body;
      return [verdict, reason];
    };
    const fee = { amount: 23_500, paidAt: new Date().toISOString() };
    expect(await decided('ABCDE1234F', fee)).toEqual(['SANCTIONED', undefined]);
    expect(await decided('SANDX0013A', fee)).toEqual(['DECLINED', 'POLICY']);
    expect(await decided('ABCDE1234F', { ...fee, amount: 23_499 })).toEqual(['DECLINED', 'OTHER']);
  });

  it('lets an applicant leave a loan for what was paid out and its interest, then no more', async () => {
    const chosen = await bench.choose();
    await bench.sign(chosen);
    const { loanReference, paidAt } = (await bench.payOut(chosen)).body;
    const exit = async (days: number) => {
      const requestedAt = new Date(Date.parse(paidAt as string) + days * 86_400_000).toISOString();
      return (await bench.ask('cooling-off-exits', { loanReference, requestedAt })).body;
    };
    expect(await exit(0)).toMatchObject({ verdict: 'OPENED', amount: 19_508_000 });
    // 13.23 percent of ₹1,95,080 for three days of 365: ₹212.13.
    expect(await exit(3)).toMatchObject({ verdict: 'OPENED', amount: 19_529_200 });
    expect(await exit(4)).toMatchObject({ verdict: 'REFUSED', reason: 'PERIOD_OVER' });
    const event = { lender: 'navdhara', loanReference, event: 'EXITED' };
    await bench.admin('POST', '/loan-events', event);
    expect(await exit(1)).toMatchObject({ verdict: 'EXITED' });
  });

  it('has pages that go from step to step, need no script and show an address as text', async () => {
    const chosen = await bench.choose({ productCode: 'ONLINE_BUSINESS' }, 'tarangudyam');
    const returnUrl = `${BACK}&a="><script>alert(1)</script>`;
    const session = { stepReference: 'several', returnUrl };
    const opened = await bench.ask(
      'sessions',
      sessionFields(chosen, 'KYC', session),
      {},
      'tarangudyam',
    );
    const { url, covers } = opened.body as { url: string; covers: string[] };
    expect(covers).toEqual(['KYC', 'MANDATE', 'ESIGN']);
    const page = await fetch(url);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toContain('₹');
    expect(await press(url, 'KYC', 'approve')).toBe(new URL(url).pathname);
    // An older copy of a page decides nothing.
    expect(await press(url, 'KYC', 'decline')).toContain(BACK);
    expect(await press(url, 'MANDATE', 'decline')).toContain(BACK);
    expect(await (await fetch(url)).text()).not.toContain('<script');
    const verdict = async (step: string, stepReference: string) => {
      const fields = { ...chosen.about, step, attempt: 1, stepReference };
      return (await bench.ask('steps', fields, {}, 'tarangudyam')).body.verdict;
    };
    expect(await verdict('KYC', 'several')).toBe('PASSED');
    expect(await verdict('MANDATE', 'of-mandate')).toBe('FAILED');
    const script = sessionFields(chosen, 'KYC', { returnUrl: 'javascript:alert(1)' });
    expect((await bench.ask('sessions', script, {}, 'tarangudyam')).status).toBe(400);
  });
});

describe('the faults that can be ordered of it', () => {
  afterEach(() => bench.admin('DELETE', '/faults'));

  it('come as often as ordered, for that lender and message, and outlive a restart', async () => {
    await bench.fault('offers', 'unavailable', { times: 2 });
    expect((await bench.askOffers({}, {}, 'kaverisetu')).status).toBe(200);
    expect((await bench.askOffers()).status).toBe(503);
    await bench.restart();
    expect((await bench.askOffers()).status).toBe(503);
    expect((await bench.askOffers()).status).toBe(200);
    for (const wrong of [{ kind: 'boredom' }, { lender: 'nobody' }, { times: 'often' }]) {
      const order = { lender: 'navdhara', message: 'offers', kind: 'slow', times: 1, ...wrong };
      expect((await bench.admin('POST', '/faults', order)).status).toBe(400);
    }
  });

  it('keep what was decided: the question asked again has its verdict, and once', async () => {
    const chosen = await bench.choose();
    const choice = { ...chosen.about, loanAmount: 20_000_000, keyFactsHash: 'd'.repeat(64) };
    const ask = (signal?: AbortSignal) =>
      bench.ask('selections', choice, { key: 'qst_lost', signal });
    const made = async () =>
      (await bench.books()).selections.filter(({ key }) => key === 'qst_lost');
    for (const [asked, kind] of ['silent', 'slow', 'half-body', 'endless'].entries()) {
      await bench.fault('selections', kind);
      const given = new AbortController();
      const answer = ask(given.signal).catch(() => null);
      await expect.poll(made).toMatchObject([{ timesAsked: asked + 1 }]);
      given.abort();
      expect(await answer).toBeNull();
    }
    expect((await ask()).body.verdict).toBe('ACCEPTED');
    expect(await made()).toMatchObject([{ timesAsked: 5 }]);
  });
});
