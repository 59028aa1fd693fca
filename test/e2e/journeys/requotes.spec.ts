import { expect, it, vi } from 'vitest';

import { refusal, journeyBench } from './journey-bench.js';

const bench = journeyBench({ isOneLender: true });

it('409: the lender quotes something else than it offered: nothing has changed, and one line is logged', async () => {
  const journey = await bench.startWithOffers();
  const [{ offerId }] = await journey.offers();
  const { lender } = bench;
  const quote = lender.quote.bind(lender);
  const before = await journey.read();
  for (const loanAmount of [200_000, 200_000, 100_000]) {
    vi.spyOn(lender, 'quote').mockImplementationOnce(async (request) => {
      const quoted = (await quote(request))!;
      const [first, ...others] = quoted.fees;
      const fees = [{ ...first, amount: first.amount + 5_000_00 }, ...others];
      return { ...quoted, fees, netDisbursed: quoted.netDisbursed - 5_000_00 };
    });
    expect(refusal(await journey.select({ loanAmount }))).toEqual([409, 'offer_expired']);
  }
  expect(await journey.read()).toEqual(before);
  const frozen = await bench.query('SELECT 1 FROM key_facts_statements WHERE journey_id = $1', [
    journey.id,
  ]);
  expect(frozen).toEqual([]);
  const detail = { reason: 'QUOTE_DIFFERS', offerId, lenderCode: 'navdhara' };
  expect(await journey.flags()).toMatchObject([{ kind: 'OFFER_REFUSED', detail }]);
  expect((await journey.select({ loanAmount: 100_000 })).status).toBe(200);
});
