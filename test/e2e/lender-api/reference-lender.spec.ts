import { readFileSync } from 'node:fs';
import { importJWK, type JSONWebKeySet, type JWK } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyDetached } from '../../../examples/lender/detached-jws.ts';
import { projectPath } from '../../../src/platform/index.js';
import { account, APPLICANT, CONSENT, LenderBench, sessionFields } from './lender-bench.js';
import type { Json } from './rinpath-stand-in.js';

// What is its own. That it keeps to the protocol is tested by lender-check/suite.spec.ts.

const BACK = 'https://rinpath.example/returned?state=1';
const bench = new LenderBench({ isTold: true });

beforeAll(() => bench.start());
afterAll(() => bench.stop());

function applicant(pan: string): Json {
  return { applicant: { ...APPLICANT, pan } };
}

/** Presses a button as a browser does; returns where that leads. */
async function press(url: string, step: string, decision: string): Promise<string> {
  const body = new URLSearchParams({ step, decision });
  const response = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  expect(response.status).toBe(303);
  return response.headers.get('location')!;
}

describe('the keys of the reference lender', () => {
  it.each([
    ['navdhara', 'EdDSA'],
    ['kaverisetu', 'ES256'],
  ])('sign the answers of %s with %s', async (lender, alg) => {
    const { status, claims } = await bench.askOffers({}, {}, lender);
    expect([status, claims]).toMatchObject([200, { alg }]);
  });

  it('are two while they change, without their private halves', async () => {
    const before = await bench.askOffers({}, {}, 'tarangudyam');
    const { body } = await bench.admin('POST', '/keys', { lender: 'tarangudyam' });
    bench.rinpath.forgetKeys();
    const after = await bench.askOffers({}, {}, 'tarangudyam');
    expect(after.claims!.kid).toBe(body.kid);
    const response = await fetch(`${bench.rinpath.lendersUrl}/tarangudyam/jwks.json`);
    const { keys } = (await response.json()) as JSONWebKeySet;
    expect(keys.map(({ kid }) => kid)).toEqual([body.kid, before.claims!.kid]);
    expect(keys.every((key) => !('d' in key))).toBe(true);
  });

  it('hold for the published vectors', async () => {
    const file = projectPath('docs/lenders/signing-vectors.json');
    const { keys, vectors } = JSON.parse(readFileSync(file, 'utf8')) as {
      keys: Record<string, JWK>;
      vectors: { key: string; body: string; protectedHeader: Json; signature: string }[];
    };
    expect(vectors.length).toBeGreaterThan(0);
    for (const { key, body, protectedHeader, signature } of vectors) {
      const { d: _, ...published } = keys[key];
      const publicKey = await importJWK(published);
      const verify = (bytes: string) =>
        verifyDetached(signature, Buffer.from(bytes), () => publicKey);
      expect(await verify(body)).toEqual(protectedHeader);
      await expect(verify(`${body} `)).rejects.toThrow('the signature does not hold');
    }
  });
});

