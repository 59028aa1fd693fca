// Isolated: its configuration has a remote lender.
import { CompactSign } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type LenderQuestion,
  QuestionOutbox,
  type QuestionKind,
  type QuestionPayload,
  SentBody,
} from '../../../src/lenders/index.js';
import { Database, Keyring } from '../../../src/platform/index.js';
import { LenderCatalogue } from '../../../src/settings/index.js';
import { runAdmin } from '../../support/admin-command.js';
import { eventually } from '../../support/eventually.js';
import { errorBody, OFFER } from '../../support/small-lender.js';
import { HASH, LENDER, PAYLOAD, RemoteLenderBench } from './remote-lender-bench.js';

let bench: RemoteLenderBench;
let subjects = 0;

beforeAll(async () => {
  bench = await RemoteLenderBench.open(({ address }) => ({
    jwks: address.replace('/rlp', '/jwks.json'),
  }));
});

afterAll(() => bench?.close());

beforeEach(() => {
  bench.lender.questions.length = 0;
  subjects += 1;
});

function question(
  kind: QuestionKind,
  payload: QuestionPayload = PAYLOAD,
): Omit<LenderQuestion, 'id' | 'lender'> & { lenderCode: string } {
  return {
    lenderCode: LENDER,
    kind,
    partnerId: 'demo',
    subjectId: `jrn_${subjects}`,
    reference: 'rdr_1',
    attemptsBefore: 0,
    askedAt: new Date(),
    payload,
  };
}

const direct = (idempotencyKey = 'int_1') => ({
  lenderCode: LENDER,
  subjectId: `jrn_${subjects}`,
  idempotencyKey,
  payload: PAYLOAD,
});

const choice = (more: object = {}) => ({
  ...direct(),
  offerReference: 'OFFER-1',
  loanAmount: 150_000_00,
  keyFactsHash: HASH,
  ...more,
});

const session = (returnUrl = 'https://partner.example/back') => ({
  ...direct('rdr_1:1'),
  step: 'KYC' as const,
  partnerId: 'demo',
  reference: 'rdr_1',
  returnUrl,
});

function answers(body: object): void {
  bench.lender.answer(() => ({ body: { answerId: 'answer-1', ...body } }));
}

const texts = () => bench.lender.questions.map(({ text }) => text);

describe('a question to a lender outside the process', () => {
  it('is the same, byte for byte, and signed again, under a key that the service publishes', async () => {
    answers({ verdict: 'DECLINED', reason: 'POLICY' });
    await bench.gateway.ask(question('OFFERS'));
    await bench.gateway.ask({ ...question('OFFERS'), attemptsBefore: 1 });
    const [one, other] = bench.lender.questions;
    expect(one.refused).toBeUndefined();
    expect(one).toMatchObject({
      path: '/offers',
      headers: {
        'rlp-version': '1',
        'idempotency-key': `jrn_${subjects}:OFFERS:rdr_1`,
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) as string,
      },
    });
    expect(other.text).toBe(one.text);
    expect(other.id).not.toBe(one.id);
    // The applicant in the protocol's fields, and no other field.
    expect(one.body).toEqual({
      questionId: `jrn_${subjects}:OFFERS:rdr_1`,
      subject: { kind: 'JOURNEY', id: `jrn_${subjects}` },
      applicationId: 'app_1',
      productCode: 'ONLINE_PERSONAL',
      usefulUntil: PAYLOAD.usefulUntil,
      loanAmount: 200_000_00,
      applicant: {
        mobile: '9876543210',
        pan: 'ABCDE1234F',
        fullName: 'Asha Verma',
        monthlyIncome: 60_000_50,
        employmentType: 'SELF_EMPLOYED',
        gender: 'FEMALE',
      },
      consent: PAYLOAD.consent,
      gold: { grams: '12.5', items: ['Chain'] },
    });
  });

  it('is not sent when it lacks what the protocol demands', async () => {
    const { consent: _none, ...payload } = PAYLOAD;
    const asked = bench.gateway.ask(question('OFFERS', payload));
    await expect(asked).rejects.toThrow('lacks consent');
    expect(bench.lender.questions).toHaveLength(0);
  });
});

