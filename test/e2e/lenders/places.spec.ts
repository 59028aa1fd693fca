import { expect, it, vi } from 'vitest';
import {
  type LenderReply,
  LenderUnavailable,
  type NewQuestion,
  QuestionOutbox,
} from '../../../src/lenders/index.js';
import { Database } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { journeyBench } from '../journeys/journey-bench.js';

// More than all lenders' places together.
const QUESTIONS = 60;
const PLACES_A_LENDER = 16;

const LATER: LenderReply = { status: 'PENDING', askAgainInMs: 3_600_000 };

const bench = journeyBench();

async function put(lenderCode: string, count: number): Promise<void> {
  const questions = Array.from({ length: count }, (_, place): NewQuestion => ({
    partnerId: bench.service.partnerId,
    subjectId: `absent-${place}`,
    lenderCode,
    kind: 'OFFERS',
    reference: '1',
    payload: {
      subjectKind: 'JOURNEY',
      applicationId: `absent-${place}`,
      productCode: 'ONLINE_PERSONAL',
      loanAmount: 100_000_00,
      applicant: { mobile: '9876543210', pan: 'ABCPE1234F' },
    },
  }));
  const outbox = bench.service.get<QuestionOutbox>(QuestionOutbox);
  await bench.service.get<Database>(Database).transaction((tx) => outbox.putAll(tx, questions));
}

it('a lender that hangs holds sixteen places of a process, and another one is asked beside it', async () => {
  const asked: string[] = [];
  let release = (): void => undefined;
  const released = new Promise<LenderReply>((resolve) => (release = () => resolve(LATER)));
  const connector = bench.service.get<SandboxLender>(SandboxLender);
  vi.spyOn(connector, 'ask').mockImplementation(({ lender }) => {
    asked.push(lender.code);
    return lender.code === 'navdhara' ? released : Promise.resolve(LATER);
  });
  await put('navdhara', QUESTIONS);
  await eventually(() => asked.length >= PLACES_A_LENDER);
  await put('kaverisetu', 1);
  await eventually(() => asked.includes('kaverisetu'));
  expect(asked.filter((code) => code === 'navdhara')).toHaveLength(PLACES_A_LENDER);
  release();
  await eventually(() => asked.length === QUESTIONS + 1);
});

it('a lender that is left alone is asked again while others are waited for, and its offer counts', async () => {
  const connector = bench.service.get<SandboxLender>(SandboxLender);
  const ask = connector.ask.bind(connector);
  let isAway = true;
  vi.spyOn(connector, 'ask').mockImplementation((question) => {
    if (question.kind !== 'OFFERS') return ask(question);
    if (question.lender.code !== 'navdhara') return Promise.resolve(LATER);
    const away = Object.assign(new LenderUnavailable('down'), { isSuspended: true });
    return isAway ? Promise.reject(away) : ask(question);
  });
  const journey = await bench.start();
  const asked = async () => {
    const [question] = await bench.query<{ status: string; isLeftAlone: boolean }>(
      `SELECT status, is_unreachable AS "isLeftAlone" FROM lender_questions
       WHERE subject_id = $1 AND lender_code = 'navdhara' AND kind = 'OFFERS'`,
      [journey.id],
    );
    return question;
  };
  await eventually(async () => (await asked()).isLeftAlone);
  isAway = false;
  await bench.service.travel(60_000);
  await eventually(async () => (await asked()).status === 'ANSWERED');
  expect((await journey.read()).state).toBe('INITIATED');
  for (const lenderCode of ['kaverisetu', 'tarangudyam']) {
    const about = { kind: 'OFFERS', reference: '1', lenderCode } as const;
    await bench.deliverTo(journey.id, { kind: 'DECLINED', reason: 'POLICY' }, about);
  }
  const { state, offers } = await journey.read();
  expect([state, offers.length]).toEqual(['OFFERS_RECEIVED', 1]);
});
