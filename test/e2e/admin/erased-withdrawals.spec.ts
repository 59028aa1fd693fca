import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { AbandonmentTasks } from '../../../src/journeys/background/journey.tasks.js';
import { type LenderQuestion, LenderUnavailable } from '../../../src/lenders/index.js';
import { Keyring } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { runAdmin } from '../../support/admin-command.js';
import { eventually } from '../../support/eventually.js';
import { HOUR, JourneyBench, type TestJourney } from '../journeys/journey-bench.js';
import { ofFile } from '../../support/of-file.js';

const bench = ofFile(() => JourneyBench.open());

beforeAll(async () => {
  await bench.keepOneLender();
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** The lender fails every withdrawal until it is back; the payloads it receives then are recorded. */
function lenderAway(): { isBack: boolean; heard: LenderQuestion[] } {
  const connector = bench.service.get(SandboxLender);
  const ask = connector.ask.bind(connector);
  const lender = { isBack: false, heard: [] as LenderQuestion[] };
  vi.spyOn(connector, 'ask').mockImplementation((question) => {
    if (question.kind !== 'WITHDRAWAL') return ask(question);
    if (!lender.isBack) return Promise.reject(new LenderUnavailable('down'));
    lender.heard.push(question);
    return ask(question);
  });
  return lender;
}

/** Abandons the journey as after a week without activity, so that its lender must be notified. */
async function leaveAlone(journey: TestJourney): Promise<void> {
  const idle = `UPDATE journeys SET last_activity_at = app_now() - interval '8 days' WHERE id = $1`;
  await bench.query(idle, [journey.id]);
  await bench.service.get(AbandonmentTasks).run();
  await journey.reaches('ABANDONED');
}

/** The journey's stored questions to lenders: their statuses and payloads. */
async function keptQuestions({ id }: TestJourney) {
  const rows = await bench.query<{ kind: string; status: string; sealed: string }>(
    `SELECT kind, status, payload_sealed AS sealed FROM lender_questions
     WHERE subject_id = $1 AND payload_sealed IS NOT NULL ORDER BY reference`,
    [id],
  );
  const keyring = bench.service.get(Keyring);
  return rows.map(({ sealed, ...row }) => ({
    ...row,
    payload: JSON.parse(keyring.open(sealed, 'lender_questions.payload')) as object,
  }));
}

async function erase({ id }: TestJourney): Promise<void> {
  const command = ['applicants', 'erase', '--journey', id, '--force'];
  expect(await runAdmin(bench.service.databaseUrl, ...command)).toMatchObject({ code: 0 });
}

it('the withdrawal of an erasure is sent without the applicant, also to a lender that has declined', async () => {
  const lender = lenderAway();
  const journey = await bench.start({ pan: 'SANDX0001A' });
  await journey.reaches('REJECTED');
  await erase(journey);
  const [{ payload }] = await keptQuestions(journey);
  expect(payload).toMatchObject({
    applicant: { mobile: '', pan: '' },
    withdrawal: { reason: 'ERASURE' },
  });
  expect(Object.keys((payload as { applicant: object }).applicant)).toEqual(['mobile', 'pan']);
  expect(lender.heard).toEqual([]);
});

it('an answer that arrives after the erasure is not kept', async () => {
  lenderAway();
  const journey = await bench.start({ pan: 'SANDX0001A' });
  await journey.reaches('REJECTED');
  await erase(journey);
  const about = { kind: 'OFFERS', reference: '1' } as const;
  await bench.deliverTo(journey.id, { kind: 'DECLINED', reason: 'OTHER' }, about);
  const sealed = 'SELECT answer_sealed FROM lender_inbox WHERE subject_id = $1 AND kind = $2';
  const kept = await bench.query(sealed, [journey.id, about.kind]);
  expect(kept).toEqual([{ answer_sealed: null }, { answer_sealed: null }]);
});

it('a withdrawal that the lender has not accepted yet is sent without the applicant after an erasure', async () => {
  const lender = lenderAway();
  const [abandoned, forced] = [await bench.startWithOffers(), await bench.startWithOffers()];
  const expected: (readonly [TestJourney, object[]])[] = [];
  for (const journey of [abandoned, forced]) {
    await journey.goOnTo('MANDATE_PENDING');
    if (journey === abandoned) await leaveAlone(journey);
    await erase(journey);
    const [facts] = await bench.query<object>(
      `SELECT o.lender_reference AS "offerReference", j.application_id AS "applicationId",
         j.selection ->> 'applicationReference' AS "applicationReference"
       FROM journey_offers AS o JOIN journeys AS j ON j.id = o.journey_id WHERE j.id = $1`,
      [journey.id],
    );
    // The payloads have no other fields.
    const payloads = ['ABANDONED', 'ERASURE'].map((reason) => ({
      ...facts,
      subjectKind: 'JOURNEY',
      productCode: 'ONLINE_PERSONAL',
      loanAmount: 200_000_00,
      applicant: { mobile: '', pan: '' },
      withdrawal: { reason },
    }));
    const kept = payloads.map((payload) => ({ kind: 'WITHDRAWAL', status: 'OPEN', payload }));
    expect(await keptQuestions(journey)).toEqual(kept);
    expected.push([journey, payloads]);
  }
  lender.isBack = true;
  await bench.service.travel(HOUR / 2);
  await eventually(() => {
    for (const [{ id }, payloads] of expected) {
      // A question that was in progress when the time moved is asked again.
      const heard = lender.heard
        .filter(({ subjectId }) => subjectId === id)
        .map(({ payload }) => payload);
      expect(heard).toEqual(expect.arrayContaining(payloads));
      expect(payloads).toEqual(expect.arrayContaining(heard));
    }
  });
});
