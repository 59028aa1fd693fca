// Isolated: its process is killed, and lenders are outside it.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
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

/** Each takes the ten seconds of a call. */
const LONG_FAULTS: readonly FaultKind[] = ['slow', 'silent'];
const LONGER_THAN_A_CALL_S = 11;

const [LONG_LANE, ...QUICK_LANES] = LANES;

/** Journeys of one lane at the same time, which meet these faults in turn at their questions. */
interface Case {
  readonly name: string;
  readonly faults: readonly FaultKind[];
  readonly lane: Lane;
  readonly together: number;
}

/** Every fault at one question; one journey has time for one fault that takes long. */
const SHORT = QUICK_LANES.map((lane, index) => {
  const quick = QUICK_FAULTS.filter((_, place) => place % QUICK_LANES.length === index);
  return caseOf([...quick.slice(0, 2), LONG_FAULTS[index], ...quick.slice(2)], lane);
});

/** Every fault at every question. */
const LONG = [
  ...QUICK_FAULTS.map((fault, index) => caseOf([fault], QUICK_LANES[index % QUICK_LANES.length])),
  ...LONG_FAULTS.map((fault) => caseOf([fault], LONG_LANE, 4)),
];

const CASES = inForm({ short: SHORT, long: LONG });
const DECISION_FAULTS = inForm<readonly FaultKind[]>({
  short: ['late-poll'],
  long: [...QUICK_FAULTS, ...LONG_FAULTS],
});
/** Where the lender answers nothing, or is restarted before it has answered. */
const UNANSWERED = inForm<readonly (typeof QUESTIONS)[number][]>({
  short: ['offers', 'selections'],
  long: QUESTIONS,
});

const secondsOf = (fault: FaultKind) => (fault === 'slow' ? LONGER_THAN_A_CALL_S : 1);

function caseOf(faults: readonly FaultKind[], lane: Lane, together = 1): Case {
  return { name: faults.join(', '), faults, lane, together };
}

let bench: FaultBench;
const journeys = new Map<Case, Promise<string[]>>();
const decisions = new Map<FaultKind, Promise<string>>();

/** All lanes at the same time, and on a lane one case after another. */
beforeAll(async () => {
  bench = await FaultBench.open();
  const ends = new Map<Lane | typeof DECIDER, Promise<unknown>>();
  const next = <Result>(lane: Lane | typeof DECIDER, work: () => Promise<Result>) => {
    const run = (ends.get(lane) ?? Promise.resolve()).then(work);
    const end = run.catch(() => undefined);
    ends.set(lane, end);
    return run;
  };
  for (const one of CASES) {
    const run = async () => {
      await bench.order(one.lane, one.faults, secondsOf);
      return Promise.all(Array.from({ length: one.together }, () => bench.sanctioned(one.lane)));
    };
    journeys.set(one, next(one.lane, run));
  }
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

describe('a lender that does wrong once at each question', () => {
  it.each(CASES)('$name: journeys end, nothing was done twice', async (one) => {
    for (const id of await journeys.get(one)!) await expectOneOfEach(bench, id, one.lane);
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
    const [loan, ...more] = loans.filter(({ applicationId }) => applicationId === id);
    expect(more).toEqual([]);
    // It was decided on the one offer that was made.
    expect(loan.offerReference).not.toBeNull();
    expect(applications).toContainEqual(
      expect.objectContaining({ applicationId: id, offers: 1, lender: DECIDER }),
    );
    expect(reference).toBe(loan.reference);
  });

  it('has done all that was ordered of it', async () => {
    expect(await bench.stage.lenders.faults()).toEqual([]);
  });
});

describe('a lender whose figures are two rupees off', () => {
  const [lane] = QUICK_LANES;

  afterEach(() => bench.stage.lenders.takeFaultsBack());

  it('makes no offer that anybody sees, and reads why', async () => {
    await bench.stage.lenders.order(lane.other, 'offers', 'two-rupees-off');
    const applicant = await bench.begin(lane);
    const { offers } = await applicant.driveTo('OFFERS_RECEIVED');
    expect(offers.map(({ lenderCode }) => lenderCode)).toEqual([lane.chosen]);
    const { applicationId } = await bench.recorded(applicant.id);
    await eventually(async () => {
      const { withdrawals } = await bench.stage.lenders.books();
      const told = withdrawals.filter((one) => one.applicationId === applicationId);
      expect(told).toMatchObject([{ lender: lane.other, reason: 'OFFER_REFUSED' }]);
    });
    expect(await bench.records.flags(applicant.id)).toEqual(['OFFER_REFUSED']);
  });

  it('binds nobody by a quote, and its payout is put before the operator', async () => {
    const { lenders } = bench.stage;
    await lenders.order(lane.chosen, 'quotes', 'two-rupees-off');
    // However often it is asked before it has paid out.
    await lenders.order(lane.chosen, 'disbursements', 'two-rupees-off', { times: null });
    // Its own word of the payout, which is right, must not come first.
    await lenders.order(lane.chosen, 'answers', 'silent', { times: null });
    const id = await bench.sanctioned(lane);
    const { applicationId, payout } = await bench.recorded(id);
    const { payouts, selections } = await lenders.books();
    const [paid] = payouts.filter((one) => one.applicationId === applicationId);
    expect(payout.amount).toBe(paid.amount + 200);
    expect(selections.filter((one) => one.applicationId === applicationId)).toHaveLength(1);
    expect(await bench.records.flags(id)).toContain('PAYOUT_DIFFERS');
  });
});

describe('a lender that answers nothing the first time', () => {
  it('is asked again under the same key, whoever asks, so that it can answer', async () => {
    const [lane] = QUICK_LANES;
    const { lenders } = bench.stage;
    const always = { times: null, seconds: 1 };
    for (const question of UNANSWERED) {
      await lenders.order(lane.chosen, question, 'late-poll', always);
    }
    await expectOneOfEach(bench, await bench.sanctioned(lane), lane);
    await lenders.takeFaultsBack();
  });
});

describe('a lender that is restarted between its verdict and its answer', () => {
  it('gives the same verdict afterwards', async () => {
    const [lane] = QUICK_LANES;
    const { lenders } = bench.stage;
    for (const question of UNANSWERED) await lenders.order(lane.chosen, question, 'silent');
    const journey = bench.sanctioned(lane);
    for (const question of UNANSWERED) {
      await eventually(
        async () => !(await lenders.faults()).some(({ message }) => message === question),
        { withinMs: 45_000 },
      );
      await lenders.goAway();
      await lenders.comeBack();
    }
    await expectOneOfEach(bench, await journey, lane);
  });
});
