import { describe, expect, it, vi } from 'vitest';
import { LenderUnavailable } from '../../../src/lenders/index.js';
import { Clock } from '../../../src/platform/index.js';
import { SandboxLender } from '../../../src/sandbox/index.js';
import type { Offer } from '../../support/partner-client.js';
import { DAY, HOUR, type TestJourney, refusal, journeyBench } from './journey-bench.js';

const MINIMUM = 1_000;
const ASKED = 200_000;

const bench = journeyBench();

function lender(): SandboxLender {
  return bench.service.get(SandboxLender);
}

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

describe('200: an offer is selected', () => {
  it('for less than was asked, with paise: it is quoted again for that amount', async () => {
    const loanAmount = 123_456.78;
    const journey = await bench.startWithOffers();
    const [offer] = await journey.offers();
    const answer = await journey.select({ offerId: offer.offerId, loanAmount });
    expect(answer.status).toBe(200);
    const { nextAction } = answer.json.data;
    expect(nextAction).toEqual({
      type: 'REDIRECT_TO_KYC',
      category: 'REDIRECT',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/r\/rdr_[\w.-]+$/),
    });

    const after = await journey.read();
    expect(after.currentNextAction).toEqual(nextAction);
    expect(after).toMatchObject({ state: 'KYC_PENDING', outcome: 'IN_PROGRESS' });
    expect(after.loanAmount).toBe(ASKED);
    const selected = after.selectedOffer!;
    expect(selected).toMatchObject({
      offerId: offer.offerId,
      sellerName: offer.sellerName,
      loanAmount,
      principalAmount: loanAmount,
      emiAmount: emiOf(loanAmount, offer),
      tenure: offer.tenure,
      interestRate: offer.interestRate,
      minimumLoanAmount: MINIMUM,
      kfsLink: offer.kfsLink,
      branchLocations: [],
    });
    expect(selected.netDisbursedAmount).toBeCloseTo(loanAmount - selected.processingFees, 2);
    expect(selected.processingFees > 0 && selected.processingFees <= offer.processingFees).toBe(
      true,
    );
    // The offers do not change: only the selection was quoted again.
    expect(after.offers.find(({ offerId }) => offerId === offer.offerId)).toEqual({
      ...offer,
      // After the selection offers have no rank.
      rank: undefined,
      metric: undefined,
    });
    expect(await journey.eventNames()).toEqual([
      'journey.initiated',
      'journey.offers_received',
      'journey.offer_selected',
    ]);
    expect(await intentsOf(journey)).toEqual(['COMPLETED']);
  });

  it('is for the whole amount when none is named', async () => {
    const journey = await bench.startWithOffers();
    expect((await journey.select()).status).toBe(200);
    const { selectedOffer } = await journey.read();
    expect([selectedOffer!.loanAmount, selectedOffer!.principalAmount]).toEqual([ASKED, ASKED]);
  });
});

it('400: an action that does not fit the journey leaves it where it is', async () => {
  const journey = await bench.startWithOffers();
  const [{ offerId }] = await journey.offers();
  const other = (await (await bench.startWithOffers()).offers())[0].offerId;
  const post = (body: object) =>
    bench.demo.post(`/journey/${journey.id}/action`, body, { session: journey.session });
  for (const [body, field] of [
    [{ kind: 'SELECT_OFFERS', payload: {} }, 'kind'],
    [{ kind: 'SELECT_OFFER' }, 'payload'],
    ...[{ offerId: 5 }, { offerId: 'off_1' }, { offerId: '' }, { offerId: other }].map(
      (payload) => [{ kind: 'SELECT_OFFER', payload }, 'payload.offerId'],
    ),
    ...['100000', 1_000.001, 999.99, 200_000.01].map((loanAmount) => [
      { kind: 'SELECT_OFFER', payload: { offerId, loanAmount } },
      'payload.loanAmount',
    ]),
  ] as [object, string][]) {
    const { status, json } = await post(body);
    expect([body, status, json.code]).toEqual([body, 400, 'validation_failed']);
    expect(json.details.map((one) => one.field)).toEqual([field]);
  }
  const tooMuch = await journey.select({ offerId, loanAmount: 200_000.01 });
  expect(tooMuch.json.details).toEqual([
    { field: 'payload.loanAmount', message: 'must be from ₹1,000 to ₹2,00,000 for this offer' },
  ]);
  expect((await journey.read()).state).toBe('OFFERS_RECEIVED');
  expect(await intentsOf(journey)).toEqual([]);
  expect((await journey.select({ loanAmount: MINIMUM })).status).toBe(200);
});

