import { describe, expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import type { Offer } from '../../support/partner-client.js';
import { DAY, HOUR, type TestJourney, refusal, journeyBench } from './journey-bench.js';

const ASKED = 200_000;

const bench = journeyBench();

function emiOf(principal: number, { interestRate, tenure }: Offer): number {
  const rate = interestRate / 1_200;
  const growth = (1 + rate) ** tenure;
  return Math.round((principal * rate * growth) / (growth - 1));
}

async function intentsOf({ id }: TestJourney): Promise<string[]> {
  const rows = await bench.query<{ status: string }>(
    'SELECT status FROM journey_intents WHERE journey_id = $1 ORDER BY created_at',
    [id],
  );
  return rows.map(({ status }) => status);
}

it('200: an offer is selected for less than was asked, with paise: it is quoted again for that amount', async () => {
  const loanAmount = 123_456.78;
  const journey = await bench.startWithOffers();
  const [offer] = await journey.offers();
  const { status, json } = await journey.select({ loanAmount });
  expect(status).toBe(200);
  const { nextAction } = json.data;
  expect(nextAction).toEqual({
    type: 'REDIRECT_TO_KYC',
    category: 'REDIRECT',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/r\/rdr_[\w.-]+$/),
  });
  const after = await journey.read();
  expect(after).toMatchObject({
    state: 'KYC_PENDING',
    currentNextAction: nextAction,
    loanAmount: ASKED,
  });
  const { processingFees, netDisbursedAmount, ...selected } = after.selectedOffer!;
  const { offerId, sellerName, tenure, interestRate, minimumLoanAmount, kfsLink } = offer;
  expect(selected).toMatchObject({
    offerId,
    sellerName,
    tenure,
    interestRate,
    minimumLoanAmount,
    kfsLink,
    loanAmount,
    principalAmount: loanAmount,
    emiAmount: emiOf(loanAmount, offer),
    branchLocations: [],
  });
  expect(netDisbursedAmount).toBeCloseTo(loanAmount - processingFees, 2);
  expect(processingFees > 0 && processingFees <= offer.processingFees).toBe(true);
  // The offers are unchanged, except that they have no rank: only the selection was quoted again.
  const { rank: _rank, metric: _metric, ...unranked } = offer;
  expect(after.offers.find((one) => one.offerId === offerId)).toEqual(unranked);
  expect(await intentsOf(journey)).toEqual(['COMPLETED']);
});

it('400: an action that does not fit the journey leaves it where it is', async () => {
  const journey = await bench.startWithOffers();
  const [{ offerId }] = await journey.offers();
  const other = (await (await bench.startWithOffers()).offers())[0].offerId;
  const fieldsOf = async (body: object) => {
    const { json } = await bench.demo.post(`/journey/${journey.id}/action`, body, {
      session: journey.session,
    });
    expect(json.code).toBe('validation_failed');
    return json.details.map(({ field }) => field);
  };
  expect(await fieldsOf({ kind: 'SELECT_OFFERS', payload: {} })).toEqual(['kind']);
  expect(await fieldsOf({ kind: 'SELECT_OFFER' })).toEqual(['payload']);
  for (const payload of [{ offerId: 5 }, { offerId: 'off_1' }, { offerId: other }]) {
    expect(await fieldsOf({ kind: 'SELECT_OFFER', payload })).toEqual(['payload.offerId']);
  }
  const tooMuch = { offerId, loanAmount: 200_000.01 };
  expect(await fieldsOf({ kind: 'SELECT_OFFER', payload: tooMuch })).toEqual([
    'payload.loanAmount',
  ]);
  expect((await journey.read()).state).toBe('OFFERS_RECEIVED');
  expect(await intentsOf(journey)).toEqual([]);
  expect((await journey.select({ loanAmount: 1_000 })).status).toBe(200);
});

describe('409: not now', () => {
  it('is the answer before the offers are there, and after one was selected, for the whole amount as none was named', async () => {
    const journey = await bench.start({ pan: 'SANDX0002A' });
    expect(refusal(await journey.select({ offerId: 'off_1' }))).toEqual([409, 'wrong_step']);
    const other = await bench.startWithOffers();
    const [{ offerId }] = await other.offers();
    await other.select({ offerId });
    expect(refusal(await other.select({ offerId }))).toEqual([409, 'wrong_step']);
    expect((await other.read()).selectedOffer).toMatchObject({
      loanAmount: ASKED,
      principalAmount: ASKED,
    });
  });

  it('is the answer to an offer that has expired, which is no longer shown either', async () => {
    const validity = `UPDATE lenders SET terms =
      jsonb_set(terms, '{products,ONLINE_PERSONAL,offerValidDays}', $1) WHERE code = 'navdhara'`;
    await bench.configure(validity, ['5']);
    const journey = await bench.startWithOffers();
    const offers = await journey.offers();
    const short = offers.find(({ sellerName }) => sellerName.startsWith('Navdhara'))!;
    await bench.service.travel(5 * DAY - HOUR);
    expect(await journey.offers()).toHaveLength(3);
    await bench.service.travel(2 * HOUR);
    for (const loanAmount of [undefined, short.principalAmount + 1]) {
      const answer = await journey.select({ offerId: short.offerId, loanAmount });
      expect(refusal(answer)).toEqual([409, 'offer_expired']);
    }
    const left = offers.filter((one) => one !== short);
    expect(await journey.offers()).toEqual(left.map((one, index) => ({ ...one, rank: index + 1 })));
    expect((await journey.select({ offerId: left[0].offerId })).status).toBe(200);
    await bench.configure(validity, ['7']);
  });
});

it('503: the lender cannot quote: nothing has changed, and the next try works', async () => {
  const journey = await bench.startWithOffers();
  const before = await journey.read();
  for (const failure of [new LenderUnavailable('down'), new TypeError('fetch failed')]) {
    vi.spyOn(bench.lender, 'quote').mockRejectedValueOnce(failure);
    const answer = await journey.select();
    expect(refusal(answer)).toEqual([503, 'lender_unavailable']);
    expect(answer.headers['retry-after']).toBe('5');
    expect(await journey.read()).toEqual(before);
  }
  const frozen = await bench.query('SELECT 1 FROM key_facts_statements WHERE journey_id = $1', [
    journey.id,
  ]);
  expect(frozen).toEqual([]);
  expect((await journey.select()).status).toBe(200);
  expect(await intentsOf(journey)).toEqual(['WITHDRAWN', 'WITHDRAWN', 'COMPLETED']);
});
