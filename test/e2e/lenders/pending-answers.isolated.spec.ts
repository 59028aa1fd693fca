// Isolated: runs a second watch besides the first, and checks every flag of the database.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import type { ClaimedQuestion, QuestionOutcome } from '../../../src/lenders/claimed-question.js';
import { QuestionOutbox, type QuestionPayload } from '../../../src/lenders/index.js';
import { PendingAnswers } from '../../../src/lenders/pending-answers.tasks.js';
import { LenderQuestionsRepository } from '../../../src/lenders/store/lender-questions.repository.js';
import { OperatorFlags } from '../../../src/operator-flags/index.js';
import { Database } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { ServiceSettings } from '../../../src/settings/index.js';
import { type OwnService, startService } from '../../support/service.js';
import { HOUR, JourneyBench } from '../journeys/journey-bench.js';

const LENDER = 'navdhara';

let service: OwnService;
let bench: JourneyBench;
let replicas: PendingAnswers[];
let asked = 0;

beforeAll(async () => {
  service = await startService();
  bench = new JourneyBench(service);
  await bench.keepOneLender();
  const other = new PendingAnswers(
    service.get<Database>(Database),
    service.get<LenderQuestionsRepository>(LenderQuestionsRepository),
    service.get<OperatorFlags>(OperatorFlags),
    service.get<ServiceSettings>(ServiceSettings),
  );
  replicas = [service.get<PendingAnswers>(PendingAnswers), other];
});

afterEach(async () => {
  vi.restoreAllMocks();
  await bench.query('DELETE FROM operator_flags');
  await bench.query(`DELETE FROM lender_questions WHERE payload_sealed = 'sealed'`);
});

afterAll(async () => {
  await bench?.close();
  await service?.close();
});

const pass = () => Promise.all(replicas.map((one) => one.run()));

interface Question {
  readonly id: string;
  readonly kind: string;
}

/** A question from `hours` ago, under a lease so that no worker takes it. */
async function question(kind: string, changes: Record<string, unknown> = {}, hours = 25) {
  asked += 1;
  const id = `qst_pending_${asked}`;
  await bench.query(
    `INSERT INTO lender_questions (id, partner_id, subject_id, lender_code, kind, reference,
       payload_sealed, lease_until, next_attempt_at, created_at, awaited_since)
     SELECT $1, 'demo', 'of-' || $1, $2, $3, 'r', 'sealed', now + interval '9 days',
       now + interval '9 days', since, since
     FROM app_now() AS now, LATERAL (SELECT now - $4 * interval '1 hour' AS since) AS before`,
    [id, LENDER, kind, hours],
  );
  for (const [column, value] of Object.entries(changes)) {
    await bench.query(`UPDATE lender_questions SET ${column} = $2 WHERE id = $1`, [id, value]);
  }
  return { id, kind };
}

/** A step that the applicant was sent to 25 hours ago. */
const visited = () => question('KYC', { is_session_open: true, awaited_since: null });

/** Records the outcome of a question. */
function settled({ id }: Question, outcome: QuestionOutcome) {
  const claimed = { id, leaseToken: 0 } as ClaimedQuestion;
  return service
    .get<Database>(Database)
    .transaction((tx) =>
      service
        .get<LenderQuestionsRepository>(LenderQuestionsRepository)
        .settle(tx, { question: claimed, outcome }),
    );
}

/** The applicant has returned, and the lender has not decided. */
function returned({ id, kind }: Question) {
  return service.get<Database>(Database).transaction((tx) =>
    service.get<QuestionOutbox>(QuestionOutbox).put(tx, {
      partnerId: 'demo',
      subjectId: `of-${id}`,
      lenderCode: LENDER,
      kind: kind as 'KYC',
      reference: 'r',
      payload: {} as QuestionPayload,
      delayMs: 200 * HOUR,
    }),
  );
}

const pending = (isSessionOpen: boolean): QuestionOutcome => ({
  kind: 'PENDING',
  waitMs: 200 * HOUR,
  isSessionOpen,
});

const FAILED: QuestionOutcome = {
  kind: 'FAILED',
  waitMs: 200 * HOUR,
  failure: 'the lender is switched off',
  isSuspended: true,
};

/** As if 25 hours passed. */
const dayPasses = ({ id }: Question) =>
  bench.query(
    `UPDATE lender_questions SET awaited_since = awaited_since - interval '25 hours',
       overdue_at = overdue_at - interval '25 hours' WHERE id = $1`,
    [id],
  );

const answered = ({ id }: Question) =>
  bench.query(`UPDATE lender_questions SET status = 'ANSWERED' WHERE id = $1`, [id]);

async function flags() {
  const rows = await bench.query<{ kind: string; subject: string; count: number; open: boolean }>(
    `SELECT kind, subject_id AS subject, count, resolved_at IS NULL AS open
     FROM operator_flags WHERE kind LIKE '%\\_PENDING' ORDER BY id`,
  );
  return rows.map(({ kind, subject, count, open }) => [kind, subject, count, open]);
}

