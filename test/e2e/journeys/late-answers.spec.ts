import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import type { LenderAnswer, LenderQuestion } from '../../../src/lenders/index.js';
import { AbandonmentTasks } from '../../../src/journeys/background/journey.tasks.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { BANK_ACCOUNT } from '../../support/loan-requests.js';

import { DAY, JourneyBench, type TestJourney, journeyBench } from './journey-bench.js';

const PASSED: LenderAnswer = { kind: 'PASSED' };
const REFUSED: LenderAnswer = { kind: 'REFUSED', reason: 'TEST' };

const bench = journeyBench({ isOneLender: true });

/** The lenders leave this kind of question open, so that a test can answer it. */
function keepSilentOn(kind: LenderQuestion['kind']): void {
  const connector = bench.service.get(SandboxLender);
  const ask = connector.ask.bind(connector);
  vi.spyOn(connector, 'ask').mockImplementation((question) =>
    question.kind === kind ? Promise.resolve({ status: 'PENDING' }) : ask(question),
  );
}

type PaidAnswer = Extract<LenderAnswer, { kind: 'PAID' }>;

async function paid(journey: TestJourney, more: object = {}): Promise<PaidAnswer> {
  const { selectedOffer } = await journey.read();
  return {
    kind: 'PAID',
    paidAt: bench.service.now().toISOString(),
    amount: Math.round(selectedOffer!.netDisbursedAmount * 100),
    transferReference: 'T1',
    ...more,
  };
}

async function selectedOfferId(journey: TestJourney): Promise<string> {
  return (await journey.read()).selectedOffer!.offerId;
}

async function atPayout(): Promise<TestJourney> {
  keepSilentOn('DISBURSEMENT');
  const journey = await bench.startWithOffers();
  await journey.goOnTo('DISBURSEMENT_PENDING');
  return journey;
}

type About = Parameters<JourneyBench['deliverTo']>[2];

/** A journey that waits for its payout, and the subject of the lender's answer. */
async function awaitingPayout(): Promise<[TestJourney, About]> {
  const journey = await atPayout();
  return [journey, { kind: 'DISBURSEMENT', reference: await selectedOfferId(journey) }];
}

/** Expects that an answer was only stored and flagged for the operator. */
async function expectOnlyFlagged(
  journey: TestJourney,
  deliver: () => Promise<boolean>,
  detail: Record<string, unknown>,
): Promise<void> {
  const before = await journey.read();
  const events = await journey.eventNames();
  const flags = await journey.flags();
  expect(await deliver()).toBe(true);
  expect(await journey.read()).toEqual(before);
  expect(await journey.eventNames()).toEqual(events);
  const fresh = (await journey.flags()).filter(
    (flag) => !flags.some((known) => isDeepStrictEqual(known, flag)),
  );
  expect(fresh).toMatchObject([{ kind: 'LATE_ANSWER', detail }]);
  const inboxId = fresh[0].detail.inboxId as number;
  const kept = await bench.query(
    'SELECT subject_id, answer_sealed, consumed_at FROM lender_inbox WHERE id = $1',
    [inboxId],
  );
  expect(kept).toEqual([
    {
      subject_id: journey.id,
      answer_sealed: expect.stringMatching(/^v1:/),
      consumed_at: expect.any(Date),
    },
  ]);
}