describe('its offers', () => {
  it('have the figures of its terms', async () => {
    // 36 months at 11.49 percent; 2 percent and GST, and a stamp duty of 0.1 percent.
    expect((await bench.askOffers()).body.offers).toMatchObject([
      {
        principal: 20_000_000,
        tenureMonths: 36,
        repayment: { kind: 'EMI', instalment: 659_400 },
        apr: '13.23',
        netPayout: 19_508_000,
        fees: [{ amount: 472_000, gst: 72_000 }, { amount: 20_000 }],
      },
    ]);
    const gold = { grams: '10.5', items: ['chain'] };
    const { body } = await bench.askOffers({ productCode: 'ONLINE_GOLD', gold });
    // 10.5 g at ₹9,000 is ₹94,500; 85 percent of it is ₹80,325.
    expect(body.offers).toMatchObject([
      { principal: 8_032_500, goldValuation: { value: 9_450_000, ltvPercent: '85.00' } },
    ]);
  });

  it.each([
    [{ productCode: 'ONLINE_BOATS' }, 'PRODUCT_NOT_SERVED'],
    [{ loanAmount: 99_999 }, 'AMOUNT'],
    [{ loanAmount: 1_000_000_001 }, 'AMOUNT'],
    [{ productCode: 'ONLINE_GOLD' }, 'COLLATERAL'],
    [applicant('SANDX0001A'), 'POLICY'],
  ])('are declined for %o: %s', async (more, reason) => {
    expect((await bench.askOffers(more)).body).toMatchObject({ verdict: 'DECLINED', reason });
  });

  it('come for reserved PANs from the first lender only, late, or at the third question', async () => {
    const words = [];
    for (const lender of ['navdhara', 'kaverisetu', 'tarangudyam']) {
      words.push((await bench.askOffers(applicant('SANDX0003A'), {}, lender)).body.verdict);
    }
    expect(words).toEqual(['OFFERED', 'DECLINED', 'DECLINED']);
    const slow = applicant('SANDX0002A');
    const twist = { key: 'qst_slow' };
    for (const lender of ['navdhara', 'tarangudyam'])
      expect((await bench.askOffers(slow, twist, lender)).status).toBe(202);
    bench.passTime(11);
    expect((await bench.askOffers(slow, twist)).body.verdict).toBe('OFFERED');
    expect((await bench.askOffers(slow, twist, 'tarangudyam')).status).toBe(202);
    const statuses = [];
    for (let time = 0; time < 4; time += 1) {
      const answer = await bench.askOffers(applicant('SANDX0009A'), { key: 'qst_fails_twice' });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([503, 503, 200, 200]);
  });
});

describe('its verdicts after the choice', () => {
  it.each([
    ['KYC', 'ABCDE1234F', 1, 'PASSED'],
    ['KYC', 'SANDX0004A', 1, 'FAILED'],
    ['KYC', 'SANDX0004A', 2, 'PASSED'],
    ['KYC', 'SANDX0005A', 2, 'REFUSED'],
    ['MANDATE', 'SANDX0006A', 1, 'FAILED'],
    ['ESIGN', 'SANDX0007A', 1, 'REFUSED'],
  ])('%s of %s, attempt %d: %s', async (step, pan, attempt, word) => {
    const { about } = await bench.choose(applicant(pan));
    const stepReference = `${about.applicationId}-${step}-${attempt}`;
    const { body } = await bench.ask('steps', { ...about, step, stepReference, attempt });
    expect(body.verdict).toBe(word);
    expect(body).toHaveProperty(word === 'PASSED' ? 'evidence.step' : 'reason');
  });

  it('take ten seconds for KYC of SANDX0012A, and thirty for the payout of SANDX0008A', async () => {
    const { about } = await bench.choose(applicant('SANDX0012A'));
    const fields = { ...about, step: 'KYC', stepReference: 'slow-kyc', attempt: 1 };
    const ask = () => bench.ask('steps', fields, { key: 'qst_slow_kyc' });
    expect(await ask()).toMatchObject({ status: 202, body: { waitingFor: 'LENDER' } });
    bench.passTime(11);
    expect((await ask()).body.verdict).toBe('PASSED');
    const slow = await bench.choose(applicant('SANDX0008A'));
    await bench.sign(slow);
    expect((await bench.payOut(slow)).status).toBe(202);
    bench.passTime(30);
    expect((await bench.payOut(slow)).body.verdict).toBe('PAID');
  });

  it('are by the account: accepted, refused, refused for good', async () => {
    const words = [];
    for (const number of ['12345678901', '12345670000', '12345679999']) {
      const { about } = await bench.choose();
      const { body } = await bench.ask('accounts', { ...about, account: account(number) });
      words.push(body.verdict);
    }
    expect(words).toEqual(['ACCEPTED', 'REFUSED', 'REFUSED_FOR_GOOD']);
  });

  it('on instant loans: declined before the payment for SANDX0001A, after it for SANDX0013A, for another fee and a late one', async () => {
    const offered = async (pan: string) => {
      const applicationId = bench.newApplication();
      const subject = { kind: 'INSTANT_LOAN', id: applicationId };
      const loan = { loanAmount: 2_500_000, consent: CONSENT, productCode: 'ONLINE_INSTANT' };
      const about = { ...loan, ...applicant(pan), applicationId, subject };
      const { body } = await bench.askOffers(about);
      const [offer] = (body.offers ?? []) as Json[];
      const decide = (feePaid: Json = { amount: 23_500, paidAt: new Date().toISOString() }) =>
        bench.ask('decisions', { ...about, feePaid, offerReference: offer?.reference });
      return { verdict: body.verdict, decide };
    };
    expect((await offered('SANDX0001A')).verdict).toBe('DECLINED');
    const late = await offered('SANDX0013A');
    expect(late.verdict).toBe('OFFERED');
    expect((await late.decide()).body).toMatchObject({ verdict: 'DECLINED', reason: 'POLICY' });
    const { decide } = await offered('ABCDE1234F');
    for (const feePaid of [
      { amount: 23_499, paidAt: new Date().toISOString() },
      { amount: 23_500, paidAt: '2090-01-01T00:00:00Z' },
    ]) {
      expect((await decide(feePaid)).body).toMatchObject({ verdict: 'DECLINED', reason: 'OTHER' });
    }
    expect((await decide()).body.verdict).toBe('SANCTIONED');
  });

  it('outlive an erasure, the applicant does not', async () => {
    const key = 'qst_erased';
    const applicationId = bench.newApplication();
    const first = await bench.askOffers({ applicationId }, { key });
    await bench.ask('withdrawals', { applicationId, reason: 'ERASURE' });
    const { applications } = await bench.books();
    expect(applications).toContainEqual(expect.objectContaining({ applicationId, isErased: 1 }));
    expect((await bench.askOffers({ applicationId }, { key })).text).toBe(first.text);
  });

  it('on leaving a loan: what was paid out on the first day, then its APR, then nothing', async () => {
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
});

describe('a visit to it', () => {
  const open = async (more: Json = {}) =>
    (await bench.openSession(await bench.choose(), 'ESIGN', more)).url;

  it('shows what is signed, needs no script, and shows an address as text', async () => {
    const response = await fetch(await open({ stepReference: 'shown' }));
    const html = await response.text();
    for (const shown of ['Sign the loan agreement', '₹2,00,000', 'a'.repeat(64)])
      expect(html).toContain(shown);
    expect(html).not.toContain('<script');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('cache-control')).toBe('no-store');
    const returnUrl = `https://rinpath.example/?a="><script>alert(1)</script>`;
    const url = await open({ stepReference: 'as-text', returnUrl });
    await press(url, 'ESIGN', 'approve');
    const over = await (await fetch(url)).text();
    expect(over).not.toContain('<script');
    expect(over).toContain('&quot;&gt;&lt;script&gt;');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '/relative'])(
    'is not opened to return to %s',
    async (returnUrl) => {
      const fields = sessionFields(await bench.choose(), 'KYC', { returnUrl });
      expect(await bench.ask('sessions', fields)).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringMatching(/^returnUrl/) } },
      });
    },
  );

  it('goes on from step to step, and an older copy of a page decides nothing', async () => {
    const chosen = await bench.choose({ productCode: 'ONLINE_BUSINESS' }, 'tarangudyam');
    const session = { stepReference: 'several' };
    const { url, covers } = await bench.openSession(chosen, 'KYC', session, 'tarangudyam');
    expect(covers).toEqual(['KYC', 'MANDATE', 'ESIGN']);
    expect(await press(url, 'KYC', 'approve')).toBe(new URL(url).pathname);
    expect(await press(url, 'KYC', 'decline')).toBe(BACK);
    expect(await press(url, 'MANDATE', 'decline')).toBe(BACK);
    const verdict = async (step: string, more: Json) => {
      const fields = { ...chosen.about, step, attempt: 1, ...more };
      return (await bench.ask('steps', fields, {}, 'tarangudyam')).body.verdict;
    };
    expect(await verdict('KYC', session)).toBe('PASSED');
    expect(await verdict('MANDATE', { stepReference: 'of-mandate' })).toBe('FAILED');
    expect(await verdict('MANDATE', { stepReference: 'again', attempt: 2 })).toBe('PASSED');
  });

  it('ends after an hour, and goes on when it is asked for again', async () => {
    const late = new LenderBench();
    await late.start();
    try {
      const chosen = await late.choose();
      const { url } = await late.openSession(chosen, 'KYC', { stepReference: 'late' });
      // Requests are signed for the lender's clock.
      const later = { claims: { iat: Math.floor(Date.now() / 1000) + 3_601 } };
      late.passTime(3_601);
      expect((await fetch(url)).status).toBe(410);
      expect(await press(url, 'KYC', 'approve')).toBe(new URL(url).pathname);
      const fields = sessionFields(chosen, 'KYC', { stepReference: 'late' });
      const again = await late.ask('sessions', fields, later);
      await press(again.body.url as string, 'KYC', 'approve');
      const step = { ...chosen.about, step: 'KYC', stepReference: 'late', attempt: 1 };
      expect((await late.ask('steps', step, later)).body.verdict).toBe('PASSED');
    } finally {
      await late.stop();
    }
  });
});

it('its books say what it tells of a loan, and its statements have nothing of another lender or day', async () => {
  const chosen = await bench.choose();
  await bench.sign(chosen);
  const { loanReference, paidAt } = (await bench.payOut(chosen)).body;
  const event = { lender: 'navdhara', loanReference, event: 'REVERSED' };
  const { body } = await bench.admin('POST', '/loan-events', event);
  const told = () => bench.rinpath.told.filter(({ key }) => key === body.id);
  await expect.poll(told).toMatchObject([{ body: { loanReference, amount: 19_508_000 } }]);
  const loan = await bench.rinpath.loan('navdhara', loanReference as string);
  expect(loan.body).toMatchObject({ status: 'REVERSED', outstandingPrincipal: 0 });
  const day = new Date(Date.parse(paidAt as string) + 5.5 * 3_600_000).toISOString().slice(0, 10);
  for (const [lender, on, isEmpty] of [
    ['navdhara', day, false],
    ['navdhara', '2020-01-01', true],
    ['kaverisetu', day, true],
  ] as const) {
    const statement = await bench.admin('POST', '/statements', { lender, day: on });
    expect(statement.body.payoutCount === 0).toBe(isEmpty);
  }
});
