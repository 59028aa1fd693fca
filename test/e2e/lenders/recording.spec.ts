import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Columns, IdGenerator } from '../../../src/platform/index.js';
import type { ClaimedQuestion, QuestionOutcome } from '../../../src/lenders/claimed-question.js';
import { OutcomeRecorder } from '../../../src/lenders/outcome-recorder.js';
import { LenderQuestionRow } from '../../../src/lenders/store/lender-question.entity.js';
import { HeldLock } from '../../support/held-lock.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { sharedReplicas, type SharedReplicas } from '../../support/shared-service.js';

const QUESTIONS = 30;
/** PostgreSQL stores no NUL in a text. */
const NOT_STORABLE = 'answer\u0000';

let replicas: SharedReplicas;
let records: JourneyRecords;
let recorder: OutcomeRecorder;

beforeAll(async () => {
  replicas = await sharedReplicas();
  records = new JourneyRecords(replicas.first.databaseUrl);
  recorder = replicas.first.get<OutcomeRecorder>(OutcomeRecorder);
});

afterAll(async () => {
  await records?.close();
});

/** Questions that are under a lease of an hour, so that no worker of the services takes them. */
async function claimed(count = QUESTIONS): Promise<ClaimedQuestion[]> {
  const ids = replicas.first.get<IdGenerator>(IdGenerator);
  return records.query(
    `INSERT INTO lender_questions (id, partner_id, subject_id, lender_code, kind, reference,
       payload_sealed, attempts, lease_token, lease_until, next_attempt_at, created_at)
     SELECT id, $2, 'nobody-' || id, 'navdhara', 'OFFERS', '1', 'sealed', 1, 5,
       until, until, app_now()
     FROM unnest($1::text[]) AS id, (SELECT app_now() + interval '1 hour' AS until) AS lease
     RETURNING ${new Columns(LenderQuestionRow).selected()}`,
    [Array.from({ length: count }, () => ids.next('qst')), replicas.first.partnerId],
  ) as Promise<never>;
}

function answered({ id }: ClaimedQuestion, answerId = `answer-to-${id}`): QuestionOutcome {
  return { kind: 'ANSWERED', answerId, answer: { kind: 'DECLINED', reason: 'TEST' } };
}

const PENDING: QuestionOutcome = { kind: 'PENDING', waitMs: 3_000_000, isSessionOpen: false };

function recordAll(
  questions: readonly ClaimedQuestion[],
  outcomeOf: (question: ClaimedQuestion, place: number) => QuestionOutcome,
  by = recorder,
): Promise<PromiseSettledResult<void>[]> {
  return Promise.allSettled(questions.map((one, place) => by.record(one, outcomeOf(one, place))));
}

interface Row {
  id: string;
  status: string;
  isLeased: boolean;
  failures: number;
  last_failure: string | null;
  /** Minutes until it is put again. */
  minutes: number;
}

/** The questions as they are now, in the order of those given. */
async function rowsOf(questions: readonly ClaimedQuestion[]): Promise<Row[]> {
  return records.query(
    `SELECT q.id, status, lease_until IS NOT NULL AS "isLeased", failures, last_failure,
       round(extract(epoch FROM next_attempt_at - app_now()) / 60)::int AS minutes
     FROM unnest($1::text[]) WITH ORDINALITY AS asked (id, place)
     JOIN lender_questions AS q USING (id) ORDER BY place`,
    [questions.map(({ id }) => id)],
  ) as Promise<never>;
}

async function answersTo(questions: readonly ClaimedQuestion[]): Promise<string[]> {
  const rows = await records.query<{ subject_id: string }>(
    'SELECT subject_id FROM lender_inbox WHERE subject_id = ANY ($1)',
    [questions.map(({ subjectId }) => subjectId)],
  );
  return rows.map(({ subject_id: subject }) => subject);
}

async function deadlocks(): Promise<number> {
  const [row] = await records.query<{ deadlocks: number }>(
    'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
  );
  return row.deadlocks;
}

