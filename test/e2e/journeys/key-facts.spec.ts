import { expect, it } from 'vitest';
import { formatRupees } from '../../../src/loans/index.js';
import { withoutSandboxTime } from '../../support/without-sandbox-time.ts';
import type { Offer } from '../../support/partner-client.ts';
import { DAY, journeyBench } from './journey-bench.js';

const bench = journeyBench();

async function read(link: string): Promise<string> {
  const { status, text } = await bench.browse(link);
  expect(status).toBe(200);
  return withoutSandboxTime(text);
}

/** The figures of an API offer, as the page writes them. */
function figuresOf({ tenure, emiAmount, lastEmiAmount, netDisbursedAmount, apr }: Offer): string[] {
  const total = emiAmount * (tenure - 1) + lastEmiAmount;
  const amounts = [emiAmount, netDisbursedAmount, total].map((amount) =>
    formatRupees(amount * 100),
  );
  return [`EMI × ${tenure} months`, `${apr.toFixed(2)}%`, ...amounts];
}

it('the Key Facts Statement behind an offer’s link shows the whole offer before the choice and the agreed amounts from then on, and is stored sealed, with the hash that the eSign cites', async () => {
  const journey = await bench.startWithOffers();
  const offer = (await journey.offers())[0];
  const before = await read(offer.kfsLink);
  for (const words of [...figuresOf(offer), 'You borrow ₹2,00,000', offer.sellerName]) {
    expect(before).toContain(words);
  }

  await journey.select({ offerId: offer.offerId, loanAmount: 150_000 });
  const { selectedOffer } = await journey.read();
  expect(selectedOffer!.kfsLink).toBe(offer.kfsLink);
  const after = await read(offer.kfsLink);
  for (const words of [...figuresOf(selectedOffer!), 'You borrow ₹1,50,000']) {
    expect(after).toContain(words);
  }
  const rows = await bench.query('SELECT * FROM key_facts_statements WHERE journey_id = $1', [
    journey.id,
  ]);
  expect(rows).toMatchObject([
    {
      offer_id: offer.offerId,
      content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      content_sealed: expect.stringMatching(/^v1:test:/),
    },
  ]);
});

it('404: a link that was not given out is one with a letter changed, one of another kind, and none at all', async () => {
  const journey = await bench.startWithOffers();
  const { kfsLink, offerId } = (await journey.offers())[0];
  await journey.goOnTo('KYC_PENDING');
  const redirectUrl = await journey.redirectUrl();
  const changed = (link: string) => link.slice(0, -1) + (link.endsWith('A') ? 'B' : 'A');
  const tokenOf = (link: string) => link.split('/').at(-1)!;
  const base = bench.service.baseUrl;
  for (const url of [
    changed(kfsLink),
    `${base}/kfs/${offerId}.`,
    `${base}/kfs/${tokenOf(redirectUrl)}`,
    `${base}/kfs/x`,
    changed(redirectUrl),
    `${base}/r/${tokenOf(kfsLink)}`,
    `${base}/r/x`,
    `${base}/sandbox/provider/${tokenOf(redirectUrl)}`,
  ]) {
    expect([url, (await bench.browse(url)).status]).toEqual([url, 404]);
  }
  expect((await bench.browse(kfsLink)).status).toBe(200);
});

it('the Key Facts Statement stays the same, byte for byte, whatever becomes of the lender’s terms and of the time', async () => {
  const journey = await bench.startWithOffers();
  const [{ kfsLink: offered }, { kfsLink: other }] = await journey.offers();
  await journey.select({ loanAmount: 150_000 });
  const frozen = await read(offered);
  const notChosen = await read(other);
  const termsNow = async () => JSON.stringify(await bench.query('SELECT terms FROM lenders'));
  expect(await termsNow()).toContain('Clause');
  await bench.configure(
    `UPDATE lenders SET name = 'Another Lender', terms = replace(replace(replace(terms::text,
       '"annualRatePercent": ', '"annualRatePercent": 1'), 'Clause', 'Sentence'),
       '"coolingOffDays": ', '"coolingOffDays": 2')::jsonb`,
  );
  expect(await termsNow()).not.toContain('Clause');
  expect(await read(offered)).toBe(frozen);
  expect(await read(other)).toBe(notChosen);
  await bench.service.travel(400 * DAY);
  expect(await read(offered)).toBe(frozen);
});
