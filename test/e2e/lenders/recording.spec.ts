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

it('what comes of questions at the same moment is recorded of each, also beside one that cannot be stored and one whose lease has passed to another', async () => {
  const questions = await claimed(5);
  const [answering, unstorable, late] = questions;
  await records.query('UPDATE lender_questions SET lease_token = 6 WHERE id = $1', [late.id]);
  const failed = { waitMs: 120_000, failure: 'down', isSuspended: false };
  const outcomes: readonly QuestionOutcome[] = [
    answered(answering),
    answered(unstorable, NOT_STORABLE),
    answered(late),
    { kind: 'PENDING', waitMs: 60_000, isSessionOpen: false },
    { kind: 'FAILED', ...failed },
  ];
  const results = await recordAll(questions, (_, place) => outcomes[place]);
  expect(results.map(({ status }) => status)).toEqual(
    questions.map((one) => (one === unstorable ? 'rejected' : 'fulfilled')),
  );
  const open = { status: 'OPEN', isLeased: false };
  expect(await rowsOf(questions)).toMatchObject([
    { status: 'ANSWERED' },
    { status: 'OPEN', isLeased: true },
    // Another worker has the lease, and may already have processed the answer.
    { isLeased: true },
    { ...open, minutes: 1 },
    { ...open, minutes: 2, failures: 1, last_failure: 'down' },
  ]);
  // An answer under an expired lease is still stored.
  const subjects = [answering, late].map(({ subjectId }) => subjectId);
  expect((await answersTo(questions)).toSorted()).toEqual(subjects.toSorted());
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
