import { describe, expect, it } from 'vitest';
import { OFFER_METRIC } from '../../../src/matching/index.js';
import { loanRequest } from '../../support/loan-requests.js';
import { journeyBench } from './journey-bench.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const A_NUMBER = expect.any(Number) as number;
const A_TEXT = expect.any(String) as string;

const bench = journeyBench();

it('200: a journey that waits for its lenders has every field of the contract and of decisions §6, and no offers yet', async () => {
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

describe('200: the offers', () => {
  it.each(['ONLINE_PERSONAL', 'ONLINE_GOLD'])(
    'of %s are those of three lenders, lowest APR first, with every field of the contract; only gold has branches',
    async (productCode) => {
      const options = { productCode, loanAmount: 250_000.5 };
      const journey = await (await bench.startWithOffers(options)).read();
      expect(journey.currentNextAction).toEqual({ type: 'SELECT_OFFER', category: 'ACTION' });
      expect(journey.lendersWithoutOffer).toEqual([]);
      const { offers } = journey;
      expect(new Set(offers.map(({ sellerName }) => sellerName)).size).toBe(3);
      const rates = offers.map(({ apr }) => apr);
      expect(rates).toEqual(rates.toSorted((a, b) => a - b));
      expect(new Set(rates).size).toBeGreaterThan(1);
      const terms = await bench.query<{ id: string; terms: Record<string, unknown> }>(
        'SELECT id, terms FROM journey_offers WHERE journey_id = $1',
        [journey.journeyId],
      );
      for (const [index, offer] of offers.entries()) {
        const kept = terms.find(({ id }) => id === offer.offerId)!.terms;
        expect(offer.contingentCharges?.length).toBeGreaterThan(0);
        expect(offer).toEqual({
          offerId: expect.stringMatching(/^off_[0-9a-f]{32}$/),
          sellerName: A_TEXT,
          lenderCode: A_TEXT,
          principalAmount: 250_000.5,
          emiAmount: A_NUMBER,
          lastEmiAmount: A_NUMBER,
          tenure: A_NUMBER,
          interestRate: A_NUMBER,
          apr: A_NUMBER,
          processingFees: A_NUMBER,
          netDisbursedAmount: A_NUMBER,
          minimumLoanAmount: 1_000,
          kfsLink: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/kfs\/off_[\w.-]+$/),
          validUntil: expect.stringMatching(ISO),
          contingentCharges: kept.contingentCharges,
          coolingOffDays: kept.coolingOffDays,
          rank: index + 1,
          metric: OFFER_METRIC,
          branchLocations: expect.any(Array),
        });
        expect(offer.branchLocations.length > 0).toBe(productCode === 'ONLINE_GOLD');
        for (const branch of offer.branchLocations) {
          expect(branch).toEqual({
            id: expect.stringMatching(/^brn_[0-9a-f]{32}$/),
            branchName: A_TEXT,
            address: A_TEXT,
            latitude: A_NUMBER,
            longitude: A_NUMBER,
            isSelected: false,
          });
        }
      }
    },
  );

  it('have the figures of the terms in the configuration', async () => {
    const offers = await (await bench.startWithOffers()).offers();
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
});
