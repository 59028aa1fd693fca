import { expect, it } from 'vitest';
import { BANK_ACCOUNT } from '../../support/loan-requests.js';

import { journeyBench } from './journey-bench.js';

const bench = journeyBench({ isOneLender: true });

it('a payout ends the journey once, at the time that the lender names, when many deliveries of it come at the same time; what comes later and says otherwise is kept, flagged and moves nothing', async () => {
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
  // The same payout in another answer.
  expect(await bench.deliverTo(journey.id, paid, about)).toBe(true);
  expect(await journey.read()).toEqual(before);
  expect(await journey.flags()).toEqual([]);
  // Another payout is stored and flagged, without further effect.
  expect(await bench.deliverTo(journey.id, { ...paid, transferReference: 'T9' }, about)).toBe(true);
  expect(await journey.read()).toEqual(before);
  expect(await journey.eventNames()).toEqual(names);
  const detail = { kind: 'DISBURSEMENT', answer: 'PAID', amount: paid.amount, state: 'SANCTIONED' };
  const [flag, ...more] = await journey.flags();
  expect([flag, more]).toMatchObject([{ kind: 'LATE_ANSWER', detail }, []]);
  const kept = await bench.query(
    'SELECT subject_id, answer_sealed, consumed_at FROM lender_inbox WHERE id = $1',
    [flag.detail.inboxId],
  );
  expect(kept).toEqual([
    {
      subject_id: journey.id,
      answer_sealed: expect.stringMatching(/^v1:/),
      consumed_at: expect.any(Date),
    },
  ]);
});
