import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { LenderAnswer, LenderQuestion } from '../../../src/lenders/index.js';
import { AbandonmentTasks } from '../../../src/journeys/background/journey.tasks.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { BANK_ACCOUNT } from '../../support/loan-requests.js';
import { inForm } from '../../support/long-form.js';
import { DAY, JourneyBench, type TestJourney } from './journey-bench.js';

const PASSED: LenderAnswer = { kind: 'PASSED' };
const REFUSED: LenderAnswer = { kind: 'REFUSED', reason: 'TEST' };

let bench: JourneyBench;

beforeAll(async () => {
  bench = await JourneyBench.open();
  await bench.keepOneLender();
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(() => bench.close());

/** Has the lenders keep silent about a kind of question, so that a test can answer in their place. */
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

/** That an answer was kept and flagged for the operator, and that nothing else came of it. */
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

  const STEPS = [
    ['KYC', 'KYC_PENDING'],
    ['MANDATE', 'MANDATE_PENDING'],
    ['ESIGN', 'ESIGN_PENDING'],
  ] as const;

  it.each(inForm({ short: STEPS.slice(0, 1), long: STEPS.slice() }))(
    'is kept, flagged and moves nothing: %s after ABANDONED',
    async (step, state) => {
      const journey = await bench.startWithOffers();
      await journey.goOnTo(state);
      await bench.service.travel(8 * DAY);
      await bench.service.get(AbandonmentTasks).run();
      await journey.reaches('ABANDONED');
      const reference = await journey.redirectId(step);
      await expectOnlyFlagged(
        journey,
        () => bench.deliverTo(journey.id, PASSED, { kind: step, reference }),
        { kind: step, answer: 'PASSED', state: 'ABANDONED' },
      );
      const [redirect] = await bench.query('SELECT verdict FROM journey_redirects WHERE id = $1', [
        reference,
      ]);
      expect(redirect).toEqual({ verdict: 'PASSED' });
    },
  );

  it('is kept, flagged and moves nothing: a payout after it was refused', async () => {
    const journey = await atPayout();
    const about = { kind: 'DISBURSEMENT', reference: await selectedOfferId(journey) } as const;
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

  it.each([
    ['a second payout', (journey: TestJourney) => paid(journey, { transferReference: 'T2' })],
    ['a payout that came back', () => Promise.resolve(REFUSED)],
  ])('is kept, flagged and moves nothing: %s after SANCTIONED', async (_, late) => {
    const journey = await bench.startWithOffers();
    await journey.complete();
    const about = { kind: 'DISBURSEMENT', reference: await selectedOfferId(journey) } as const;
    const answer = await late(journey);
    await expectOnlyFlagged(journey, () => bench.deliverTo(journey.id, answer, about), {
      kind: 'DISBURSEMENT',
      answer: answer.kind,
      state: 'SANCTIONED',
    });
  });
});

describe('what comes twice', () => {
  it('changes nothing and is not flagged when it is the same payout under another id', async () => {
    const journey = await atPayout();
    const about = { kind: 'DISBURSEMENT', reference: await selectedOfferId(journey) } as const;
    const answer = await paid(journey, { loanReference: 'L-1' });
    expect(await bench.deliverTo(journey.id, answer, about)).toBe(true);
    const before = await journey.reaches('SANCTIONED');
    expect(await bench.deliverTo(journey.id, answer, about)).toBe(true);
    expect(await journey.read()).toEqual(before);
    expect(await journey.flags()).toEqual([]);
    const paidAt = new Date(bench.service.now().getTime() + DAY).toISOString();
    const others = [
      { amount: 1 },
      { transferReference: 'T9' },
      { loanReference: 'L-2' },
      { paidAt },
    ];
    for (const other of others) {
      const detail = { kind: 'DISBURSEMENT', answer: 'PAID', state: 'SANCTIONED' };
      const late = { ...answer, ...other } as LenderAnswer;
      await expectOnlyFlagged(journey, () => bench.deliverTo(journey.id, late, about), detail);
    }
  });

  it('moves the journey once when it is the same answer', async () => {
    const journey = await bench.startWithOffers();
    await journey.goOnTo('KYC_PENDING');
    const about = {
      kind: 'KYC',
      reference: await journey.redirectId('KYC'),
      answerId: 'a',
    } as const;
    expect(await bench.deliverTo(journey.id, PASSED, about)).toBe(true);
    expect(await bench.deliverTo(journey.id, PASSED, about)).toBe(false);
    expect((await journey.read()).state).toBe('BANK_ACCOUNT_PENDING');
    const names = await journey.eventNames();
    expect(names.filter((name) => name === 'journey.kyc_done')).toHaveLength(1);
    expect(await journey.flags()).toEqual([]);
  });

  it('moves it once when many deliveries of it come at the same time', async () => {
    const journey = await atPayout();
    const about = {
      kind: 'DISBURSEMENT',
      reference: await selectedOfferId(journey),
      answerId: 'paid-once',
    } as const;
    const answer = await paid(journey);
    const taken = await Promise.all(
      Array.from({ length: 8 }, () => bench.deliverTo(journey.id, answer, about)),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect((await journey.read()).state).toBe('SANCTIONED');
    const names = await journey.eventNames();
    expect(names.filter((name) => name === 'journey.completed')).toHaveLength(1);
    expect(await journey.flags()).toEqual([]);
  });

  it('is flagged when the second says otherwise', async () => {
    const journey = await bench.startWithOffers();
    await journey.goOnTo('KYC_PENDING');
    const about = { kind: 'KYC', reference: await journey.redirectId('KYC') } as const;
    await bench.deliverTo(journey.id, PASSED, about);
    await expectOnlyFlagged(journey, () => bench.deliverTo(journey.id, REFUSED, about), {
      answer: 'REFUSED',
      state: 'BANK_ACCOUNT_PENDING',
    });
  });

  it('counts a try that failed once, whatever number of times it is said', async () => {
    const journey = await bench.startWithOffers();
    await journey.goOnTo('KYC_PENDING');
    const about = { kind: 'KYC', reference: await journey.redirectId('KYC') } as const;
    for (let time = 1; time <= 4; time += 1) {
      await bench.deliverTo(journey.id, { kind: 'FAILED', reason: 'TEST' }, about);
    }
    expect((await journey.read()).state).toBe('KYC_PENDING');
    const [row] = await bench.query('SELECT step_failures FROM journeys WHERE id = $1', [
      journey.id,
    ]);
    expect(row).toEqual({ step_failures: 1 });
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
    // The verdict is still to come for the journey that the redirect is of.
    await bench.deliverTo(other.id, PASSED, about);
    expect((await other.read()).state).not.toBe('KYC_PENDING');
  });

  it('is flagged when there is no such journey, and holds up nothing', async () => {
    const subjectId = 'jrn_00000000000070008000000000000000';
    await bench.deliverTo(subjectId, PASSED, { kind: 'KYC', reference: 'rdr_1' });
    const flags = await bench.query(
      'SELECT kind, detail FROM operator_flags WHERE subject_id = $1',
      [subjectId],
    );
    expect(flags).toMatchObject([{ kind: 'LATE_ANSWER', detail: { state: null } }]);
    const journey = await bench.startWithOffers();
    expect((await journey.complete()).outcome).toBe('SANCTIONED');
  });
});

describe('what the lender says of the payout', () => {
  it('ends the journey well when it is the agreed sum, at the time that the lender names', async () => {
    const journey = await atPayout();
    const about = { kind: 'DISBURSEMENT', reference: await selectedOfferId(journey) } as const;
    const paidAt = new Date(bench.service.now().getTime() - 3_000).toISOString();
    const accountLastFour = BANK_ACCOUNT.accNo.slice(-4);
    await bench.deliverTo(journey.id, await paid(journey, { paidAt, accountLastFour }), about);
    expect(await journey.read()).toMatchObject({ state: 'SANCTIONED', disbursedAt: paidAt });
    expect(await journey.flags()).toEqual([]);
  });

  it('ends it well and is put before the operator when it is another sum', async () => {
    const journey = await atPayout();
    const about = { kind: 'DISBURSEMENT', reference: await selectedOfferId(journey) } as const;
    await bench.deliverTo(journey.id, await paid(journey, { amount: 1_00 }), about);
    expect((await journey.read()).state).toBe('SANCTIONED');
    expect(await journey.flags()).toMatchObject([
      { kind: 'PAYOUT_DIFFERS', detail: { amount: 1_00 } },
    ]);
  });

  it.each([2])('ends it well and is flagged when it is a time %s days from now', async (days) => {
    const journey = await atPayout();
    const about = { kind: 'DISBURSEMENT', reference: await selectedOfferId(journey) } as const;
    const paidAt = new Date(bench.service.now().getTime() + days * 86_400_000).toISOString();
    await bench.deliverTo(journey.id, await paid(journey, { paidAt }), about);
    expect((await journey.read()).state).toBe('SANCTIONED');
    expect(await journey.flags()).toMatchObject([{ kind: 'PAYOUT_DIFFERS', detail: { paidAt } }]);
  });

  it('keeps what its account ends in, and is flagged when that is not it', async () => {
    const journey = await atPayout();
    const about = { kind: 'DISBURSEMENT', reference: await selectedOfferId(journey) } as const;
    await bench.deliverTo(journey.id, await paid(journey, { accountLastFour: '0000' }), about);
    const [{ payout }] = await bench.query<{ payout: object }>(
      'SELECT payout FROM journeys WHERE id = $1',
      [journey.id],
    );
    expect(payout).toMatchObject({ transferReference: 'T1', accountLastFour: '0000' });
    expect(await journey.flags()).toMatchObject([
      { kind: 'PAYOUT_DIFFERS', detail: { isOtherAccount: true } },
    ]);
  });

  it.each<[string, LenderAnswer]>([
    ['FAILED', { kind: 'FAILED', reason: 'TEST' }],
    ['DECLINED', { kind: 'DECLINED', reason: 'TEST' }],
  ])('ends it when it is %s', async (_, answer) => {
    const journey = await atPayout();
    const about = { kind: 'DISBURSEMENT', reference: await selectedOfferId(journey) } as const;
    await bench.deliverTo(journey.id, answer, about);
    const { state, outcomeReason } = await journey.read();
    expect([state, outcomeReason]).toEqual(['REJECTED', 'DISBURSEMENT_FAILED']);
  });

  it('is pending, never failure, when it says neither: the operator is told', async () => {
    const journey = await atPayout();
    const about = { kind: 'DISBURSEMENT', reference: await selectedOfferId(journey) } as const;
    await bench.deliverTo(journey.id, PASSED, about);
    expect((await journey.read()).state).toBe('DISBURSEMENT_PENDING');
    expect(await journey.flags()).toMatchObject([
      { kind: 'UNREADABLE_ANSWER', detail: { kind: 'DISBURSEMENT', answer: 'PASSED' } },
    ]);
    await bench.deliverTo(journey.id, await paid(journey), about);
    expect((await journey.read()).state).toBe('SANCTIONED');
  });
});
