import { afterEach, describe, expect, it, vi } from 'vitest';
import { CallbackBench } from './callback-bench.js';
import { ofFile } from '../../support/of-file.js';

const bench = ofFile(() => CallbackBench.open());

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a verdict that a lender sends', () => {
  it('moves its journey as one that was asked for does, once, also under an id that another question’s has, and is answered signed', async () => {
    const answerId = bench.newId();
    for (const journey of [await bench.atKyc(), await bench.atKyc()]) {
      const body = await bench.kycAnswer(journey, {}, answerId);
      const json = { id: answerId, status: 'RECEIVED' };
      const taken = { status: 202, json, isSigned: true };
      expect(await bench.lender.tell('answers', body)).toEqual(taken);
      await journey.reaches('BANK_ACCOUNT_PENDING');
      expect(await bench.lender.tell('answers', body)).toEqual(taken);
      await bench.journeys.settled();
      const rows = await bench.journeys.query('SELECT 1 FROM lender_inbox WHERE answer_id = $1', [
        `${body.questionId}/${answerId}`,
      ]);
      expect(rows).toHaveLength(1);
      expect(await journey.flags()).toEqual([]);
    }
  });

  it('is refused of another lender, of another question, and with the evidence of another step', async () => {
    const journey = await bench.atKyc();
    const right = await bench.kycAnswer(journey);
    const of = (questionId: string) => ({ ...right, questionId });
    const answers = [
      await bench.stranger.tell('answers', right),
      await bench.lender.tell('answers', of(`${journey.id}:KYC:rdr_1`)),
      await bench.lender.tell('answers', of(`${journey.id}:OFFERS:1`)),
      await bench.lender.tell('answers', of('qst_1')),
    ];
    const message = 'This lender was not asked about this question';
    for (const response of answers) {
      const json = { error: { code: 'not_found', message } };
      expect(response).toEqual({ status: 404, json, isSigned: true });
    }
    const evidence = { step: 'ESIGN', documentHash: 'a'.repeat(64) };
    const other = await bench.lender.tell('answers', await bench.kycAnswer(journey, { evidence }));
    expect([other.status, other.json.error!.code]).toEqual([400, 'invalid_request']);
    expect((await journey.read()).state).toBe('KYC_PENDING');
  });

  it('on a question that a caller waits for is kept, and moves nothing', async () => {
    const journey = await bench.journeys.startWithOffers();
    const response = await bench.lender.tell('answers', {
      question: 'SELECTIONS',
      questionId: `${journey.id}:SELECTION:int_1`,
      answer: { answerId: bench.newId(), verdict: 'ACCEPTED', applicationReference: 'A-1' },
    });
    expect(response.status).toBe(202);
    expect(await bench.kept('ANSWER')).toHaveLength(1);
    expect((await journey.read()).state).toBe('OFFERS_RECEIVED');
  });

  it('is refused under the id of another verdict on the same question, and taken under that of another question', async () => {
    const journey = await bench.atKyc();
    const passed = await bench.kycAnswer(journey);
    expect((await bench.lender.tell('answers', passed)).status).toBe(202);
    const { answerId } = passed.answer;
    const failed = { verdict: 'FAILED', reason: 'POLICY' };
    const other = await bench.lender.tell(
      'answers',
      await bench.kycAnswer(journey, failed, answerId),
    );
    expect([other.status, other.json.error!.code]).toEqual([409, 'key_reused']);
    expect((await bench.lender.tell('answers', passed)).status).toBe(202);
    await journey.reaches('BANK_ACCOUNT_PENDING');
    for (const intent of ['int_1', 'int_2']) {
      const gone = {
        question: 'SELECTIONS',
        questionId: `${journey.id}:SELECTION:${intent}`,
        answer: { answerId, verdict: 'GONE', reason: 'OTHER' },
      };
      expect((await bench.lender.tell('answers', gone)).status).toBe(202);
    }
  });

  it('is refused once a question has been answered many times over', async () => {
    const journey = await bench.atKyc();
    const statuses: number[] = [];
    const bodies: object[] = [];
    for (let time = 0; time < 7; time += 1) {
      const verdict = time === 0 ? {} : { verdict: 'FAILED', reason: 'POLICY' };
      bodies.push(await bench.kycAnswer(journey, verdict));
      statuses.push((await bench.lender.tell('answers', bodies[time])).status);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 409, 409]);
    // A repeat of an earlier verdict is recognized.
    expect((await bench.lender.tell('answers', bodies[4])).status).toBe(202);
    // The first verdict is processed first, also when its journey is locked meanwhile.
    const kept = await bench.journeys.query<{ waits: boolean }>(
      `SELECT next_attempt_at > received_at + interval '4 seconds' AS waits FROM lender_inbox
       WHERE subject_id = $1 AND kind = 'KYC' ORDER BY id`,
      [journey.id],
    );
    expect(kept.map(({ waits }) => waits)).toEqual([false, true, true, true, true]);
    await bench.journeys.service.travel(6_000);
    await bench.journeys.settled();
    expect(await journey.flags()).toMatchObject([{ kind: 'LATE_ANSWER', count: 4 }]);
    expect((await journey.read()).state).toBe('BANK_ACCOUNT_PENDING');
  });
});
