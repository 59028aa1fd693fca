// Isolated: its configuration has a lender outside the process.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LenderQuestion, QuestionKind } from '../../../src/lenders/index.js';
import { OFFER } from '../../support/small-lender.js';
import { LENDER, PAYLOAD, RemoteLenderBench } from './remote-lender-bench.js';

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

function question(
  kind: QuestionKind,
): Omit<LenderQuestion, 'id' | 'lender'> & { lenderCode: string } {
  return {
    lenderCode: LENDER,
    kind,
    partnerId: 'demo',
    subjectId: `jrn_${subjects}`,
    reference: 'rdr_1',
    attemptsBefore: 0,
    askedAt: new Date(),
    payload: PAYLOAD,
  };
}

function answers(body: object): void {
  bench.lender.answer(() => ({ body: { answerId: 'answer-1', ...body } }));
}

describe('a question to a lender outside the process', () => {
  it('is signed under a key that the service publishes, and carries the protocol’s headers', async () => {
    answers({ verdict: 'DECLINED', reason: 'POLICY' });
    await bench.gateway.ask(question('OFFERS'));
    const [got] = bench.lender.questions;
    expect(got.refused).toBeUndefined();
    expect(got).toMatchObject({
      path: '/offers',
      headers: {
        'rlp-version': '1',
        'idempotency-key': `jrn_${subjects}:OFFERS:rdr_1`,
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) as string,
      },
    });
  });

  it('is the same, byte for byte, and signed anew each time that it is put', async () => {
    answers({ verdict: 'DECLINED', reason: 'POLICY' });
    await bench.gateway.ask(question('OFFERS'));
    await bench.gateway.ask({ ...question('OFFERS'), attemptsBefore: 1 });
    const [one, other] = bench.lender.questions;
    expect(other.text).toBe(one.text);
    expect(other.id).not.toBe(one.id);
  });

  it('for offers tells the applicant in the protocol’s words, and nothing that it has none for', async () => {
    answers({ verdict: 'DECLINED', reason: 'POLICY' });
    await bench.gateway.ask(question('OFFERS'));
    expect(bench.lender.questions[0].body).toEqual({
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
    const asked = bench.gateway.ask({ ...question('OFFERS'), payload });
    await expect(asked).rejects.toThrow('lacks consent');
    expect(bench.lender.questions).toHaveLength(0);
  });
});

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
      {
        verdict: 'PASSED',
        passedAt: '2026-11-22T10:00:00Z',
        evidence: { step: 'KYC', kycReference: 'K-1' },
      },
      { kind: 'PASSED', evidence: { passedAt: '2026-11-22T10:00:00Z', kycReference: 'K-1' } },
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
      {
        verdict: 'PAID',
        amount: 195_280_00,
        utr: 'UTR0000001',
        paidAt: '2026-11-22T10:00:00Z',
        loanReference: 'L-1',
        accountLastFour: '7890',
      },
      {
        kind: 'PAID',
        amount: 195_280_00,
        transferReference: 'UTR0000001',
        paidAt: '2026-11-22T10:00:00Z',
        loanReference: 'L-1',
        accountLastFour: '7890',
      },
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
    // Under its question: the lender may give another answer the same id.
    const answerId = `${asked.subjectId}:${kind}:${asked.reference}/answer-1`;
    expect(reply).toEqual({ status: 'ANSWERED', answerId, answer });
    expect(bench.lender.questions[0]).toMatchObject({ path });
  });

  it('with offers brings those in the port’s form, and names the others with their problem', async () => {
    const bullet = {
      ...OFFER,
      reference: 'OFFER-2',
      repayment: {
        kind: 'BULLET',
        schedule: [{ dueOn: '2027-11-22', principal: 1, interest: 1, amount: 2 }],
      },
    };
    answers({ verdict: 'OFFERED', offers: [OFFER, bullet, OFFER] });
    const reply = await bench.gateway.ask(question('OFFERS'));
    expect(reply).toMatchObject({
      answer: {
        offers: [
          {
            reference: 'OFFER-1',
            annualRatePercent: 14.5,
            apr: 16.94,
            instalment: 9_650_00,
            netDisbursed: 195_280_00,
            collateralExplanation: null,
            fees: [
              {
                name: 'Processing fee',
                payee: 'LENDER',
                amount: 4_720_00,
                gst: 720_00,
                percentOfPrincipal: 2,
              },
            ],
          },
        ],
        refused: [{ offerReference: 'OFFER-2', problem: 'REPAYMENT_KIND', stated: 'BULLET' }],
      },
    });
  });
});

describe('an offer of an instant loan', () => {
  const INSTANT = {
    ...PAYLOAD,
    subjectKind: 'INSTANT_LOAN',
    productCode: 'ONLINE_INSTANT',
  } as const;

  it('says when its charges are paid', async () => {
    const upFront = {
      ...OFFER,
      netPayout: OFFER.principal,
      fees: OFFER.fees.map((fee) => ({ ...fee, due: 'BEFORE_PAYOUT' })),
    };
    answers({ verdict: 'OFFERED', offers: [upFront, { ...OFFER, reference: 'OFFER-2' }] });
    const asked = { ...question('OFFERS'), reference: '1', payload: INSTANT };
    expect(await bench.gateway.ask(asked)).toMatchObject({
      answer: {
        offers: [
          { reference: 'OFFER-1', netDisbursed: 200_000_00, areChargesPaidUpFront: true },
          { reference: 'OFFER-2', areChargesPaidUpFront: false },
        ],
      },
    });
    expect(bench.lender.questions[0].body).toMatchObject({
      questionId: `jrn_${subjects}:OFFERS:1`,
      subject: { kind: 'INSTANT_LOAN', id: PAYLOAD.applicationId },
      productCode: 'ONLINE_INSTANT',
      usefulUntil: PAYLOAD.usefulUntil,
    });
  });

  it('that was paid for is named when its lender is asked for the decision', async () => {
    answers({ verdict: 'SANCTIONED', loanReference: 'L-3' });
    const payload = { ...INSTANT, offerReference: 'OFFER-1' };
    await bench.gateway.ask({ ...question('DECISION'), payload });
    expect(bench.lender.questions[0].body).toMatchObject({ offerReference: 'OFFER-1' });
  });
});

describe('a lender that does not know yet', () => {
  it.each([
    [{ askAgainAfterSeconds: 21_600 }, 21_600_000, false],
    [{ askAgainAfterSeconds: 3, waitingFor: 'APPLICANT' }, 3_000, true],
    [{ askAgainAfterSeconds: 3, waitingFor: 'SOMEBODY_ELSE' }, 3_000, false],
  ])('says when to ask again: %o', async (body, askAgainInMs, isSessionOpen) => {
    bench.lender.answer(() => ({ status: 202, body }));
    expect(await bench.gateway.ask(question('MANDATE'))).toEqual({
      status: 'PENDING',
      askAgainInMs,
      isSessionOpen,
    });
  });

  it.each(['OFFERS', 'DECISION', 'DISBURSEMENT', 'WITHDRAWAL'] as const)(
    'waits for no applicant in the question %s',
    async (kind) => {
      const body = { askAgainAfterSeconds: 3, waitingFor: 'APPLICANT' };
      bench.lender.answer(() => ({ status: 202, body }));
      const reply = await bench.gateway.ask(question(kind));
      expect(reply).toMatchObject({ status: 'PENDING', isSessionOpen: false });
    },
  );
});
