import { expect, it } from 'vitest';
import type { LenderOffer } from '../../../src/lenders/index.js';
import { journeyBench } from './journey-bench.js';

const bench = journeyBench({ isOneLender: true });

it('offers that do not hold are refused beside others, flagged once a reason, and their lender gets the problems', async () => {
  const wrong = (offer: LenderOffer, reference: string) => ({
    ...offer,
    reference,
    apr: offer.apr + 5,
  });
  const refused = [{ offerReference: 'B-1', problem: 'REPAYMENT_KIND', stated: 'BULLET' }];
  bench.lendersOffer(
    (offer) => [
      wrong(offer, 'one'),
      wrong(offer, 'two'),
      { ...offer, reference: 'three', tenureMonths: 0 },
      { ...offer, reference: 'good', instalment: offer.instalment + 100, apr: offer.apr + 0.01 },
      bench.soundOffer(),
    ],
    refused,
  );
  const journey = await bench.startWithOffers();
  const { offers } = await journey.read();
  expect(offers).toHaveLength(2);
  // The service shows its own figures, not those that the lender claims.
  expect(offers[0]).toMatchObject({ apr: 0, emiAmount: 10_000, interestRate: 0 });
  expect(offers[1].emiAmount).toBe(6_594);
  const flags = (await journey.flags()).map(
    ({ kind, count, detail }) => `${kind} ${String(detail.problem ?? detail.reason)} ${count}`,
  );
  expect(flags.toSorted()).toEqual([
    'OFFER_REFUSED FIGURES_DISAGREE 2',
    'OFFER_REFUSED IMPOSSIBLE_TERMS 1',
    'OFFER_REFUSED REPAYMENT_KIND 1',
  ]);
  const [{ payload }] = await journey.withdrawals();
  expect(payload).toMatchObject({
    applicant: { mobile: '', pan: '' },
    withdrawal: {
      reason: 'OFFER_REFUSED',
      refusedOffers: expect.arrayContaining([
        ...refused,
        expect.objectContaining({ offerReference: 'one', problem: 'APR' }),
      ]) as object[],
    },
  });
});
