import { describe, expect, it, vi } from 'vitest';
import {
  type LenderQuestion,
  type QuestionKind,
  type QuoteRequest,
  type SelectRequest,
  SentBody,
  type SessionRequest,
} from '../../lenders/index.js';
import { OffsetClock } from '../../platform/index.js';
import type { LenderClient } from '../client/lender-client.js';
import { LenderCallFailed } from '../client/lender-call-metrics.js';
import type { SignatureAlarm } from '../client/signature-alarm.js';
import { PERSONAL_OFFER } from '../document/offer-examples.js';
import type { LenderKeys } from '../keys/lender-keys.js';
import { SignatureRefused } from '../signing/message-signatures.js';
import { RlpConnector } from './rlp-connector.js';

const HASH = 'a'.repeat(64);
const REQUEST = {
  idempotencyKey: 'q1',
  subjectId: 'jrn_1',
  lender: { code: 'one', remote: {} },
  payload: {
    subjectKind: 'JOURNEY',
    applicationId: 'app_1',
    productCode: 'ONLINE_PERSONAL',
    loanAmount: 1,
    applicant: { mobile: '9876543210', pan: 'ABCDE1234F' },
    offerReference: 'OFFER-1',
    applicationReference: 'LOAN-APP-1',
    branchReference: 'branch-1',
    stepAttempt: 2,
    acknowledgement: {
      keyFactsHash: HASH,
      acknowledgedAt: '2026-11-22T10:10:00+05:30',
      language: 'hi',
    },
  },
};
const session = (returnUrl = 'https://partner.example/back') =>
  ({ ...REQUEST, step: 'KYC', reference: 'rdr_1', returnUrl }) as unknown as SessionRequest;
const choice = (more: object = {}) =>
  ({
    ...REQUEST,
    offerReference: 'OFFER-1',
    loanAmount: 150_000_00,
    keyFactsHash: HASH,
    ...more,
  }) as unknown as SelectRequest;

const refused = vi.fn<SignatureAlarm['refused']>();

/** A connector whose lender always gives this answer, and the questions that the lender got. */
function lenderThat(answers: object, { travelledMs = 0, key = {} } = {}) {
  const asked: { name: string; id: string; text: string }[] = [];
  const answer: LenderClient['ask'] = async (_, name, { questionId: id, body }) => {
    asked.push({ name, id, text: await body() });
    if (answers instanceof Error) throw answers;
    return ('kind' in answers ? answers : verdict(answers)) as never;
  };
  const clock = new OffsetClock();
  clock.setOffset(travelledMs);
  const connector = new RlpConnector(
    { ask: answer } as LenderClient,
    key as LenderKeys,
    { refused } as unknown as SignatureAlarm,
    clock,
    { isLoopback: false, privateNetworks: [] },
  );
  return { connector, asked, question: () => JSON.parse(asked[0].text) as object };
}

const verdict = (of: object) => ({ kind: 'VERDICT', verdict: { answerId: 'a', ...of } });
const pending = (more: object = {}) => ({ kind: 'PENDING', askAgainAfterSeconds: 7, ...more });

/** A question that the worker asks. */
function ask(connector: RlpConnector, kind: QuestionKind) {
  const sent = { withdrawal: { reason: 'ENDED' }, netDisbursed: 100, keyFactsHash: HASH };
  const payload = { ...REQUEST.payload, ...sent };
  const question = { ...REQUEST, id: 'q', reference: 'r', kind, payload };
  return connector.ask(question as unknown as LenderQuestion);
}

describe('a verdict on a step', () => {
  const passed = {
    verdict: 'PASSED',
    passedAt: '2026-11-22T10:00:00Z',
    evidence: { step: 'KYC', kycReference: 'K-1' },
  };

  it('is read, under its question', async () => {
    const evidence = { passedAt: passed.passedAt, kycReference: 'K-1' };
    const answer = { kind: 'PASSED', evidence };
    // The lender may give another answer the same id.
    const reply = { status: 'ANSWERED', answerId: 'q/a', answer };
    expect(await ask(lenderThat(passed).connector, 'KYC')).toEqual(reply);
  });

  it('with the evidence of another step is none', async () => {
    const asked = ask(lenderThat(passed).connector, 'ESIGN');
    await expect(asked).rejects.toThrow('evidence of another step');
  });
});

describe('a question that is pending', () => {
  it.each<[QuestionKind, string | undefined, boolean]>([
    ['MANDATE', undefined, false],
    ['MANDATE', 'APPLICANT', true],
    ['MANDATE', 'SOMEBODY_ELSE', false],
    ['WITHDRAWAL', 'APPLICANT', false],
  ])('on %s, waiting for %s: its session is open: %s', async (kind, waitingFor, isSessionOpen) => {
    const reply = await ask(lenderThat(pending({ waitingFor })).connector, kind);
    expect(reply).toEqual({ status: 'PENDING', askAgainInMs: 7_000, isSessionOpen });
  });

  it('leaves a caller that waits for it without an answer', async () => {
    await expect(lenderThat(pending()).connector.openSession(session())).rejects.toMatchObject({
      name: 'AnswerPending',
      askAgainInMs: 7_000,
    });
  });
});

