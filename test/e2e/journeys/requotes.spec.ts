import { expect, it, vi } from 'vitest';

import { SandboxLender } from '../../../src/sandbox/index.js';
import { refusal, journeyBench } from './journey-bench.js';

const bench = journeyBench({ isOneLender: true });

it('409: the lender quotes something else than it offered: nothing has changed, and one line is logged', async () => {
  const journey = await bench.startWithOffers();
  const [{ offerId }] = await journey.offers();
  await bench.query(
    `INSERT INTO operator_flags (partner_id, subject_id, kind, cause, detail)
     SELECT partner_id, subject_id, 'OFFER_REFUSED', 'another', '{"offerId":"another","reason":"QUOTE_DIFFERS"}'
     FROM lender_questions WHERE subject_id = $1 LIMIT 1`,
    [journey.id],
  );
  const connector = bench.service.get(SandboxLender);
  const quote = connector.quote.bind(connector);
  const before = await journey.read();
  for (const loanAmount of [200_000, 200_000, 100_000]) {
    vi.spyOn(connector, 'quote').mockImplementationOnce(async (request) => {
      const quoted = (await quote(request))!;
      const [first, ...others] = quoted.fees;
      const fees = [{ ...first, amount: first.amount + 5_000_00 }, ...others];
      return { ...quoted, fees, netDisbursed: quoted.netDisbursed - 5_000_00 };
    });
    expect(refusal(await journey.select({ loanAmount }))).toEqual([409, 'offer_expired']);
  }
  expect(await journey.read()).toEqual(before);
  expect(await journey.eventNames()).toEqual(['journey.initiated', 'journey.offers_received']);
  const frozen = await bench.query('SELECT 1 FROM key_facts_statements WHERE journey_id = $1', [
    journey.id,
  ]);
  expect(frozen).toEqual([]);
  const detail = { reason: 'QUOTE_DIFFERS' };
  expect(await journey.flags()).toMatchObject([
    { kind: 'OFFER_REFUSED', detail: { ...detail, offerId: 'another' } },
    { kind: 'OFFER_REFUSED', detail: { ...detail, offerId, lenderCode: 'navdhara' } },
  ]);
  expect((await journey.select({ loanAmount: 100_000 })).status).toBe(200);
});
