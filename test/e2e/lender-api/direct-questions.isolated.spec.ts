// Isolated: its configuration has a lender outside the process.
import { CompactSign } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HASH, LENDER, OFFER, PAYLOAD, RemoteLenderBench } from './remote-lender-bench.js';

let bench: RemoteLenderBench;
let subjects = 0;

beforeAll(async () => {
  bench = await RemoteLenderBench.open();
});

afterAll(() => bench?.close());

beforeEach(() => {
  bench.lender.questions.length = 0;
  subjects += 1;
});

const direct = (idempotencyKey: string) => ({
  lenderCode: LENDER,
  subjectId: `jrn_${subjects}`,
  idempotencyKey,
  payload: PAYLOAD,
});

function answers(body: object): void {
  bench.lender.answer(() => ({ body: { answerId: 'answer-1', ...body } }));
}

describe('a question that somebody waits for', () => {
  it('has an offer quoted, or learns that it is gone', async () => {
    answers({ verdict: 'QUOTED', offer: { ...OFFER, principal: 100_000_00 } });
    const request = { ...direct('q1'), offerReference: 'OFFER-1', principal: 100_000_00 };
    expect(await bench.gateway.quote(request)).toMatchObject({ principal: 100_000_00 });
    expect(bench.lender.questions[0]).toMatchObject({
      path: '/quotes',
      body: { offerReference: 'OFFER-1', loanAmount: 100_000_00 },
    });
    answers({ verdict: 'GONE', reason: 'EXPIRED' });
    expect(await bench.gateway.quote(request)).toBeNull();
    const schedule = [{ dueOn: '2027-11-22', principal: 1, interest: 1, amount: 2 }];
    answers({ verdict: 'QUOTED', offer: { ...OFFER, repayment: { kind: 'BULLET', schedule } } });
    expect(await bench.gateway.quote(request)).toBe('DIFFERS');
  });

  it('tells the choice with the statement’s hash, the branch and the acknowledgement', async () => {
    answers({ verdict: 'ACCEPTED', applicationReference: 'LOAN-APP-1' });
    const request = {
      ...direct('s1'),
      offerReference: 'OFFER-1',
      loanAmount: 150_000_00,
      keyFactsHash: HASH,
    };
    expect(await bench.gateway.select(request)).toEqual({
      kind: 'ACCEPTED',
      applicationReference: 'LOAN-APP-1',
    });
    expect(bench.lender.questions[0]).toMatchObject({
      path: '/selections',
      body: {
        loanAmount: 150_000_00,
        keyFactsHash: HASH,
        branchReference: 'branch-1',
        acknowledgement: PAYLOAD.acknowledgement,
      },
    });
    answers({ verdict: 'GONE', reason: 'WITHDRAWN' });
    expect(await bench.gateway.select(request)).toEqual({ kind: 'GONE', reason: 'WITHDRAWN' });
  });

  it('takes the lender’s signature of the statement, and no other for an answer', async () => {
    const request = {
      ...direct('s2'),
      offerReference: 'OFFER-1',
      loanAmount: 150_000_00,
      keyFactsHash: HASH,
    };
    const sign = (hash: string) =>
      new CompactSign(Buffer.from(hash))
        .setProtectedHeader({ alg: 'ES256', kid: bench.lender.key.kid })
        .sign(bench.lender.key.privateKey);
    const accepted = { verdict: 'ACCEPTED', applicationReference: 'LOAN-APP-1' };
    answers({ ...accepted, keyFactsSignature: await sign('b'.repeat(64)) });
    await expect(bench.gateway.select(request)).rejects.toMatchObject({
      failure: 'signature_refused',
    });
    const keyFactsSignature = await sign(HASH);
    answers({ ...accepted, keyFactsSignature });
    expect(await bench.gateway.select(request)).toMatchObject({ keyFactsSignature });
  });

  it('has an account checked', async () => {
    answers({ verdict: 'REFUSED', reason: 'ACCOUNT_CLOSED' });
    const account = PAYLOAD.bankAccount!;
    expect(await bench.gateway.verifyAccount({ ...direct('a1'), account })).toEqual({
      kind: 'REFUSED',
      reason: 'ACCOUNT_CLOSED',
    });
    expect(bench.lender.questions[0]).toMatchObject({
      path: '/accounts',
      body: {
        applicationReference: 'LOAN-APP-1',
        account: { holderName: 'Asha Verma', number: '001234567890', ifsc: 'HDFC0000001' },
      },
    });
  });

  const session = () => ({
    ...direct('o1'),
    step: 'KYC' as const,
    partnerId: 'demo',
    reference: 'rdr_1',
    returnUrl: 'https://partner.example/back',
  });

  it('has a session opened, with the steps that it covers', async () => {
    const opened = {
      verdict: 'OPENED',
      url: 'https://lender.example/kyc/1',
      expiresAt: '2026-11-22T11:00:00Z',
    };
    answers({ ...opened, covers: ['ESIGN', 'KYC'] });
    expect(await bench.gateway.openSession(session())).toEqual({
      kind: 'OPENED',
      url: opened.url,
      expiresAt: opened.expiresAt,
      covers: ['ESIGN', 'KYC'],
    });
    expect(bench.lender.questions[0]).toMatchObject({
      path: '/sessions',
      body: { step: 'KYC', attempt: 2, acknowledgement: PAYLOAD.acknowledgement },
    });
    answers({ ...opened, covers: ['ESIGN'] });
    await expect(bench.gateway.openSession(session())).rejects.toThrow('does not cover KYC');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'https://user@lender.example/', 'intent:x'])(
    'is sent nowhere else than to a web page: %s',
    async (url) => {
      answers({ verdict: 'OPENED', url, expiresAt: '2026-11-22T11:00:00Z', covers: ['KYC'] });
      await expect(bench.gateway.openSession(session())).rejects.toThrow('not as the protocol');
    },
  );

  it('is unknown while the lender does not know yet', async () => {
    bench.lender.answer(() => ({ status: 202, body: { askAgainAfterSeconds: 7 } }));
    await expect(bench.gateway.openSession(session())).rejects.toMatchObject({
      name: 'AnswerPending',
      askAgainInMs: 7_000,
    });
  });
});