describe('what comes of questions at the same moment', () => {
  it('is recorded of each question', async () => {
    const questions = await claimed();
    const results = await recordAll(questions, (_, place) =>
      place % 2 === 0
        ? { kind: 'PENDING', waitMs: (place + 1) * 60_000, isSessionOpen: false }
        : {
            kind: 'FAILED',
            waitMs: (place + 1) * 60_000,
            failure: `failure ${place}`,
            isSuspended: false,
          },
    );
    expect(results.map(({ status }) => status)).toEqual(questions.map(() => 'fulfilled'));
    expect(await rowsOf(questions)).toMatchObject(
      questions.map((_, place) => ({
        status: 'OPEN',
        isLeased: false,
        minutes: place + 1,
        failures: place % 2,
        last_failure: place % 2 === 0 ? null : `failure ${place}`,
      })),
    );
  });

  it('does not fall with one that cannot be stored', async () => {
    const questions = await claimed();
    const results = await recordAll(questions, (question, place) =>
      answered(question, place === 7 ? NOT_STORABLE : undefined),
    );
    expect(results.map(({ status }) => status)).toEqual(
      questions.map((_, place) => (place === 7 ? 'rejected' : 'fulfilled')),
    );
    const [bad, good] = [[questions[7]], questions.filter((_, place) => place !== 7)];
    expect(await rowsOf(bad)).toMatchObject([{ status: 'OPEN', isLeased: true }]);
    expect(await answersTo(bad)).toEqual([]);
    expect((await rowsOf(good)).map(({ status }) => status)).toEqual(good.map(() => 'ANSWERED'));
    expect(await answersTo(good)).toHaveLength(good.length);
  });

  it('changes nothing of a question whose lease has passed to another, but keeps the answer', async () => {
    const questions = await claimed();
    const late = questions[3];
    await records.query('UPDATE lender_questions SET lease_token = 6 WHERE id = $1', [late.id]);
    const results = await recordAll(questions, (question) => answered(question));
    expect(results.map(({ status }) => status)).toEqual(questions.map(() => 'fulfilled'));
    const rows = await rowsOf(questions);
    expect(rows[3]).toMatchObject({ status: 'OPEN', isLeased: true });
    expect(rows.filter(({ status }) => status === 'ANSWERED')).toHaveLength(QUESTIONS - 1);
    expect(await answersTo(questions)).toHaveLength(QUESTIONS);
  });

  it('does not wait for a question that another transaction holds, which loses nothing', async () => {
    const questions = await claimed();
    const held = questions[5];
    const lock = await HeldLock.take(
      replicas.first.databaseUrl,
      'SELECT 1 FROM lender_questions WHERE id = $1 FOR UPDATE',
      [held.id],
    );
    const others = questions.filter((question) => question !== held);
    const waiting = recorder.record(held, PENDING);
    const results = await recordAll(others, () => PENDING);
    expect(results.map(({ status }) => status)).toEqual(others.map(() => 'fulfilled'));
    expect((await rowsOf(others)).map(({ isLeased }) => isLeased)).toEqual(others.map(() => false));
    await lock.waiting('lender_questions');
    // Nor does what comes after it.
    const [next] = await claimed(1);
    await recorder.record(next, PENDING);
    expect(await rowsOf([held])).toMatchObject([{ isLeased: true }]);
    await lock.release();
    await waiting;
    expect(await rowsOf([held])).toMatchObject([{ status: 'OPEN', isLeased: false, minutes: 50 }]);
  });

  it('does not wait for an answer that another transaction is storing', async () => {
    const questions = await claimed();
    const [slow, others] = [questions[4], questions.filter((_, place) => place !== 4)];
    const lock = await HeldLock.take(
      replicas.first.databaseUrl,
      `INSERT INTO lender_inbox (lender_code, answer_id, partner_id, subject_id, kind, reference,
         answer_sealed, received_at, next_attempt_at, consumed_at)
       VALUES ('navdhara', $1, $3, $2, 'OFFERS', '1', 'sealed', app_now(), app_now(), app_now())`,
      [`answer-to-${slow.id}`, slow.subjectId, replicas.first.partnerId],
    );
    const waiting = recorder.record(slow, answered(slow));
    const results = await recordAll(others, (question) => answered(question));
    expect(results.map(({ status }) => status)).toEqual(others.map(() => 'fulfilled'));
    expect(await answersTo(questions)).toHaveLength(others.length);
    await lock.waiting('lender_inbox');
    await lock.release({ keep: true });
    await waiting;
    expect(await answersTo([slow])).toEqual([slow.subjectId]);
    expect(await rowsOf([slow])).toMatchObject([{ status: 'ANSWERED' }]);
  });

  it('keeps a time that was set meanwhile', async () => {
    const questions = await claimed(3);
    await records.query(
      `UPDATE lender_questions SET next_attempt_at = app_now() + interval '10 minutes' WHERE id = $1`,
      [questions[1].id],
    );
    await recordAll(questions, () => PENDING);
    expect((await rowsOf(questions)).map(({ minutes }) => minutes)).toEqual([50, 10, 50]);
  });
});

describe('two replicas', () => {
  it('record the same answers at the same moment, each once and without a deadlock', async () => {
    const before = await deadlocks();
    const other = replicas.second.get<OutcomeRecorder>(OutcomeRecorder);
    for (let round = 0; round < 2; round += 1) {
      const questions = await claimed();
      const results = await Promise.all([
        recordAll(questions, (question) => answered(question)),
        recordAll(questions.toReversed(), (question) => answered(question), other),
      ]);
      const statuses = results.flat().map(({ status }) => status);
      expect(statuses).toEqual(statuses.map(() => 'fulfilled'));
      expect((await answersTo(questions)).toSorted()).toEqual(
        questions.map(({ subjectId }) => subjectId).toSorted(),
      );
      const rows = await rowsOf(questions);
      expect(rows.map(({ status }) => status)).toEqual(rows.map(() => 'ANSWERED'));
    }
    expect(await deadlocks()).toBe(before);
  });
});