const PAID = {
  verdict: 'PAID',
  amount: 195_280_00,
  paidAt: '2026-11-22T10:00:00Z',
  loanReference: 'L-1',
  accountLastFour: '7890',
};
const PASSED = { verdict: 'PASSED', passedAt: '2026-11-22T10:00:00Z' };

describe('a verdict', () => {
  it.each<[QuestionKind, string, object, object]>([
    [
      'OFFERS',
      '/offers',
      { verdict: 'DECLINED', reason: 'A_WORD_OF_NEXT_YEAR' },
      { kind: 'DECLINED', reason: 'OTHER' },
    ],
    [
      'KYC',
      '/steps',
      { ...PASSED, evidence: { step: 'KYC', kycReference: 'K-1' } },
      { kind: 'PASSED', evidence: { passedAt: PASSED.passedAt, kycReference: 'K-1' } },
    ],
    [
      'MANDATE',
      '/steps',
      { verdict: 'FAILED', reason: 'BANK_DECLINED', detail: 'The account is frozen' },
      { kind: 'FAILED', reason: 'BANK_DECLINED', detail: 'The account is frozen' },
    ],
    [
      'DISBURSEMENT',
      '/disbursements',
      { ...PAID, utr: 'UTR0000001' },
      { ...without(PAID, 'verdict'), kind: 'PAID', transferReference: 'UTR0000001' },
    ],
    [
      'DECISION',
      '/decisions',
      { verdict: 'SANCTIONED', loanReference: 'L-2' },
      { kind: 'SANCTIONED', reference: 'L-2' },
    ],
    ['WITHDRAWAL', '/withdrawals', { verdict: 'NOTED' }, { kind: 'NOTED' }],
  ])('on %s (%s) is read: %o', async (kind, path, body, answer) => {
    answers(body);
    const asked = question(kind);
    const reply = await bench.gateway.ask(asked);
    // Under its question, because the lender may use the same id for another answer.
    const answerId = `${asked.subjectId}:${kind}:${asked.reference}/answer-1`;
    expect(reply).toEqual({ status: 'ANSWERED', answerId, answer });
    expect(bench.lender.questions[0]).toMatchObject({ path });
  });

  it.each([
    ['MANDATE', { askAgainAfterSeconds: 21_600 }, 21_600_000, false],
    ['MANDATE', { askAgainAfterSeconds: 3, waitingFor: 'APPLICANT' }, 3_000, true],
    ['MANDATE', { askAgainAfterSeconds: 3, waitingFor: 'SOMEBODY_ELSE' }, 3_000, false],
    ['DISBURSEMENT', { askAgainAfterSeconds: 3, waitingFor: 'APPLICANT' }, 3_000, false],
  ] as const)(
    'on %s that is not known yet: %o',
    async (kind, body, askAgainInMs, isSessionOpen) => {
      bench.lender.answer(() => ({ status: 202, body }));
      expect(await bench.gateway.ask(question(kind))).toEqual({
        status: 'PENDING',
        askAgainInMs,
        isSessionOpen,
      });
    },
  );
});

