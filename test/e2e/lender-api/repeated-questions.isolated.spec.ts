// Isolated: its configuration has a lender outside the process.
import { CompactSign } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { QuestionOutbox, type QuestionPayload, SentBody } from '../../../src/lenders/index.js';
import { Database, Keyring } from '../../../src/platform/index.js';
import { LenderCatalogue } from '../../../src/settings/index.js';
import { eventually } from '../../support/eventually.js';
import { OFFER } from '../../support/small-lender.js';
import { HASH, LENDER, PAYLOAD, RemoteLenderBench } from './remote-lender-bench.js';

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

const direct = (idempotencyKey = 'int_1') => ({
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

/** As another release might tell it. */
const OTHERWISE: QuestionPayload = { ...PAYLOAD, netDisbursed: 195_000_00 };

const choice = (loanAmount: number, sent: SentBody) => ({
  ...direct(),
  offerReference: 'OFFER-1',
  loanAmount,
  keyFactsHash: HASH,
  sent,
});

const session = (returnUrl: string) => ({
  ...direct('rdr_1:1'),
  step: 'KYC' as const,
  partnerId: 'demo',
  reference: 'rdr_1',
  returnUrl,
});

function texts(): string[] {
  return bench.lender.questions.map(({ text }) => text);
}

const PENDING = { status: 202, body: { askAgainAfterSeconds: 600 } };

const PAID = {
  answerId: 'paid',
  verdict: 'PAID',
  amount: 195_280_00,
  utr: 'UTR0000001',
  paidAt: '2026-11-22T10:00:00Z',
  loanReference: 'L-1',
  accountLastFour: '7890',
};

/** A payout of a journey that nobody keeps, put durably. */
async function putPayout(
  kind: 'DISBURSEMENT' | 'WITHDRAWAL' | 'OFFERS' = 'DISBURSEMENT',
  payload = PAYLOAD,
) {
  const outbox = bench.service.get<QuestionOutbox>(QuestionOutbox);
  const subjectId = `jrn_${subjects}`;
  await bench.service.get<Database>(Database).transaction((tx) =>
    outbox.put(tx, {
      partnerId: 'demo',
      subjectId,
      lenderCode: LENDER,
      kind,
      reference: '1',
      payload,
    }),
  );
}

interface Standing {
  status: string;
  attempts: number;
  failures: number;
  isKept: boolean;
  isLeased: boolean;
}

async function standing(): Promise<Standing> {
  const [row] = await bench.query<Standing>(
    `SELECT status, attempts, failures, sent_sealed IS NOT NULL AS "isKept",
       lease_until IS NOT NULL AS "isLeased"
     FROM lender_questions WHERE subject_id = $1`,
    [`jrn_${subjects}`],
  );
  return row;
}

function reaches(expected: Partial<Standing>): Promise<void> {
  return eventually(async () => {
    expect(await standing()).toMatchObject({ isLeased: false, ...expected });
  });
}

/** Has the question put again, as a release would that tells its lender something else. */
async function askOtherwise(): Promise<void> {
  const keyring = bench.service.get<Keyring>(Keyring);
  await bench.query(
    `UPDATE lender_questions SET next_attempt_at = app_now(), payload_sealed = $2
     WHERE subject_id = $1`,
    [`jrn_${subjects}`, keyring.seal(JSON.stringify(OTHERWISE), 'lender_questions.payload')],
  );
  bench.service.get<QuestionOutbox>(QuestionOutbox).arrivals.raise();
}

describe('a question without a verdict', () => {
  it('is sent again as it was, whatever the release would tell by now', async () => {
    bench.lender.answer(() => PENDING);
    await putPayout();
    await reaches({ attempts: 1, isKept: true });
    await askOtherwise();
    await reaches({ attempts: 2, isKept: true });
    bench.lender.answer(() => ({ body: PAID }));
    await askOtherwise();
    await reaches({ status: 'ANSWERED', attempts: 3, isKept: false });
    expect(new Set(texts()).size).toBe(1);
    expect(texts()).toHaveLength(3);
  });

  it('is put otherwise when its lender has not taken it', async () => {
    bench.lender.answer(() => ({ status: 422, body: { error: { code: 'x', message: 'x' } } }));
    await putPayout();
    await reaches({ failures: 1, isKept: false });
    await askOtherwise();
    await reaches({ failures: 2, isKept: false });
    expect(new Set(texts()).size).toBe(2);
  });

  it('is kept of a choice, though the answer never came', async () => {
    bench.lender.answer(() => ({ write: (response) => response.destroy() }));
    const first = new SentBody();
    await expect(bench.gateway.select(choice(100_000_00, first))).rejects.toThrow('no answer');
    const second = new SentBody(first.toKeep);
    await expect(bench.gateway.select(choice(200_000_00, second))).rejects.toThrow('no answer');
    const [one, other] = texts();
    expect(other).toBe(one);
    expect([first.toKeep, second.toKeep]).toEqual([one, null]);
  });
});

describe('a session', () => {
  it('has the same id for the same question alone', async () => {
    bench.lender.answer(() => PENDING);
    const addresses = ['https://one.example/', 'https://other.example/', 'https://one.example/'];
    for (const address of addresses) {
      await expect(bench.gateway.openSession(session(address))).rejects.toThrow('not known yet');
    }
    const [one, other, again] = bench.lender.questions;
    expect(again.text).toBe(one.text);
    expect(other.headers['idempotency-key']).not.toBe(one.headers['idempotency-key']);
    expect(one.headers['idempotency-key']).toBe(one.body['questionId']);
  });
});

describe('a question that cannot be put', () => {
  it('is told to the operator at once', async () => {
    const { netDisbursed: _, ...payload } = PAYLOAD;
    await putPayout('DISBURSEMENT', payload);
    await reaches({ failures: 1, isKept: false });
    const flags = await bench.query(
      `SELECT detail ->> 'failure' AS failure FROM operator_flags WHERE kind = 'INVALID_QUESTION'`,
    );
    expect(flags).toEqual([{ failure: 'the question lacks netDisbursed' }]);
    expect(texts()).toEqual([]);
  });
});

describe('a lender that is switched off', () => {
  it('is asked about those alone who have chosen it', async () => {
    const catalogue = bench.service.get<LenderCatalogue>(LenderCatalogue);
    const lender = await bench.configured();
    const off: typeof lender = Object.create(lender, { isEnabled: { value: false } });
    const find = vi.spyOn(catalogue, 'find').mockResolvedValue(off);
    try {
      bench.lender.answer(() => ({ body: { answerId: 'noted', verdict: 'NOTED' } }));
      const { applicationReference: _, ...notChosen } = PAYLOAD;
      await putPayout('WITHDRAWAL', { ...notChosen, withdrawal: { reason: 'NOT_CHOSEN' } });
      await reaches({ failures: 1 });
      subjects += 1;
      await putPayout('OFFERS', notChosen);
      await reaches({ failures: 1 });
      expect(texts()).toEqual([]);
      subjects += 1;
      await putPayout('WITHDRAWAL', { ...PAYLOAD, withdrawal: { reason: 'ENDED' } });
      await reaches({ status: 'ANSWERED' });
      // Beside it there may be what an earlier test has left open, of loans that were chosen, too.
      expect(texts().filter((text) => text.includes('ENDED'))).toHaveLength(1);
      expect(texts().join()).not.toContain('NOT_CHOSEN');
    } finally {
      find.mockRestore();
    }
  });
});
