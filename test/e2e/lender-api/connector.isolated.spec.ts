// Isolated: its configuration has a lender outside the process.
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type LenderQuestion,
  QuestionOutbox,
  type QuestionKind,
  type QuestionPayload,
} from '../../../src/lenders/index.js';
import { Database, Keyring } from '../../../src/platform/index.js';
import { LenderCatalogue } from '../../../src/settings/index.js';
import { eventually } from '../../support/eventually.js';
import { LENDER, PAYLOAD, RemoteLenderBench } from './remote-lender-bench.js';
import { ofFile } from '../../support/of-file.js';

const bench = ofFile(() =>
  RemoteLenderBench.open(({ address }) => ({
    jwks: address.replace('/rlp', '/jwks.json'),
  })),
);
let subjects = 0;

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
});

const PAID = {
  answerId: 'paid',
  verdict: 'PAID',
  amount: 195_280_00,
  utr: 'UTR0000001',
  paidAt: '2026-11-22T10:00:00Z',
  loanReference: 'L-1',
  accountLastFour: '7890',
};

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
    answers(PAID);
    await askOtherwise();
    await reaches({ status: 'ANSWERED', attempts: 3, isKept: false });
    expect(new Set(texts()).size).toBe(1);
    expect(texts()).toHaveLength(3);
  });

  it('of one lender is stored before it is sent, so that a killed process leaves it as it was', async () => {
    const kept: boolean[] = [];
    bench.lender.answer(async () => {
      const [row] = await bench.query<QuestionRow>(
        'SELECT sent_sealed IS NOT NULL AS "isKept" FROM lender_questions WHERE subject_id = $1',
        [`jrn_${subjects}`],
      );
      kept.push(row.isKept);
      return { body: PAID };
    });
    await put('DISBURSEMENT');
    await reaches({ status: 'ANSWERED' });
    expect(kept).toEqual([true]);
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
    answers({ verdict: 'NOTED' });
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

function without<Value extends object>(value: Value, name: keyof Value): Partial<Value> {
  const { [name]: _, ...others } = value;
  return others as Partial<Value>;
}
