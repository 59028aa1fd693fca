import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Columns, IdGenerator } from '../../../src/platform/index.js';
import type { ClaimedQuestion, QuestionOutcome } from '../../../src/lenders/claimed-question.js';
import { OutcomeRecorder } from '../../../src/lenders/outcome-recorder.js';
import { LenderQuestionRow } from '../../../src/lenders/store/lender-question.entity.js';

import { JourneyRecords } from '../../support/journey-records.js';
import { sharedReplicas, type SharedReplicas } from '../../support/shared-service.js';

const QUESTIONS = 30;
/** PostgreSQL cannot store NUL in text. */
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

/** Questions under a lease of an hour, so that no worker of the services takes them. */
async function claimed(count = QUESTIONS): Promise<ClaimedQuestion[]> {
  const ids = replicas.first.get<IdGenerator>(IdGenerator);
  return records.query(
    `INSERT INTO lender_questions (id, partner_id, subject_id, lender_code, kind, reference,
       payload_sealed, attempts, lease_token, lease_until, next_attempt_at, created_at)
     SELECT id, $2, 'absent-' || id, 'navdhara', 'OFFERS', '1', 'sealed', 1, 5,
       until, until, app_now()
     FROM unnest($1::text[]) AS id, (SELECT app_now() + interval '1 hour' AS until) AS lease
     RETURNING ${new Columns(LenderQuestionRow).selected()}`,
    [Array.from({ length: count }, () => ids.next('qst')), replicas.first.partnerId],
  ) as Promise<never>;
}

function answered({ id }: ClaimedQuestion, answerId = `answer-to-${id}`): QuestionOutcome {
  return { kind: 'ANSWERED', answerId, answer: { kind: 'DECLINED', reason: 'TEST' } };
}

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
  /** Minutes until it is asked again. */
  minutes: number;
}

/** The current rows of these questions, in the given order. */
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
  it('is recorded of each question, also beside one that cannot be stored and one whose lease has passed to another', async () => {
    const questions = await claimed();
    const [bad, late] = [7, 3];
    await records.query('UPDATE lender_questions SET lease_token = 6 WHERE id = $1', [
      questions[late].id,
    ]);
    const waitOf = (place: number) => ({ waitMs: (place + 1) * 60_000 });
    const outcomes: ((question: ClaimedQuestion, place: number) => QuestionOutcome)[] = [
      (question) => answered(question),
      (question, place) => answered(question, place === bad ? NOT_STORABLE : undefined),
      (_, place) => ({ kind: 'PENDING', ...waitOf(place), isSessionOpen: false }),
      (_, place) => ({
        kind: 'FAILED',
        ...waitOf(place),
        failure: `failure ${place}`,
        isSuspended: false,
      }),
    ];
    const kindOf = (place: number) => (place === late ? 0 : place === bad ? 1 : place % 4);
    const results = await recordAll(questions, (question, place) =>
      outcomes[kindOf(place)](question, place),
    );
    expect(results.map(({ status }) => status)).toEqual(
      questions.map((_, place) => (place === bad ? 'rejected' : 'fulfilled')),
    );
    const expected = questions.map((_, place) => {
      if (place === bad) return { status: 'OPEN', isLeased: true };
      // Another worker has its lease; its answer may already be processed.
      if (place === late) return { isLeased: true };
      if (kindOf(place) < 2) return { status: 'ANSWERED' };
      const failure = kindOf(place) === 3 ? { failures: 1, last_failure: `failure ${place}` } : {};
      return { status: 'OPEN', isLeased: false, minutes: place + 1, ...failure };
    });
    expect(await rowsOf(questions)).toMatchObject(expected);
    // The answer of the expired lease is stored.
    const recorded = questions.filter((_, place) => place !== bad && kindOf(place) < 2);
    expect((await answersTo(questions)).toSorted()).toEqual(
      recorded.map(({ subjectId }) => subjectId).toSorted(),
    );
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