describe('what comes after the end', () => {
  it('is kept, flagged and moves nothing: an offer after REJECTED', async () => {
    const journey = await bench.start({ pan: 'SANDX0001A' });
    await journey.reaches('REJECTED');
    const about = { kind: 'OFFERS', reference: '1' } as const;
    await expectOnlyFlagged(
      journey,
      () => bench.deliverTo(journey.id, { kind: 'OFFERED', offers: [] }, about),
      { kind: 'OFFERS', answer: 'OFFERED', state: 'REJECTED' },
    );
  });

  it('is kept, flagged and moves nothing: KYC after ABANDONED', async () => {
    const journey = await bench.startWithOffers();
    await journey.goOnTo('KYC_PENDING');
    await bench.service.travel(8 * DAY);
    await bench.service.get(AbandonmentTasks).run();
    await journey.reaches('ABANDONED');
    const reference = await journey.redirectId('KYC');
    await expectOnlyFlagged(
      journey,
      () => bench.deliverTo(journey.id, PASSED, { kind: 'KYC', reference }),
      { kind: 'KYC', answer: 'PASSED', state: 'ABANDONED' },
    );
    const [redirect] = await bench.query('SELECT verdict FROM journey_redirects WHERE id = $1', [
      reference,
    ]);
    expect(redirect).toEqual({ verdict: 'PASSED' });
  });

  it('is kept, flagged and moves nothing: a payout after it was refused', async () => {
    const [journey, about] = await awaitingPayout();
    expect(await bench.deliverTo(journey.id, REFUSED, about)).toBe(true);
    expect(await journey.read()).toMatchObject({
      state: 'REJECTED',
      outcomeReason: 'DISBURSEMENT_FAILED',
    });
    expect((await journey.eventNames()).at(-1)).toBe('journey.rejected');
    const late = await paid(journey);
    await expectOnlyFlagged(journey, () => bench.deliverTo(journey.id, late, about), {
      kind: 'DISBURSEMENT',
      answer: 'PAID',
      amount: late.amount,
      state: 'REJECTED',
    });
  });
});

