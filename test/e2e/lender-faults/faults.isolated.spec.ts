// Isolated: its lenders are outside its process.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FaultKind } from '../../../examples/lender/faults.ts';
import { eventually } from '../../support/eventually.js';
import { inForm } from '../../support/long-form.js';
import {
  DECIDER,
  expectOneOfEach,
  FaultBench,
  type Lane,
  LANES,
  QUESTIONS,
} from './fault-bench.js';

const TEST_MS = inForm({ short: 120_000, long: 480_000 });
vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

/** Faults at questions; afterwards the lender answers correctly. */
const QUICK_FAULTS: readonly FaultKind[] = [
  'error',
  'unavailable',
  'too-many-requests',
  'half-body',
  'unsigned',
  'wrong-signature',
  'other-key',
  'other-question',
  'stale-signature',
  'wrong-types',
  'twice',
  'late',
  'late-poll',
  'out-of-order',
];
/** Each takes ten seconds, the timeout of a call. */
const LONG_FAULTS: readonly FaultKind[] = ['silent', 'slow'];
const LONGER_THAN_A_CALL_S = 11;

/** Faults at the lender's own messages; afterwards each is sent again correctly. */
const MESSAGE_FAULTS: readonly FaultKind[] = [
  'slow',
  'silent',
  'half-body',
  'unsigned',
  'wrong-signature',
  'other-key',
  'other-question',
  'stale-signature',
  'twice',
  'late',
  'out-of-order',
];
const MESSAGES = ['answers', 'offer-revisions', 'loan-events', 'statements'] as const;
const INDIA_MS = 5.5 * 3_600_000;
const TAKEN = { withinMs: 30_000 };

/** A journey's faults, in order. */
interface Case {
  readonly name: string;
  readonly lane: Lane;
  readonly atQuestions: readonly FaultKind[];
  readonly atMessages: readonly FaultKind[];
}

function caseOf(lane: Lane, atQuestions: FaultKind[], atMessages: readonly FaultKind[]): Case {
  return { name: [...atQuestions, ...atMessages].join(', '), lane, atQuestions, atMessages };
}

/** Every fault at one question and at one message. */
const SHORT = LANES.map((lane, index) => {
  const quick = QUICK_FAULTS.filter((_, place) => place % LANES.length === index);
  // The other lanes need a late answer: only that one arrives as a message.
  const long = index === LANES.length - 1 ? LONG_FAULTS.slice(0, 1) : ['late' as const];
  const from = index * MESSAGES.length;
  return caseOf(lane, [...quick, ...long], MESSAGE_FAULTS.slice(from, from + MESSAGES.length));
});
/** Every fault at every question and every message. */
const LONG = [...QUICK_FAULTS, ...LONG_FAULTS].map((fault, index) => {
  const atMessages = MESSAGE_FAULTS.includes(fault) ? [fault] : (['twice'] as const);
  return caseOf(LANES[index % LANES.length], [fault], atMessages);
});
const CASES = inForm({ short: SHORT, long: LONG });
const DECISION_FAULTS = inForm<readonly FaultKind[]>({
  short: ['late-poll'],
  long: [...QUICK_FAULTS, ...LONG_FAULTS],
});
const secondsOf = (fault: FaultKind) => (fault === 'slow' ? LONGER_THAN_A_CALL_S : 1);

interface MessagedJourney {
  readonly id: string;
  /** The ids of messages other than answers. */
  readonly messages: Readonly<Record<string, string>>;
}

let bench: FaultBench;
const journeys = new Map<Case, Promise<MessagedJourney>>();
const decisions = new Map<FaultKind, Promise<string>>();

/** All lanes in parallel; within a lane one case after another. */
beforeAll(async () => {
  bench = await FaultBench.open();
  const ends = new Map<Lane | typeof DECIDER, Promise<unknown>>();
  const next = <Result>(lane: Lane | typeof DECIDER, work: () => Promise<Result>) => {
    const run = (ends.get(lane) ?? Promise.resolve()).then(work);
    ends.set(
      lane,
      run.catch(() => undefined),
    );
    return run;
  };
  for (const one of CASES)
    journeys.set(
      one,
      next(one.lane, () => runWith(one)),
    );
  for (const fault of DECISION_FAULTS) {
    const run = async () => {
      await bench.stage.lenders.order(DECIDER, 'decisions', fault, { seconds: secondsOf(fault) });
      return bench.decided();
    };
    decisions.set(fault, next(DECIDER, run));
  }
});

afterAll(async () => {
  await Promise.allSettled([...journeys.values(), ...decisions.values()]);
  await bench.close();
});