describe('409: not now', () => {
  it('is the answer before the offers are there, and after one was selected', async () => {
    const journey = await bench.start({ pan: 'SANDX0002A' });
    expect(refusal(await journey.act('SELECT_OFFER', { offerId: 'off_1' }))).toEqual([
      409,
      'wrong_step',
    ]);
    const other = await bench.startWithOffers();
    const { offerId } = (await other.offers())[0];
    await other.select({ offerId });
    expect(refusal(await other.select({ offerId }))).toEqual([409, 'wrong_step']);
    expect(await other.eventNames()).toHaveLength(3);
  });

  it('is the answer to an offer that has expired, which is no longer shown either', async () => {
    const validity = `UPDATE lenders SET terms =
      jsonb_set(terms, '{products,ONLINE_PERSONAL,offerValidDays}', $1) WHERE code = 'navdhara'`;
    await bench.configure(validity, ['5']);
    try {
      const journey = await bench.startWithOffers();
      const offers = await journey.offers();
      const short = offers.find(({ sellerName }) => sellerName.startsWith('Navdhara'))!;
      await bench.service.travel(5 * DAY - HOUR);
      expect(await journey.offers()).toHaveLength(3);
      await bench.service.travel(2 * HOUR);
      const { status, json } = await journey.select({ offerId: short.offerId });
      expect([status, json.code]).toEqual([409, 'offer_expired']);
      const tooMuch = { offerId: short.offerId, loanAmount: short.principalAmount + 1 };
      expect((await journey.select(tooMuch)).json.code).toBe('offer_expired');
      const left = await journey.offers();
      expect(left).toEqual(
        offers
          .filter((one) => one !== short)
          .map((offer, index) => ({ ...offer, rank: index + 1 })),
      );
      expect((await journey.select({ offerId: left[0].offerId })).status).toBe(200);
    } finally {
      await bench.configure(validity, ['7']);
    }
  });

  it('is the answer to an offer that expires while its lender quotes', async () => {
    const journey = await bench.startWithOffers();
    const clock = bench.service.get<Clock>(Clock);
    const now = bench.service.now();
    const quote = lender().quote.bind(lender());
    vi.spyOn(lender(), 'quote').mockImplementationOnce(async (request) => {
      const quoted = await quote(request);
      vi.spyOn(clock, 'now').mockReturnValue(new Date(now.getTime() + 365 * DAY));
      return quoted;
    });
    const { status, json } = await journey.select();
    vi.restoreAllMocks();
    expect([status, json.code]).toEqual([409, 'offer_expired']);
    expect((await journey.read()).state).toBe('OFFERS_RECEIVED');
  });
});

it('503: the lender cannot quote: nothing has changed, and the next try works', async () => {
  const journey = await bench.startWithOffers();
  const before = await journey.read();
  for (const failure of [new LenderUnavailable('down'), new TypeError('fetch failed')]) {
    vi.spyOn(lender(), 'quote').mockRejectedValueOnce(failure);
    const { status, json, headers } = await journey.select();
    expect([status, json.code]).toEqual([503, 'lender_unavailable']);
    expect(headers['retry-after']).toBe('5');
    expect(await journey.read()).toEqual(before);
  }
  expect(await journey.eventNames()).toEqual(['journey.initiated', 'journey.offers_received']);
  const frozen = await bench.query('SELECT 1 FROM key_facts_statements WHERE journey_id = $1', [
    journey.id,
  ]);
  expect(frozen).toEqual([]);
  expect((await journey.select()).status).toBe(200);
  expect(await intentsOf(journey)).toEqual(['WITHDRAWN', 'WITHDRAWN', 'COMPLETED']);
});
