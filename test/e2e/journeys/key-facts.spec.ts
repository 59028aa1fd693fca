import { describe, expect, it } from 'vitest';
import { withoutSandboxTime } from '../../support/without-sandbox-time.ts';
import type { Offer } from '../../support/partner-client.ts';
import { DAY, journeyBench } from './journey-bench.js';

const bench = journeyBench();

/** The summary at the top of the page, by label. */
function summaryOf(page: string): Record<string, string> {
  const [, figures = ''] = page.split('<dl class="figs">');
  const [own] = figures.split('</dl>');
  const rows = own.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd>/g);
  return Object.fromEntries([...rows].map(([, label, value]) => [label, value]));
}

async function read(link: string): Promise<string> {
  const { status, text } = await bench.browse(link);
  expect(status).toBe(200);
  return withoutSandboxTime(text);
}

/** The figures of the offer's card, as the API returns them. */
function cardOf(offer: Offer): Record<string, string> {
  const { tenure, emiAmount, lastEmiAmount, netDisbursedAmount, apr } = offer;
  return {
    [`EMI × ${tenure} months`]: inRupees(emiAmount),
    APR: `${apr.toFixed(2)}%`,
    'You get': inRupees(netDisbursedAmount),
    'You repay': inRupees(emiAmount * (tenure - 1) + lastEmiAmount),
  };
}

const inRupees = (amount: number) => `₹${new Intl.NumberFormat('en-IN').format(amount)}`;

describe('the Key Facts Statement behind an offer’s link', () => {
  it('shows the whole offer before the choice and the agreed amounts from then on, and is stored sealed, with the hash that the eSign cites', async () => {
    const journey = await bench.startWithOffers();
    const offer = (await journey.offers())[0];
    const before = await read(offer.kfsLink);
    expect(summaryOf(before)).toEqual(cardOf(offer));
    expect(before).toContain('You borrow ₹2,00,000');
    expect(before).toContain(offer.sellerName);

    await journey.select({ offerId: offer.offerId, loanAmount: 150_000 });
    const { selectedOffer } = await journey.read();
    expect(selectedOffer!.kfsLink).toBe(offer.kfsLink);
    const after = await read(offer.kfsLink);
    expect(summaryOf(after)).toEqual(cardOf(selectedOffer!));
    expect(after).toContain('You borrow ₹1,50,000');
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
});

describe('404: a link that was not given out', () => {
  it('is one with a letter changed, one of another kind, and none at all', async () => {
    const journey = await bench.startWithOffers();
    const { kfsLink, offerId } = (await journey.offers())[0];
    await journey.select();
    const redirect = (await journey.redirectUrl()).split('/').at(-1)!;
    const last = kfsLink.endsWith('A') ? 'B' : 'A';
    const base = bench.service.baseUrl;
    for (const url of [
      kfsLink.slice(0, -1) + last,
      `${base}/kfs/${offerId}`,
      `${base}/kfs/${offerId}.`,
      `${base}/kfs/${redirect}`,
      `${base}/kfs/x`,
    ]) {
      expect((await bench.browse(url)).status).toBe(404);
    }
    expect((await bench.browse(kfsLink)).status).toBe(200);
  });
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