it.each([
  ['null when it is gone', { verdict: 'GONE', reason: 'EXPIRED' }, null],
  [
    'DIFFERS when it is in a shape that is not offered',
    { verdict: 'QUOTED', offer: { ...PERSONAL_OFFER, coolingOffDays: 0 } },
    'DIFFERS',
  ],
])('a quote is %s', async (_, answers, quoted) => {
  const about = { offerReference: 'OFFER-1', principal: 200_000_00 };
  const request = { ...REQUEST, ...about } as unknown as QuoteRequest;
  expect(await lenderThat(answers).connector.quote(request)).toBe(quoted);
});

describe('a choice', () => {
  it('is of the statement, and may be gone', async () => {
    const { connector, question } = lenderThat({ verdict: 'GONE', reason: 'WITHDRAWN' });
    const gone = { kind: 'GONE', reason: 'WITHDRAWN' };
    expect(await connector.select(choice())).toEqual(gone);
    const { branchReference, acknowledgement } = REQUEST.payload;
    const loanAmount = 150_000_00;
    expect(question()).toMatchObject({
      loanAmount,
      keyFactsHash: HASH,
      branchReference,
      acknowledgement,
    });
  });

  it('has a signature of that statement, or of none', async () => {
    const check = vi.fn<LenderKeys['check']>().mockResolvedValueOnce(undefined);
    const accepted = {
      verdict: 'ACCEPTED',
      applicationReference: 'A-1',
      keyFactsSignature: 'a.b.c',
    };
    const { connector } = lenderThat(accepted, { key: { check } });
    expect(await connector.select(choice())).toMatchObject({ keyFactsSignature: 'a.b.c' });
    check.mockRejectedValueOnce(new SignatureRefused('OTHER_STATEMENT'));
    const failure = { failure: 'signature_refused' };
    await expect(connector.select(choice())).rejects.toMatchObject(failure);
    expect(refused).toHaveBeenCalledExactlyOnceWith('one', 'answer', 'OTHER_STATEMENT');
  });

  it('is sent again as it was, whether its answer never came or the lender refused it', async () => {
    const select = async (failure: 'timeout' | 'refused', loanAmount: number, sent: SentBody) => {
      const { connector, asked } = lenderThat(new LenderCallFailed(failure, 'no answer'));
      await expect(connector.select(choice({ loanAmount, sent }))).rejects.toThrow('no answer');
      return asked[0].text;
    };
    const first = new SentBody();
    const text = await select('timeout', 100_000_00, first);
    expect(first.toKeep).toBe(text);
    const second = new SentBody(first.toKeep);
    expect(await select('timeout', 200_000_00, second)).toBe(text);
    expect(second.toKeep).toBeNull();
    const third = new SentBody();
    expect(third.toKeep).toBeNull();
    const refusedText = await select('refused', 100_000_00, third);
    expect(third.toKeep).toBe(refusedText);
    const kept: string[] = [];
    const stored = new SentBody(null, async (body) => void kept.push(body));
    expect([await select('timeout', 100_000_00, stored)]).toEqual(kept);
    expect(stored.toKeep).toBeNull();
    const lost = new SentBody(null, () => Promise.reject(new Error('taken over')));
    const { connector, asked } = lenderThat({});
    await expect(connector.select(choice({ sent: lost }))).rejects.toThrow('taken over');
    expect(asked).toEqual([]);
  });
});

describe('a session that a lender opens', () => {
  const opened = (more: object = {}) => ({
    verdict: 'OPENED',
    url: 'https://kyc.lender.example/1',
    expiresAt: '2026-11-22T11:00:00Z',
    covers: ['ESIGN', 'KYC'],
    ...more,
  });

  it('leads to its page, for the steps that it covers', async () => {
    const { connector, question } = lenderThat(opened());
    const { verdict: kind, ...page } = opened();
    expect(await connector.openSession(session())).toEqual({ kind, ...page });
    const { acknowledgement } = REQUEST.payload;
    expect(question()).toMatchObject({ step: 'KYC', attempt: 2, acknowledgement });
  });

  it('ends as long after now where a sandbox has travelled as the lender says', async () => {
    const { connector } = lenderThat(opened(), { travelledMs: 30 * 86_400_000 });
    const expiresAt = '2026-12-22T11:00:00.000Z';
    expect(await connector.openSession(session())).toMatchObject({ expiresAt });
  });

  it.each([
    ['without the step', { covers: ['ESIGN'] }, 'does not cover KYC'],
    ['at no page for applicants', { url: 'https://192.168.1.1/reboot' }, 'not a valid page'],
  ])('%s is none', async (_, more, problem) => {
    const { connector } = lenderThat(opened(more));
    await expect(connector.openSession(session())).rejects.toThrow(problem);
  });

  it('has one id for the same question, and another one for another', async () => {
    const { connector, asked } = lenderThat(opened());
    for (const url of ['https://one.example/', 'https://other.example/', 'https://one.example/'])
      await connector.openSession(session(url));
    const [one, other, again] = asked;
    expect(again).toEqual(one);
    expect(other.id).not.toBe(one.id);
    expect(JSON.parse(one.text)).toMatchObject({ questionId: one.id });
  });
});
