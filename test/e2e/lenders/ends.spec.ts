import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Columns, Database, IdGenerator } from '../../../src/platform/index.js';
import type { ClaimedQuestion, QuestionOutcome } from '../../../src/lenders/claimed-question.js';
import { LenderInbox } from '../../../src/lenders/index.js';
import { OutcomeRecorder } from '../../../src/lenders/outcome-recorder.js';
import { LenderQuestionRow } from '../../../src/lenders/store/lender-question.entity.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { serviceOfFile } from '../../support/shared-service.js';

const LENDER = 'navdhara';

const service = serviceOfFile();
let records: JourneyRecords;
let recorder: OutcomeRecorder;

beforeAll(() => {
  records = new JourneyRecords(service.databaseUrl);
  recorder = service.get<OutcomeRecorder>(OutcomeRecorder);
});

beforeEach(() => records.query('DELETE FROM operator_flags'));

afterAll(async () => {
  await records?.close();
});

/** A question under a lease of an hour, so that no worker takes it. */
async function claimed(kind = 'OFFERS'): Promise<ClaimedQuestion> {
  const [row] = await records.query<LenderQuestionRow>(
    `INSERT INTO lender_questions (id, partner_id, subject_id, lender_code, kind, reference,
       payload_sealed, attempts, lease_token, lease_until, next_attempt_at)
     SELECT $1, $4, 'absent-' || $1, $2, $3, '1', 'sealed', 1, 5, until, until
     FROM (SELECT app_now() + interval '1 hour' AS until) AS lease
     RETURNING ${new Columns(LenderQuestionRow).selected()}`,
    [service.get<IdGenerator>(IdGenerator).next('qst'), LENDER, kind, service.partnerId],
  );
  return row as ClaimedQuestion;
}

const failed = (changes: object = {}): QuestionOutcome => ({
  kind: 'FAILED',
  failure: 'down',
  waitMs: 60_000,
  isSuspended: false,
  ...changes,
});

const PENDING: QuestionOutcome = { kind: 'PENDING', waitMs: 60_000, isSessionOpen: false };

async function rowOf({ id }: ClaimedQuestion): Promise<LenderQuestionRow> {
  const [row] = await records.query<LenderQuestionRow>(
    `SELECT ${new Columns(LenderQuestionRow).selected()} FROM lender_questions WHERE id = $1`,
    [id],
  );
  return row;
}

/** The question as its next leaseholder claims it. */
async function claimedAgain({ id }: ClaimedQuestion): Promise<ClaimedQuestion> {
  await records.query(
    `UPDATE lender_questions SET lease_token = lease_token + 1, lease_until = next_attempt_at
     WHERE id = $1`,
    [id],
  );
  return (await rowOf({ id } as ClaimedQuestion)) as ClaimedQuestion;
}

function flags() {
  return records.query<{ kind: string; subject_id: string }>(
    `SELECT kind, subject_id FROM operator_flags WHERE kind IN ('LENDER_SILENT', 'INVALID_QUESTION') ORDER BY id`,
  );
}

function inboxOf({ subjectId }: ClaimedQuestion) {
  return records.query<{ id: number; sealed: string | null }>(
    'SELECT id, answer_sealed AS sealed FROM lender_inbox WHERE subject_id = $1',
    [subjectId],
  );
}

describe('a question that fails', () => {
  it('knows since when, and what was first sent, until the lender says anything', async () => {
    const question = await claimed('DISBURSEMENT');
    await recorder.record(question, failed({ flag: 'LENDER_SILENT' }), 'first');
    const { failingSince: since, sentSealed } = await rowOf(question);
    expect(sentSealed).toBe('first');
    const again = await claimedAgain(question);
    await recorder.record(again, failed(), 'second');
    expect(await rowOf(question)).toMatchObject({
      failingSince: since,
      flaggedAt: expect.any(Date) as Date,
      sentSealed: 'first',
    });
    const more = await claimedAgain(question);
    await recorder.record(more, PENDING);
    expect(await rowOf(question)).toMatchObject({ failingSince: null, flaggedAt: null });
    expect(await flags()).toEqual([{ kind: 'LENDER_SILENT', subject_id: question.subjectId }]);
    const last = await claimedAgain(question);
    const answer = { kind: 'PASSED' } as const;
    await recorder.record(last, { kind: 'ANSWERED', answerId: question.id, answer });
    expect(await rowOf(question)).toMatchObject({ status: 'ANSWERED', sentSealed: null });
  });

  it('is closed when it is given up, with one flag a lender', async () => {
    const questions = [await claimed('WITHDRAWAL'), await claimed('WITHDRAWAL')];
    for (const one of questions) await recorder.record(one, { kind: 'GIVEN_UP', failure: 'down' });
    for (const one of questions) {
      expect(await rowOf(one)).toMatchObject({
        status: 'CLOSED',
        closedAt: expect.any(Date) as Date,
        leaseUntil: null,
      });
    }
    expect(await flags()).toEqual([{ kind: 'LENDER_SILENT', subject_id: LENDER }]);
  });
});

describe('what comes in of an applicant who was erased', () => {
  async function erased(kind = 'DISBURSEMENT'): Promise<ClaimedQuestion> {
    const question = await claimed(kind);
    await records.query(
      `UPDATE lender_questions SET status = 'CLOSED', closed_at = app_now(), payload_sealed = NULL
       WHERE id = $1`,
      [question.id],
    );
    return question;
  }

  it.each([
    ['DISBURSEMENT', true, 0],
    ['DISBURSEMENT', false, 1],
    ['WITHDRAWAL', true, 1],
  ])('%s (%s): of answers that were processed, %i is kept', async (asked, isErased, left) => {
    const { subjectId, reference, kind } = await (isErased ? erased(asked) : claimed(asked));
    const [{ id }] = await records.query<{ id: number }>(
      `INSERT INTO lender_inbox (lender_code, answer_id, partner_id, subject_id, kind, reference,
         answer_sealed, received_at, next_attempt_at)
       VALUES ($1, $2, $5, $2, $3, $4, 'sealed', app_now(), app_now() + interval '1 hour')
       RETURNING id`,
      [LENDER, subjectId, kind, reference, service.partnerId],
    );
    const inbox = service.get<LenderInbox>(LenderInbox);
    await service.get<Database>(Database).transaction((tx) => inbox.markConsumed(tx, id));
    const kept = (await inboxOf({ subjectId } as ClaimedQuestion)).filter(({ sealed }) => sealed);
    expect(kept).toHaveLength(left);
  });
});