describe('what comes twice', () => {
  it('moves the journey once when many deliveries of it come at the same time, and is flagged when it says otherwise', async () => {
    const [journey, about] = await awaitingPayout();
    const answer = await paid(journey, { loanReference: 'L-1' });
    const once = { ...about, answerId: 'paid-once' };
    const taken = await Promise.all(
      Array.from({ length: 8 }, () => bench.deliverTo(journey.id, answer, once)),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
    const before = await journey.reaches('SANCTIONED');
    const names = await journey.eventNames();
    expect(names.filter((name) => name === 'journey.completed')).toHaveLength(1);
    // The same payout under another id.
    expect(await bench.deliverTo(journey.id, answer, about)).toBe(true);
    expect(await journey.read()).toEqual(before);
    expect(await journey.flags()).toEqual([]);
    const paidAt = new Date(bench.service.now().getTime() + DAY).toISOString();
    const others: LenderAnswer[] = [
      { ...answer, amount: 1 },
      { ...answer, transferReference: 'T9' },
      { ...answer, loanReference: 'L-2' },
      { ...answer, paidAt },
      REFUSED,
    ];
    for (const other of others) {
      const detail = { kind: 'DISBURSEMENT', answer: other.kind, state: 'SANCTIONED' };
      await expectOnlyFlagged(journey, () => bench.deliverTo(journey.id, other, about), detail);
    }
  });

  it('counts a failed try and moves the journey once when it is the same answer, and is flagged when it says otherwise', async () => {
    const journey = await bench.startWithOffers();
    await journey.goOnTo('KYC_PENDING');
    const failed = { kind: 'KYC', reference: await journey.redirectId('KYC') } as const;
    for (let time = 1; time <= 4; time += 1) {
      await bench.deliverTo(journey.id, { kind: 'FAILED', reason: 'TEST' }, failed);
    }
    expect((await journey.read()).state).toBe('KYC_PENDING');
    const [row] = await bench.query('SELECT step_failures FROM journeys WHERE id = $1', [
      journey.id,
    ]);
    expect(row).toEqual({ step_failures: 1 });
    const about = { kind: 'KYC', reference: await journey.redirectId('KYC') } as const;
    const once = { ...about, answerId: 'passed-once' };
    expect(await bench.deliverTo(journey.id, PASSED, once)).toBe(true);
    expect(await bench.deliverTo(journey.id, PASSED, once)).toBe(false);
    expect((await journey.read()).state).toBe('BANK_ACCOUNT_PENDING');
    const names = await journey.eventNames();
    expect(names.filter((name) => name === 'journey.kyc_done')).toHaveLength(1);
    expect(await journey.flags()).toEqual([]);
    await expectOnlyFlagged(journey, () => bench.deliverTo(journey.id, REFUSED, about), {
      answer: 'REFUSED',
      state: 'BANK_ACCOUNT_PENDING',
    });
  });
});

describe('what is about something else', () => {
  it('is flagged when it is about another journey’s redirect, and moves neither', async () => {
    const [one, other] = [await bench.startWithOffers(), await bench.startWithOffers()];
    await Promise.all([one.goOnTo('KYC_PENDING'), other.goOnTo('KYC_PENDING')]);
    const about = { kind: 'KYC', reference: await other.redirectId('KYC') } as const;
    await expectOnlyFlagged(one, () => bench.deliverTo(one.id, PASSED, about), {
      kind: 'KYC',
      state: 'KYC_PENDING',
    });
    expect((await other.read()).state).toBe('KYC_PENDING');
    // The journey of that redirect still waits for its verdict.
    await bench.deliverTo(other.id, PASSED, about);
    expect((await other.read()).state).not.toBe('KYC_PENDING');
  });
});

describe('what the lender says of the payout', () => {
  it('ends the journey well when it is the agreed sum, at the time that the lender names', async () => {
    const [journey, about] = await awaitingPayout();
    const paidAt = new Date(bench.service.now().getTime() - 3_000).toISOString();
    const accountLastFour = BANK_ACCOUNT.accNo.slice(-4);
    await bench.deliverTo(journey.id, await paid(journey, { paidAt, accountLastFour }), about);
    expect(await journey.read()).toMatchObject({ state: 'SANCTIONED', disbursedAt: paidAt });
    expect(await journey.flags()).toEqual([]);
  });

  it('ends it well and is flagged when its sum, time or account differs', async () => {
    const [journey, about] = await awaitingPayout();
    const paidAt = new Date(bench.service.now().getTime() + 2 * DAY).toISOString();
    const wrong = { paidAt, amount: 1_00, accountLastFour: '0000' };
    await bench.deliverTo(journey.id, await paid(journey, wrong), about);
    expect((await journey.read()).state).toBe('SANCTIONED');
    const [{ payout }] = await bench.query<{ payout: object }>(
      'SELECT payout FROM journeys WHERE id = $1',
      [journey.id],
    );
    expect(payout).toMatchObject({ transferReference: 'T1', accountLastFour: '0000' });
    expect(await journey.flags()).toMatchObject(
      [{ paidAt }, { amount: 1_00 }, { isOtherAccount: true }].map((detail) => ({
        kind: 'PAYOUT_DIFFERS',
        detail,
      })),
    );
  });

  it.each(['FAILED', 'DECLINED'] as const)('ends it when it is %s', async (kind) => {
    const [journey, about] = await awaitingPayout();
    await bench.deliverTo(journey.id, { kind, reason: 'TEST' }, about);
    const { state, outcomeReason } = await journey.read();
    expect([state, outcomeReason]).toEqual(['REJECTED', 'DISBURSEMENT_FAILED']);
  });

  it('is pending, never failure, when it says neither: a line is logged', async () => {
    const [journey, about] = await awaitingPayout();
    await bench.deliverTo(journey.id, PASSED, about);
    expect((await journey.read()).state).toBe('DISBURSEMENT_PENDING');
    expect(await journey.flags()).toMatchObject([
      { kind: 'UNREADABLE_ANSWER', detail: { kind: 'DISBURSEMENT', answer: 'PASSED' } },
    ]);
    await bench.deliverTo(journey.id, await paid(journey), about);
    expect((await journey.read()).state).toBe('SANCTIONED');
  });
});
