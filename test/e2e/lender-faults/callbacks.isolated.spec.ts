// Isolated: its process is killed, and lenders are outside it.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FaultKind } from '../../../examples/lender/faults.ts';
import { eventually } from '../../support/eventually.js';
import { inForm } from '../../support/long-form.js';
import { expectOneOfEach, FaultBench, type Lane, LANES } from './fault-bench.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** What can go wrong with a message on its way; afterwards it is told again as it should be. */
const FAULTS: readonly FaultKind[] = [
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

/** Faults that a journey's messages meet, in turn. */
interface Case {
  readonly name: string;
  readonly faults: readonly FaultKind[];
  readonly lane: Lane;
}

function caseOf(faults: readonly FaultKind[], lane: Lane): Case {
  return { name: faults.join(', '), faults, lane };
}

/** Every fault at one message at least. */
const SHORT = LANES.map((lane, index) => {
  const from = index * MESSAGES.length;
  return caseOf(FAULTS.slice(from, from + MESSAGES.length), lane);
});
/** Every fault at every message. */
const LONG = FAULTS.map((fault, index) => caseOf([fault], LANES[index % LANES.length]));
const CASES = inForm({ short: SHORT, long: LONG });

interface ToldJourney {
  readonly id: string;
  /** The ids of the messages that are told beside the answers. */
  readonly messages: Readonly<Record<string, string>>;
}

let bench: FaultBench;
const journeys = new Map<Case, Promise<ToldJourney>>();

/** All lanes at the same time, and on a lane one case after another. */
beforeAll(async () => {
  bench = await FaultBench.open();
  const ends = new Map<Lane, Promise<unknown>>();
  for (const one of CASES) {
    const journey = (ends.get(one.lane) ?? Promise.resolve()).then(() => toldWith(one));
    const end = journey.catch(() => undefined);
    journeys.set(one, journey);
    ends.set(one.lane, end);
  }
});

afterAll(async () => {
  await Promise.allSettled(journeys.values());
  await bench.close();
});

/** A journey whose identity check is known by callback alone, and of which the lender tells more. */
async function toldWith({ faults, lane }: Case): Promise<ToldJourney> {
  const { lenders } = bench.stage;
  const lender = lane.chosen;
  await lenders.order(lender, 'steps', 'late', { seconds: 1 });
  for (const [index, message] of MESSAGES.entries()) {
    await lenders.order(lender, message, faults[index % faults.length], { seconds: 1 });
  }
  const applicant = await bench.begin(lane);
  await applicant.driveTo('SANCTIONED');
  const { applicationId, payout } = await bench.recorded(applicant.id);
  const { loanReference } = payout;
  // Too late to take the place of the choice: it is put before the operator.
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

/** Nothing that the lender has told waits any more, and nothing was refused. */
function allTaken(lender: string): Promise<unknown> {
  return eventually(async () => {
    const { messages } = await bench.stage.lenders.books();
    const open = messages.filter((one) => one.lender === lender && one.lastStatus !== '202');
    if (open.length > 0) throw new Error(`not taken: ${JSON.stringify(open)}`);
  }, TAKEN);
}

describe('a message that goes wrong on its way', () => {
  it.each(CASES)('$name: each is taken in the end, once', async (one) => {
    const { id, messages } = await journeys.get(one)!;
    await expectOneOfEach(bench, id, one.lane, ['OFFER_REVISED', 'LOAN_EVENT']);
    const kept = await bench.records.query<{ kind: string; id: string }>(
      'SELECT kind, message_id AS id FROM lender_messages WHERE message_id = ANY ($1)',
      [Object.values(messages)],
    );
    expect(Object.fromEntries(kept.map(({ kind, id: message }) => [kind, message]))).toEqual(
      messages,
    );
    expect(kept).toHaveLength(Object.keys(messages).length);
  });

  it('has come as often as it was ordered', async () => {
    expect(await bench.stage.lenders.faults()).toEqual([]);
  });
});

describe('a lender that is restarted before it has told its verdict', () => {
  it('tells it afterwards, and the journey goes on', async () => {
    const [lane] = LANES;
    const { lenders } = bench.stage;
    await lenders.order(lane.chosen, 'steps', 'late', { seconds: 2 });
    const applicant = await bench.begin(lane);
    const arrived = applicant.driveTo('BANK_ACCOUNT_PENDING');
    await eventually(async () => (await lenders.faults()).length === 0, TAKEN);
    await lenders.goAway();
    await lenders.comeBack();
    await arrived;
    await applicant.driveTo('SANCTIONED');
    await expectOneOfEach(bench, applicant.id, lane);
  });
});