describe('a question without an answer', () => {
  it('about a payout that is answered 202 for ever is one PAYOUT_PENDING, until it is answered', async () => {
    const journey = await bench.startWithOffers();
    const lender = bench.service.get<SandboxLender>(SandboxLender);
    const ask = lender.ask.bind(lender);
    vi.spyOn(lender, 'ask').mockImplementation((one) =>
      one.kind === 'DISBURSEMENT'
        ? Promise.resolve({ status: 'PENDING', askAgainInMs: 2 * HOUR })
        : ask(one),
    );
    await journey.goOnTo('DISBURSEMENT_PENDING');
    await bench.service.travel(23 * HOUR);
    await pass();
    expect(await flags()).toEqual([]);
    await bench.service.travel(2 * HOUR);
    await pass();
    await pass();
    expect(await flags()).toEqual([['PAYOUT_PENDING', journey.id, 1, true]]);
    const [{ detail }] = await bench.query<{ detail: object }>('SELECT detail FROM operator_flags');
    expect(detail).toMatchObject({ lenderCode: LENDER, kind: 'DISBURSEMENT' });

    vi.restoreAllMocks();
    await bench.service.travel(3 * HOUR);
    await journey.reaches('SANCTIONED');
    await pass();
    expect(await flags()).toEqual([['PAYOUT_PENDING', journey.id, 1, false]]);
  });

  it('of the kind KYC is flagged of its application, also while its lender is left alone', async () => {
    const one = await question('KYC', { is_unreachable: true, failing_since: new Date() });
    await question('KYC', {}, 23);
    await pass();
    expect(await flags()).toEqual([['ANSWER_PENDING', `of-${one.id}`, 1, true]]);
    await answered(one);
    await pass();
    expect(await flags()).toEqual([['ANSWER_PENDING', `of-${one.id}`, 1, false]]);
  });

  it('of the kind OFFERS shares one flag of its lender, until the last is answered', async () => {
    const [first, second] = [await question('OFFERS'), await question('OFFERS')];
    await pass();
    expect(await flags()).toEqual([['ANSWER_PENDING', LENDER, 2, true]]);
    await answered(first);
    await pass();
    expect(await flags()).toEqual([['ANSWER_PENDING', LENDER, 2, true]]);
    await answered(second);
    await pass();
    expect(await flags()).toEqual([['ANSWER_PENDING', LENDER, 2, false]]);
  });

  it('about a paid loan is flagged once the time of the lenders is over, and counted again', async () => {
    await bench.configure(
      `UPDATE configuration SET settings = settings || '{"lenderGiveUpSeconds": 3600}'`,
    );
    const one = await question('DECISION', {}, 2);
    await question('DECISION', {}, 0.5);
    await question('KYC', {}, 2);
    await pass();
    await pass();
    expect(await flags()).toEqual([['ANSWER_PENDING', `of-${one.id}`, 1, true]]);
    await bench.query(
      `UPDATE lender_questions SET overdue_at = overdue_at - interval '2 hours' WHERE id = $1`,
      [one.id],
    );
    await pass();
    expect(await flags()).toEqual([['ANSWER_PENDING', `of-${one.id}`, 2, true]]);
    await answered(one);
    await pass();
    expect(await flags()).toEqual([['ANSWER_PENDING', `of-${one.id}`, 2, false]]);
  });

  it.each([
    ['was done there', (one: Question) => settled(one, pending(false))],
    ['was done there and came back', returned],
    ['could no longer be asked about', (one: Question) => settled(one, FAILED)],
  ])('is flagged 24 hours after its applicant %s', async (_, ends) => {
    const one = await visited();
    // A step that waits for its applicant is not flagged.
    await pass();
    await ends(one);
    await pass();
    expect(await flags()).toEqual([]);
    await dayPasses(one);
    await pass();
    expect(await flags()).toEqual([['ANSWER_PENDING', `of-${one.id}`, 1, true]]);
    const [since] = await bench.query<{ hours: number }>(
      `SELECT round(extract(epoch FROM app_now() - (detail ->> 'since')::timestamptz) / 3600)::int
         AS hours FROM operator_flags`,
    );
    expect(since).toEqual({ hours: 25 });
    await settled(one, pending(true));
    await pass();
    expect(await flags()).toEqual([['ANSWER_PENDING', `of-${one.id}`, 1, false]]);
  });

  it('is counted again after as many hours, and flagged again when its flag was resolved', async () => {
    const one = await question('DISBURSEMENT');
    await pass();
    await dayPasses(one);
    await pass();
    await pass();
    expect(await flags()).toEqual([['PAYOUT_PENDING', `of-${one.id}`, 2, true]]);
    await bench.query('UPDATE operator_flags SET resolved_at = app_now()');
    await pass();
    expect(await flags()).toEqual([['PAYOUT_PENDING', `of-${one.id}`, 2, false]]);
    await dayPasses(one);
    await pass();
    expect(await flags()).toEqual([
      ['PAYOUT_PENDING', `of-${one.id}`, 2, false],
      ['PAYOUT_PENDING', `of-${one.id}`, 1, true],
    ]);
  });
});
