// Isolated: its configuration has a lender outside the process.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { LenderLanes } from '../../../src/lender-api/index.js';
import type { LenderReply } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { readJourney, startJourney, type StartedJourney } from '../../support/journey-driver.js';
import { partnerClient } from '../../support/partner-client.js';
import { startService, type OwnService } from '../../support/service.js';
import { errorBody } from '../../support/small-lender.js';
import { LENDER, OFFER, RemoteLenderBench } from './remote-lender-bench.js';

// A breaker belongs to a process; what it means for a journey is kept where every replica sees it.

const DAY_MS = 24 * 60 * 60_000;
/** Far less than the lenders' deadline, which no test here comes near. */
const WAIT = { withinMs: 45_000 };
/** More than it takes to open a breaker. */
const JOURNEYS = 12;

vi.setConfig({ testTimeout: 90_000 });

let bench: RemoteLenderBench;
let second: OwnService;

beforeAll(async () => {
  bench = await RemoteLenderBench.open();
  const { databaseUrl } = bench.service;
  second = await startService({ databaseUrl, configFile: bench.configFile });
});

afterEach(() => vi.restoreAllMocks());

afterAll(async () => {
  await second?.close();
  await bench?.close();
});

const replicas = () => [bench.service, second];
const isOpen = (replica: OwnService) => replica.get<LenderLanes>(LenderLanes).isOpen(LENDER);
const read = (journey: StartedJourney) => readJourney(partnerClient(bench.service), journey);

function start(on: OwnService): Promise<StartedJourney> {
  return startJourney(partnerClient(on));
}

/** The lender is not there: its balancer says so. */
function isAway(): void {
  bench.lender.answer(() => ({ status: 503, body: errorBody('unavailable'), isUnsigned: true }));
}

/** Whichever replica claims a question makes its call: one that got too few gets further ones. */
async function untilBothAreOpen(): Promise<StartedJourney[]> {
  isAway();
  const journeys: StartedJourney[] = [];
  await eventually(
    async () => {
      const closed = replicas().filter((replica) => !isOpen(replica));
      if (closed.length === 0) return true;
      const further = closed.flatMap((replica) =>
        Array.from({ length: JOURNEYS }, () => start(replica)),
      );
      journeys.push(...(await Promise.all(further)));
      return false;
    },
    { ...WAIT, everyMs: 2000 },
  );
  return journeys;
}

async function questionOf({ id }: StartedJourney) {
  const [question] = await bench.query<{ status: string; isUnreachable: boolean }>(
    `SELECT status, is_unreachable AS "isUnreachable" FROM lender_questions
     WHERE subject_id = $1 AND lender_code = $2 AND kind = 'OFFERS'`,
    [id, LENDER],
  );
  return question;
}

async function hasOffers(journey: StartedJourney, count: number): Promise<void> {
  await eventually(async () => {
    const { state, offers } = await read(journey);
    expect([state, offers.length]).toEqual(['OFFERS_RECEIVED', count]);
  }, WAIT);
}

describe('a lender that does not answer', () => {
  it('is not waited for once it is left alone, whichever replica has found it out', async () => {
    const waiting = await untilBothAreOpen();
    const later = await Promise.all(replicas().map(start));
    for (const journey of [...waiting, ...later]) await hasOffers(journey, 2);
    for (const journey of later) {
      expect(await questionOf(journey)).toEqual({ status: 'CLOSED', isUnreachable: true });
    }
    const flags = await bench.query(`SELECT 1 FROM operator_flags WHERE kind = 'LATE_ANSWER'`);
    expect(flags).toEqual([]);
  });

  it('is asked again while others are waited for, and its offer counts', async () => {
    let decide: (declined: LenderReply) => void = () => undefined;
    const declined = new Promise<LenderReply>((resolve) => (decide = resolve));
    for (const replica of replicas()) {
      vi.spyOn(replica.get<SandboxLender>(SandboxLender), 'ask').mockImplementation(
        ({ id, kind }) =>
          kind === 'OFFERS'
            ? Promise.race([declined, Promise.resolve<LenderReply>({ status: 'PENDING' })]).then(
                (reply) =>
                  reply.status === 'ANSWERED' ? { ...reply, answerId: `declined-${id}` } : reply,
              )
            : Promise.resolve<LenderReply>({
                status: 'ANSWERED',
                answerId: `noted-${id}`,
                answer: { kind: 'NOTED' },
              }),
      );
    }
    await untilBothAreOpen();
    const journey = await start(second);
    await eventually(async () => (await questionOf(journey)).isUnreachable, WAIT);
    expect((await read(journey)).state).toBe('INITIATED');

    const validUntil = new Date(Date.now() + 10 * DAY_MS).toISOString();
    bench.lender.answer(({ body }) => ({
      body: {
        answerId: `answer-${String(body.questionId)}`,
        verdict: 'OFFERED',
        offers: [{ ...OFFER, validUntil }],
      },
    }));
    await eventually(async () => (await questionOf(journey)).status === 'ANSWERED', WAIT);
    expect((await read(journey)).state).toBe('INITIATED');
    const answer = { kind: 'DECLINED', reason: 'POLICY' } as const;
    decide({ status: 'ANSWERED', answerId: 'declined', answer });
    await hasOffers(journey, 1);
  });
});
