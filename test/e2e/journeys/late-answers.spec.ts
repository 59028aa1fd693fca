import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { LenderAnswer } from '../../../src/lenders/index.js';
import { AbandonmentTasks } from '../../../src/journeys/background/journey.tasks.js';
import { BANK_ACCOUNT } from '../../support/loan-requests.js';

import { DAY, type TestJourney, journeyBench } from './journey-bench.js';

const PASSED: LenderAnswer = { kind: 'PASSED' };
const REFUSED: LenderAnswer = { kind: 'REFUSED', reason: 'TEST' };

const bench = journeyBench({ isOneLender: true });

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

it('what comes after the end is kept, flagged and moves nothing: KYC after ABANDONED', async () => {
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

describe('what comes twice', () => {
  it('pays out once, at the time that the lender names, when many deliveries of it come at the same time, and is flagged when it says otherwise', async () => {
    bench.lendersAnswer(({ kind }) =>
      kind === 'DISBURSEMENT' ? Promise.resolve({ status: 'PENDING' }) : null,
    );
    const journey = await bench.startWithOffers();
    const { selectedOffer } = await journey.goOnTo('DISBURSEMENT_PENDING');
    const about = { kind: 'DISBURSEMENT', reference: selectedOffer!.offerId } as const;
    const paidAt = new Date(bench.service.now().getTime() - 3_000).toISOString();
    const paid = {
      kind: 'PAID',
      paidAt,
      amount: Math.round(selectedOffer!.netDisbursedAmount * 100),
      transferReference: 'T1',
      accountLastFour: BANK_ACCOUNT.accNo.slice(-4),
    } as const;
    const once = { ...about, answerId: 'paid-once' };
    const taken = await Promise.all(
      Array.from({ length: 8 }, () => bench.deliverTo(journey.id, paid, once)),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
    const before = await journey.reaches('SANCTIONED');
    expect(before).toMatchObject({ disbursedAt: paidAt });
    const names = await journey.eventNames();
    expect(names.filter((name) => name === 'journey.completed')).toHaveLength(1);
    // The same payout under another id.
    expect(await bench.deliverTo(journey.id, paid, about)).toBe(true);
    expect(await journey.read()).toEqual(before);
    expect(await journey.flags()).toEqual([]);
    const other = { ...paid, transferReference: 'T9' };
    const detail = { kind: 'DISBURSEMENT', answer: 'PAID', amount: paid.amount };
    await expectOnlyFlagged(journey, () => bench.deliverTo(journey.id, other, about), {
      ...detail,
      state: 'SANCTIONED',
    });
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

it('what is about something else is flagged when it is about another journey’s redirect, and moves neither', async () => {
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
