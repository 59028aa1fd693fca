import { beforeAll, describe, expect, it } from 'vitest';
import { loanRequest } from '../../support/loan-requests.js';
import { eventually } from '../../support/eventually.js';
import type { Journey, Offer } from '../../support/partner-client.js';
import { DAY, MINUTE, refusal, journeyBench } from './journey-bench.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

const AMOUNTS: (keyof Offer)[] = [
  'principalAmount',
  'emiAmount',
  'lastEmiAmount',
  'tenure',
  'interestRate',
  'apr',
  'processingFees',
  'netDisbursedAmount',
  'minimumLoanAmount',
];

const bench = journeyBench();

function fieldsOf(value: object): string[] {
  return Object.keys(value).toSorted();
}

describe('200: a journey that waits for its lenders', () => {
  it('has every field of the contract and of decisions §6, and no offers yet', async () => {
    const started = (await bench.demo.initiate(loanRequest({ pan: 'SANDX0002A' }))).json.data;
    const { status, json } = await bench.demo.journey(started.journeyId, started.journeySession);
    expect(status).toBe(200);
    expect(json.data).toEqual({
      journeyId: started.journeyId,
      applicationId: started.applicationId,
      productCode: 'ONLINE_PERSONAL',
      channel: 'API_HEADLESS',
      state: 'INITIATED',
      loanAmount: 200_000,
      loanAmountSource: 'PARTNER',
      currentNextAction: { type: 'POLL_LENDER_OFFERS', category: 'POLL' },
      offers: [],
      selectedOffer: null,
      outcome: 'IN_PROGRESS',
      pollIntervalSeconds: 2,
      createdAt: expect.stringMatching(ISO),
      updatedAt: expect.stringMatching(ISO),
    });
    const age = bench.service.now().getTime() - Date.parse(json.data.createdAt);
    expect(Math.abs(age)).toBeLessThan(5_000);
  });
});

describe.each(['ONLINE_PERSONAL', 'ONLINE_GOLD'])('200: the offers of %s', (productCode) => {
  const isGold = productCode === 'ONLINE_GOLD';
  let journey: Journey;

  beforeAll(async () => {
    const started = await bench.start({ productCode, loanAmount: 250_000.5 });
    journey = await started.reaches('OFFERS_RECEIVED');
  });

  it('are those of three lenders, with the fields and the types of the contract', () => {
    expect(journey.currentNextAction).toEqual({ type: 'SELECT_OFFER', category: 'ACTION' });
    expect(journey.offers.map((one) => one.principalAmount)).toEqual(Array(3).fill(250_000.5));
    expect(new Set(journey.offers.map(({ sellerName }) => sellerName)).size).toBe(3);
    for (const offer of journey.offers) {
      expect(fieldsOf(offer)).toEqual(
        [
          'offerId',
          'sellerName',
          'kfsLink',
          'validUntil',
          'contingentCharges',
          'coolingOffDays',
          'rank',
          'metric',
          'branchLocations',
          ...AMOUNTS,
        ].toSorted(),
      );
      expect(offer.offerId).toMatch(/^off_[0-9a-f]{32}$/);
      expect(offer.kfsLink).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/kfs\/off_[\w.-]+$/);
      expect(offer.validUntil).toMatch(ISO);
      for (const field of AMOUNTS) expect(offer[field]).toBeTypeOf('number');
      expect(offer.minimumLoanAmount).toBe(1_000);
    }
  });

  it('come lowest APR first', () => {
    const rates = journey.offers.map(({ apr }) => apr);
    expect(rates).toEqual(rates.toSorted((a, b) => a - b));
    expect(new Set(rates).size).toBeGreaterThan(1);
  });

  it(`have ${isGold ? 'branches, none of them selected' : 'an empty list of branches'}`, () => {
    for (const { branchLocations } of journey.offers) {
      expect(branchLocations!.length > 0).toBe(isGold);
      for (const branch of branchLocations!) {
        expect(branch).toEqual({
          id: expect.stringMatching(/^brn_[0-9a-f]{32}$/),
          branchName: expect.any(String),
          address: expect.any(String),
          latitude: expect.any(Number),
          longitude: expect.any(Number),
          isSelected: false,
        });
      }
    }
  });
});

describe('200: the figures themselves', () => {
  it('are those of the terms in the configuration', async () => {
    const { offers } = await (await bench.start()).reaches('OFFERS_RECEIVED');
    const navdhara = offers.find(({ sellerName }) => sellerName === 'Navdhara Capital Limited');
    // ₹2,00,000 at 11.49 % over 36 months: 2 % with 18 % tax are ₹4,720, stamp duty is ₹200.
    expect(navdhara).toMatchObject({
      emiAmount: 6_594,
      lastEmiAmount: 6_603,
      tenure: 36,
      interestRate: 11.49,
      processingFees: 4_920,
      apr: 13.23,
      netDisbursedAmount: 195_080,
    });
  });

  it('are of what the gold is good for, where more was asked', async () => {
    const goldLoanDetails = { jewellaryList: ['ring'], grams: '10' };
    const body = loanRequest({ productCode: 'ONLINE_GOLD', loanAmount: 2_000_000 });
    const { json } = await bench.demo.initiate({ ...body, goldLoanDetails });
    const journey = await eventually(async () => {
      const read = await bench.demo.journey(json.data.journeyId, json.data.journeySession);
      expect(read.json.data.state).toBe('OFFERS_RECEIVED');
      return read.json.data;
    });
    const principals = journey.offers
      .map(({ principalAmount }) => principalAmount)
      .toSorted((a, b) => a - b);
    // 85 % of ten grams at ₹9,000, ₹8,975 and ₹9,120.
    expect(principals).toEqual([76_287, 76_500, 77_520]);
    expect(journey.loanAmount).toBe(2_000_000);
  });
});

describe('the session of a journey', () => {
  it('needs no session when it is hosted', async () => {
    const { json } = await bench.demo.initiate(loanRequest({ channel: 'API_HOSTED' }));
    const read = await bench.demo.journey(json.data.journeyId);
    expect(read.status).toBe(200);
  });

  it('is good for thirty days after its end and no longer', async () => {
    const refused = await bench.start({ pan: 'SANDX0001A' });
    await refused.reaches('REJECTED');
    const session = () => bench.demo.journey(refused.id, refused.session);
    await bench.service.travel(30 * DAY - MINUTE);
    expect((await session()).status).toBe(200);
    await bench.service.travel(2 * MINUTE);
    expect(refusal(await session())).toEqual([401, 'journey_session_invalid']);
  });
});
