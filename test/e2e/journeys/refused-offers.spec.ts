import { afterEach, expect, it, vi } from 'vitest';

import type { LenderOffer, RefusedOffer } from '../../../src/lenders/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { type TestJourney, journeyBench } from './journey-bench.js';

const bench = journeyBench({ isOneLender: true });

/** The withdrawals that the lender got. */
let withdrawals: unknown[] = [];

afterEach(() => {
  withdrawals = [];
});

/** The lender answers with its offer, changed by `change`. */
async function offered(
  change: (offer: LenderOffer) => LenderOffer[],
  refused?: RefusedOffer[],
): Promise<TestJourney> {
  const connector = bench.service.get(SandboxLender);
  const ask = connector.ask.bind(connector);
  vi.spyOn(connector, 'ask').mockImplementation(async (question) => {
    if (question.kind === 'WITHDRAWAL') withdrawals.push(question.payload);
    const reply = await ask(question);
    if (reply.status !== 'ANSWERED' || reply.answer.kind !== 'OFFERED') return reply;
    const offers = reply.answer.offers.flatMap(change);
    return { ...reply, answer: { kind: 'OFFERED', offers, refused } };
  });
  const journey = await bench.start();
  await journey.wasAnswered(1);
  return journey;
}

it('offers that do not hold are refused beside others, flagged once a reason, and their lender gets the problems', async () => {
  const wrong = (offer: LenderOffer, reference: string) => ({
    ...offer,
    reference,
    apr: offer.apr + 5,
  });
  const refused = [{ offerReference: 'B-1', problem: 'REPAYMENT_KIND', stated: 'BULLET' }];
  const journey = await offered(
    (offer) => [
      wrong(offer, 'one'),
      wrong(offer, 'two'),
      { ...offer, reference: 'three', tenureMonths: 0 },
      { ...offer, reference: 'good', instalment: offer.instalment + 100, apr: offer.apr + 0.01 },
      bench.soundOffer(),
    ],
    refused,
  );
  const { offers } = await journey.reaches('OFFERS_RECEIVED');
  expect(offers).toHaveLength(2);
  // The service shows its own figures, not those that the lender claims.
  expect(offers[0]).toMatchObject({ apr: 0, emiAmount: 10_000, interestRate: 0 });
  expect(offers[1].emiAmount).toBe(6_594);
  const flags = await journey.flags();
  expect(flags).toHaveLength(3);
  const of = (detail: object, count: number) =>
    expect.objectContaining({
      kind: 'OFFER_REFUSED',
      count,
      detail: expect.objectContaining({ lenderCode: 'navdhara', ...detail }) as object,
    }) as object;
  expect(flags).toEqual(
    expect.arrayContaining([
      of({ problem: 'REPAYMENT_KIND' }, 1),
      of({ reason: 'FIGURES_DISAGREE' }, 2),
      of({ reason: 'IMPOSSIBLE_TERMS' }, 1),
    ]),
  );
  await eventually(() => {
    expect(withdrawals).toMatchObject([
      {
        applicant: { mobile: '', pan: '' },
        withdrawal: {
          reason: 'OFFER_REFUSED',
          refusedOffers: expect.arrayContaining([
            ...refused,
            expect.objectContaining({ offerReference: 'one', problem: 'APR' }),
          ]) as object[],
        },
      },
    ]);
  });
});

it('a journey whose offers are all refused ends for want of offers', async () => {
  const journey = await offered((offer) => [{ ...offer, instalment: offer.instalment - 200 }]);
  expect(await journey.reaches('REJECTED')).toMatchObject({
    offers: [],
    outcomeReason: 'NO_OFFERS',
  });
  const [flag] = await journey.flags();
  expect(flag).toMatchObject({ detail: { disagreements: [{ figure: 'instalment' }] } });
});