describe('a question that a caller waits for', () => {
  it('quotes an offer, or says that it is gone or differs', async () => {
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

  it('selects with the statement’s hash, and takes only a signature of that statement', async () => {
    const accepted = { verdict: 'ACCEPTED', applicationReference: 'LOAN-APP-1' };
    answers(accepted);
    const read = { kind: 'ACCEPTED', applicationReference: 'LOAN-APP-1' };
    expect(await bench.gateway.select(choice())).toEqual(read);
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
    expect(await bench.gateway.select(choice())).toEqual({ kind: 'GONE', reason: 'WITHDRAWN' });
    const sign = (hash: string) =>
      new CompactSign(Buffer.from(hash))
        .setProtectedHeader({ alg: 'ES256', kid: bench.lender.key.kid })
        .sign(bench.lender.key.privateKey);
    answers({ ...accepted, keyFactsSignature: await sign('b'.repeat(64)) });
    await expect(bench.gateway.select(choice())).rejects.toMatchObject({
      failure: 'signature_refused',
    });
    const keyFactsSignature = await sign(HASH);
    answers({ ...accepted, keyFactsSignature });
    expect(await bench.gateway.select(choice())).toMatchObject({ keyFactsSignature });
  });

  it('has an account checked', async () => {
    answers({ verdict: 'REFUSED', reason: 'ACCOUNT_CLOSED' });
    const verdict = { kind: 'REFUSED', reason: 'ACCOUNT_CLOSED' };
    const request = { ...direct('a1'), account: PAYLOAD.bankAccount! };
    expect(await bench.gateway.verifyAccount(request)).toEqual(verdict);
    const account = { holderName: 'Asha Verma', number: '001234567890', ifsc: 'HDFC0000001' };
    expect(bench.lender.questions[0]).toMatchObject({
      path: '/accounts',
      body: { applicationReference: 'LOAN-APP-1', account },
    });
  });

  it('opens a session at a web page, for the steps that it covers', async () => {
    const opened = {
      verdict: 'OPENED',
      url: 'https://lender.example/kyc/1',
      expiresAt: '2026-11-22T11:00:00Z',
      covers: ['ESIGN', 'KYC'],
    };
    answers(opened);
    const read = { ...without(opened, 'verdict'), kind: 'OPENED' };
    expect(await bench.gateway.openSession(session())).toEqual(read);
    expect(bench.lender.questions[0]).toMatchObject({
      path: '/sessions',
      body: { step: 'KYC', attempt: 2, acknowledgement: PAYLOAD.acknowledgement },
    });
    answers({ ...opened, covers: ['ESIGN'] });
    await expect(bench.gateway.openSession(session())).rejects.toThrow('does not cover KYC');
    answers({ ...opened, url: 'javascript:alert(1)' });
    await expect(bench.gateway.openSession(session())).rejects.toThrow(
      'does not follow the protocol',
    );
  });

  it('has one id for the same session question, and is unknown while the lender does not know', async () => {
    bench.lender.answer(() => ({ status: 202, body: { askAgainAfterSeconds: 7 } }));
    for (const url of ['https://one.example/', 'https://other.example/', 'https://one.example/']) {
      await expect(bench.gateway.openSession(session(url))).rejects.toMatchObject({
        name: 'AnswerPending',
        askAgainInMs: 7_000,
      });
    }
    const [one, other, again] = bench.lender.questions;
    expect(again.text).toBe(one.text);
    expect(other.headers['idempotency-key']).not.toBe(one.headers['idempotency-key']);
    expect(one.headers['idempotency-key']).toBe(one.body['questionId']);
  });

  it('keeps the body of a choice whose answer never came', async () => {
    bench.lender.answer(() => ({ write: (response) => response.destroy() }));
    const select = (loanAmount: number, sent: SentBody) =>
      bench.gateway.select(choice({ loanAmount, sent }));
    const first = new SentBody();
    await expect(select(100_000_00, first)).rejects.toThrow('no answer');
    const second = new SentBody(first.toKeep);
    await expect(select(200_000_00, second)).rejects.toThrow('no answer');
    const [one, other] = texts();
    expect(other).toBe(one);
    expect([first.toKeep, second.toKeep]).toEqual([one, null]);
  });
});

/** Stores a question of a journey that does not exist. */
function put(kind: QuestionKind, payload: QuestionPayload = PAYLOAD): Promise<unknown> {
  const outbox = bench.service.get<QuestionOutbox>(QuestionOutbox);
  const about = { partnerId: 'demo', subjectId: `jrn_${subjects}`, lenderCode: LENDER };
  return bench.service
    .get<Database>(Database)
    .transaction((tx) => outbox.put(tx, { ...about, kind, reference: '1', payload }));
}

interface QuestionRow {
  status: string;
  attempts: number;
  failures: number;
  isKept: boolean;
  isLeased: boolean;
}

function reaches(expected: Partial<QuestionRow>): Promise<void> {
  return eventually(async () => {
    const [row] = await bench.query<QuestionRow>(
      `SELECT status, attempts, failures, sent_sealed IS NOT NULL AS "isKept",
         lease_until IS NOT NULL AS "isLeased"
       FROM lender_questions WHERE subject_id = $1`,
      [`jrn_${subjects}`],
    );
    expect(row).toMatchObject({ isLeased: false, ...expected });
  });
}

/** Asks the question again with another body, as a later release might. */
async function askOtherwise(): Promise<void> {
  const otherwise = JSON.stringify({ ...PAYLOAD, netDisbursed: 195_000_00 });
  const sealed = bench.service.get<Keyring>(Keyring).seal(otherwise, 'lender_questions.payload');
  await bench.query(
    `UPDATE lender_questions SET next_attempt_at = app_now(), payload_sealed = $2
     WHERE subject_id = $1`,
    [`jrn_${subjects}`, sealed],
  );
  bench.service.get<QuestionOutbox>(QuestionOutbox).arrivals.raise();
}

describe('a durable question', () => {
  it('is sent again as it was until there is a verdict, whatever the release would send now', async () => {
    bench.lender.answer(() => ({ status: 422, body: { error: { code: 'x', message: 'x' } } }));
    await put('DISBURSEMENT');
    await reaches({ attempts: 1, failures: 1, isKept: true });
    bench.lender.answer(() => ({ status: 202, body: { askAgainAfterSeconds: 600 } }));
    await askOtherwise();
    await reaches({ attempts: 2, isKept: true });
    bench.lender.answer(() => ({ body: { ...PAID, utr: 'UTR0000001', answerId: 'paid' } }));
    await askOtherwise();
    await reaches({ status: 'ANSWERED', attempts: 3, isKept: false });
    expect(new Set(texts()).size).toBe(1);
    expect(texts()).toHaveLength(3);
  });

  it('that cannot be put raises a flag at once', async () => {
    await put('DISBURSEMENT', without(PAYLOAD, 'netDisbursed') as QuestionPayload);
    await reaches({ failures: 1, isKept: false });
    const flags = await bench.query(
      `SELECT detail ->> 'failure' AS failure FROM operator_flags WHERE kind = 'INVALID_QUESTION'`,
    );
    expect(flags).toEqual([{ failure: 'the question lacks netDisbursed' }]);
    expect(texts()).toEqual([]);
  });

  it('goes to a disabled lender only for an applicant who has chosen it', async () => {
    const catalogue = bench.service.get<LenderCatalogue>(LenderCatalogue);
    const lender = await bench.configured();
    const off: typeof lender = Object.create(lender, { isEnabled: { value: false } });
    const find = vi.spyOn(catalogue, 'find').mockResolvedValue(off);
    onTestFinished(() => find.mockRestore());
    bench.lender.answer(() => ({ body: { answerId: 'noted', verdict: 'NOTED' } }));
    const notChosen = without(PAYLOAD, 'applicationReference') as QuestionPayload;
    await put('WITHDRAWAL', { ...notChosen, withdrawal: { reason: 'NOT_CHOSEN' } });
    await reaches({ failures: 1 });
    subjects += 1;
    await put('OFFERS', notChosen);
    await reaches({ failures: 1 });
    subjects += 1;
    await put('WITHDRAWAL', { ...PAYLOAD, withdrawal: { reason: 'ENDED' } });
    await reaches({ status: 'ANSWERED' });
    // An earlier test may have left open questions of chosen loans.
    expect(texts().filter((text) => text.includes('ENDED'))).toHaveLength(1);
    expect(texts().join()).not.toContain('NOT_CHOSEN');
  });
});

describe('lenders ping', () => {
  it('says that both sides understand each other, or what is in the way', async () => {
    const { lender, service } = bench;
    const ping = (code = LENDER) => runAdmin(service.databaseUrl, 'lenders', 'ping', code);
    answers({ verdict: 'NOT_FOUND' });
    const understood = await ping();
    expect(understood).toMatchObject({ code: 0, error: '' });
    expect(understood.out).toContain('It answered NOT_FOUND, as it should');
    // An earlier test may have left open questions of chosen loans.
    const got = lender.questions.filter(({ path }) => path === '/loans/rinpath-ping');
    expect(got).toMatchObject([{ text: '' }]);
    expect(got[0].refused).toBeUndefined();
    lender.answer(() => ({ status: 401, body: errorBody('signature_refused') }));
    const error = /answered 401: signature_refused.* The lender must reach this service’s keys at /;
    expect(await ping()).toMatchObject({ code: 1, error: expect.stringMatching(error) as string });
    const unknown = 'Error: There is no lender unknown in the configuration.';
    expect(await ping('unknown')).toMatchObject({ code: 1, error: unknown });
  });
});

function without<Value extends object>(value: Value, name: keyof Value): Partial<Value> {
  const { [name]: _, ...others } = value;
  return others as Partial<Value>;
}
