import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QuestionPayload } from '../lenders/index.js';
import { checkClaimedFigures } from '../loans/index.js';
import { NoOffer, sandboxOffer } from './sandbox-offer.js';
import type { Lender, ProductTerms } from '../settings/index.js';

const LAKH = 100_000_00;
const NOW = new Date('2026-06-01T06:30:00.000Z');

const TERMS: ProductTerms = {
  annualRatePercent: 12,
  tenureMonths: 24,
  minimumAmount: 1_000_00,
  maximumAmount: 50 * LAKH,
  fees: [{ name: 'Processing fee', payee: 'LENDER', percentOfPrincipal: 2, gstPercent: 18 }],
  contingentCharges: [],
  coolingOffDays: 3,
  offerValidDays: 7,
};

function lender(terms: Partial<ProductTerms> = {}, productCode = 'ONLINE_PERSONAL'): Lender {
  return { terms: { products: { [productCode]: { ...TERMS, ...terms } } } } as unknown as Lender;
}

function asking(loanAmount: number, more: Partial<QuestionPayload> = {}): QuestionPayload {
  const applicant = { mobile: '9876543210', pan: 'ABCDE1234F' };
  return {
    subjectKind: 'JOURNEY',
    applicationId: 'app_1',
    productCode: 'ONLINE_PERSONAL',
    loanAmount,
    applicant,
    ...more,
  };
}

function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof NoOffer) return error.message;
    throw error;
  }
  return 'made an offer';
}

describe('a sandbox lender’s offer', () => {
  it('is of the amount asked for, on the configured terms, and valid for the configured days', () => {
    const offer = sandboxOffer(lender(), asking(2 * LAKH), 'ref-1', NOW);
    expect(offer).toMatchObject({
      reference: 'ref-1',
      principal: 2 * LAKH,
      minimumAmount: 1_000_00,
      annualRatePercent: 12,
      tenureMonths: 24,
      // 2 % of ₹2,00,000 is ₹4,000, with 18 % tax ₹4,720.
      fees: [{ name: 'Processing fee', payee: 'LENDER', amount: 4_720_00, gst: 720_00 }],
      netDisbursed: 1_95_280_00,
      // 200000 × 0.01 × 1.01^24 / (1.01^24 − 1) = 9414.69…
      instalment: 9_415_00,
      validUntil: '2026-06-08T06:30:00.000Z',
      collateralExplanation: null,
    });
  });

  it('agrees with what this service computes from it, for every amount', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000_00, max: 50 * LAKH }),
        fc.integer({ min: 0, max: 3_600 }),
        fc.integer({ min: 1, max: 120 }),
        (principal, hundredths, tenureMonths) => {
          const annualRatePercent = hundredths / 100;
          const terms = { annualRatePercent, tenureMonths };
          const offer = sandboxOffer(lender(terms), asking(principal), 'ref', NOW);
          expect(checkClaimedFigures(offer).disagreements).toEqual([]);
          expect(offer.principal).toBe(principal);
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([
    [999_99, 'AMOUNT_OUT_OF_RANGE'],
    [1_000_00, 'made an offer'],
    [50 * LAKH, 'made an offer'],
    [50 * LAKH + 1, 'AMOUNT_OUT_OF_RANGE'],
  ])('for %i paise: %s', (amount, expected) => {
    expect(refusalOf(() => sandboxOffer(lender(), asking(amount), 'ref', NOW))).toBe(expected);
  });

  it('is not made where the charges would eat the loan up', () => {
    const fees = [{ name: 'Fee', payee: 'LENDER' as const, flat: 2_000_00 }];
    const dear = lender({ fees });
    expect(refusalOf(() => sandboxOffer(dear, asking(2_000_00), 'ref', NOW))).toBe(
      'AMOUNT_TOO_SMALL',
    );
    expect(refusalOf(() => sandboxOffer(dear, asking(2_001_00), 'ref', NOW))).toBe('made an offer');
  });
});

describe('a sandbox lender’s offer of an instant loan', () => {
  const instant = { subjectKind: 'INSTANT_LOAN', productCode: 'ONLINE_INSTANT' } as const;
  const offerOf = (amount: number, terms: Partial<ProductTerms> = {}) =>
    sandboxOffer(lender(terms, 'ONLINE_INSTANT'), asking(amount, instant), 'ref', NOW);

  it('pays out the whole of it, its charges paid before, and holds', () => {
    const offer = offerOf(25_000_00);
    expect(offer).toMatchObject({ principal: 25_000_00, netDisbursed: 25_000_00 });
    expect(checkClaimedFigures({ ...offer, areChargesPaidUpFront: true }).disagreements).toEqual(
      [],
    );
  });

  it.each([
    [0, 'FEE_TOO_SMALL'],
    [49, 'FEE_TOO_SMALL'],
    [50, 'made an offer'],
  ])('with a charge of %i paise, rounded to the rupee: %s', (flat, expected) => {
    const fees = [{ name: 'Fee', payee: 'LENDER' as const, flat }];
    expect(refusalOf(() => offerOf(25_000_00, { fees }))).toBe(expected);
  });
});

describe('a sandbox lender’s offer on gold', () => {
  const goldLender = lender({ gold: { pricePerGram: 9_000_00 } }, 'ONLINE_GOLD');
  const gold = (grams: string, amount: number) =>
    asking(amount, { productCode: 'ONLINE_GOLD', gold: { grams, jewelleryList: ['ring'] } });

  it('is of what the gold is good for where more is asked, and says why', () => {
    // 10 g at ₹9,000 are ₹90,000; 85 % of them are ₹76,500.
    const offer = sandboxOffer(goldLender, gold('10', 2 * LAKH), 'ref', NOW);
    expect(offer.principal).toBe(76_500_00);
    expect(offer.goldValuation).toMatchObject({ value: 90_000_00, netWeightGrams: '10' });
    expect(offer.collateralExplanation).toBe(
      '10 g of gold at ₹9,000 a gram is worth ₹90,000. A loan of up to ₹2,50,000 can be up to 85% of that value, at most ₹76,500.',
    );
    expect(offer.texts?.hi?.[offer.collateralExplanation!]).toBe(
      '₹9,000 प्रति ग्राम के भाव से 10 ग्राम सोने की क़ीमत ₹90,000 है। ₹2,50,000 तक के लोन में क़ीमत के 85% तक मिल सकते हैं, ज़्यादा से ज़्यादा ₹76,500।',
    );
    expect(checkClaimedFigures(offer).disagreements).toEqual([]);
  });

  it('is not made without gold, nor on so little that the least loan is out of reach', () => {
    const without = asking(LAKH, { productCode: 'ONLINE_GOLD' });
    expect(refusalOf(() => sandboxOffer(goldLender, without, 'ref', NOW))).toBe('NO_COLLATERAL');
    expect(refusalOf(() => sandboxOffer(lender(), without, 'ref', NOW))).toBe('PRODUCT_NOT_SERVED');
    expect(refusalOf(() => sandboxOffer(goldLender, gold('0.1', LAKH), 'ref', NOW))).toBe(
      'AMOUNT_OUT_OF_RANGE',
    );
  });
});