/** A journey whose lender sends other messages besides its answers. */
async function runWith({ lane, atQuestions, atMessages }: Case): Promise<MessagedJourney> {
  const { lenders } = bench.stage;
  const lender = lane.chosen;
  await bench.order(lane, atQuestions, secondsOf);
  for (const [index, message] of MESSAGES.entries()) {
    await lenders.order(lender, message, atMessages[index % atMessages.length], { seconds: 1 });
  }
  const applicant = await bench.begin(lane);
  await applicant.goOnTo('SANCTIONED');
  const { applicationId, payout } = await bench.recorded(applicant.id);
  const { loanReference } = payout;
  // Too late to replace the choice, so it is flagged for the operator.
  const revised = { lender, applicationId, reason: 'RATE_CHANGED', annualRatePercent: '12.49' };
  const revision = (await lenders.operator('POST', '/offer-revisions', revised)) as { id: string };
  await allTaken(lender);
  await eventually(async () => {
    expect(await bench.records.flags(applicant.id)).toEqual(['OFFER_REVISED']);
  }, TAKEN);
  const revoked = { lender, loanReference, event: 'MANDATE_REVOKED' };
  const event = (await lenders.operator('POST', '/loan-events', revoked)) as { id: string };
  const day = new Date(Date.now() + INDIA_MS).toISOString().slice(0, 10);
  const statement = (await lenders.operator('POST', '/statements', { lender, day })) as {
    ids: string[];
  };
  await allTaken(lender);
  const messages = {
    OFFER_REVISION: revision.id,
    LOAN_EVENT: event.id,
    STATEMENT: statement.ids[0],
  };
  return { id: applicant.id, messages };
}

/** Every message of the lender was processed, and none was refused. */
function allTaken(lender: string): Promise<unknown> {
  return eventually(async () => {
    const { messages } = await bench.stage.lenders.books();
    const open = messages.filter((one) => one.lender === lender && one.lastStatus !== '202');
    if (open.length > 0) throw new Error(`not taken: ${JSON.stringify(open)}`);
  }, TAKEN);
}

describe('a lender whose answers and messages go wrong once each', () => {
  it.each(CASES)('$name: the journey ends, and each was taken once', async (one) => {
    const { id, messages } = await journeys.get(one)!;
    await expectOneOfEach(bench, id, one.lane, ['OFFER_REVISED', 'LOAN_EVENT']);
    const kept = await bench.records.query(
      'SELECT kind, message_id AS id FROM lender_messages WHERE message_id = ANY ($1)',
      [Object.values(messages)],
    );
    const sent = Object.entries(messages).map(([kind, message]) => ({ kind, id: message }));
    expect(kept).toHaveLength(sent.length);
    expect(kept).toEqual(expect.arrayContaining(sent));
  });

  it.each(DECISION_FAULTS)('%s: an instant loan is decided on once', async (fault) => {
    const id = await decisions.get(fault)!;
    const [{ subjectId, reference }] = await bench.records.query<Record<string, string>>(
      `SELECT subject_id AS "subjectId", reference FROM lender_references
       WHERE application_id = $1 AND kind = 'LOAN'`,
      [id],
    );
    expect(await bench.records.flags(subjectId)).toEqual([]);
    const { applications, loans } = await bench.stage.lenders.books();
    // The lender decided on its only offer.
    expect(loans.filter(({ applicationId }) => applicationId === id)).toEqual([
      expect.objectContaining({ reference, offerReference: expect.any(String) }),
    ]);
    expect(applications).toContainEqual(
      expect.objectContaining({ applicationId: id, offers: 1, lender: DECIDER }),
    );
  });

  it('has done all that was ordered of it', async () => {
    const left = await bench.stage.lenders.faults();
    expect(left.filter(({ message }) => message !== 'answers')).toEqual([]);
  });

  // The short form omits this: there the conformance suite restarts the lender.
  it.each(inForm<readonly Lane[]>({ short: [], long: LANES.slice(0, 1) }))(
    'that is restarted between its verdict and its answer gives the same verdict afterwards',
    async (lane) => {
      const { lenders } = bench.stage;
      for (const question of QUESTIONS) await lenders.order(lane.chosen, question, 'silent');
      const applicant = await bench.begin(lane);
      const journey = applicant.goOnTo('SANCTIONED');
      for (const question of QUESTIONS) {
        await eventually(
          async () => !(await lenders.faults()).some(({ message }) => message === question),
          { withinMs: 45_000 },
        );
        await lenders.goAway();
        await lenders.comeBack();
      }
      await journey;
      await expectOneOfEach(bench, applicant.id, lane);
    },
  );
});
