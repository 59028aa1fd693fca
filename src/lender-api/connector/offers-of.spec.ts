import { describe, expect, it } from 'vitest';
import type { LenderOffer } from '../../lenders/index.js';
import { checkClaimedFigures } from '../../loans/index.js';
import { Offer } from '../protocol/offer.js';
import { offerOf } from './offers-of.js';

const STATED = {
  reference: 'OFFER-1',
  principal: 75_000_00,
  minimumAmount: 10_000_00,
  tenureMonths: 12,
  rate: { kind: 'FIXED', annualPercent: '9.8' },
  repayment: { kind: 'EMI', instalment: 6_585_00 },
  apr: '9.80',
  netPayout: 75_000_00,
  fees: [],
  validUntil: '2026-12-02T23:59:59+05:30',
};
const SCHEDULE = [{ dueOn: '2027-11-22', principal: 75_000_00, interest: 1, amount: 75_000_01 }];
const FLOATING = {
  annualPercent: '9.8',
  benchmark: { name: 'RBI repo rate', percent: '6.5' },
  spreadPercent: '3.3',
  resetEveryMonths: 3,
};
const GOLD = {
  value: 100_000_00,
  purityKarat: '22',
  netWeightGrams: '12.5',
  pricePerGram: 8_000_00,
  ltvPercent: '75',
};
const FEE = { name: 'Stamp duty', payee: 'THIRD_PARTY', amount: 100_00 };

const read = (changes: object) => offerOf(Offer.parse({ ...STATED, ...changes }));

describe('an offer', () => {
  it('of equal monthly instalments at a fixed rate is taken', () => {
    expect(read({})).toMatchObject({
      reference: 'OFFER-1',
      annualRatePercent: 9.8,
      apr: 9.8,
      instalment: 6_585_00,
      netDisbursed: 75_000_00,
      collateralExplanation: null,
    });
  });

  it.each<[string, object]>([
    ['REPAYMENT_KIND', { repayment: { kind: 'BULLET', schedule: SCHEDULE } }],
    ['SCHEDULE', { repayment: { kind: 'EMI', instalment: 6_585_00, schedule: SCHEDULE } }],
    ['RATE_KIND', { rate: { kind: 'FLOATING', ...FLOATING } }],
    ['RATE_KIND', { rate: { kind: 'HYBRID', ...FLOATING, fixedMonths: 12 } }],
    ['FEES', { fees: [{ ...FEE, due: 'LATER', dueOn: '2027-01-01' }] }],
    ['FEES', { fees: [{ ...FEE, due: 'AT_PAYOUT', gst: 100_01 }] }],
    ['OTHER', { coLender: { name: 'Another Bank', sharePercent: '100' } }],
    ['OTHER', { coLender: { name: 'Another Bank', sharePercent: '0' } }],
    ['OTHER', { coolingOffDays: 0 }],
    ['LTV', { goldValuation: { ...GOLD, purityKarat: '24.01' } }],
    ['LTV', { goldValuation: { ...GOLD, netWeightGrams: '9999999', pricePerGram: 1e12 } }],
    ['LTV', { goldValuation: { ...GOLD, ltvPercent: '74.98' } }],
    ['LTV', { goldValuation: { ...GOLD, value: 100_002_00 } }],
    ['LTV', { principal: 86_000_00, goldValuation: { ...GOLD, ltvPercent: '86' } }],
  ])('is refused as %s: %o', (problem, changes) => {
    expect(read(changes)).toMatchObject({ offerReference: 'OFFER-1', problem });
  });

  it.each([
    ['AT_PAYOUT', false],
    ['BEFORE_PAYOUT', true],
  ])('says when its charges are due: %s', (due, areChargesPaidUpFront) => {
    const stated = Offer.parse({ ...STATED, fees: [{ ...FEE, due }] });
    expect(offerOf(stated)).toMatchObject({ reference: 'OFFER-1', areChargesPaidUpFront });
  });

  it('is refused with charges that are due at different times', () => {
    const fees = ['AT_PAYOUT', 'BEFORE_PAYOUT'].map((due) => ({ ...FEE, due }));
    const offer = Offer.parse({ ...STATED, fees });
    const stated = 'AT_PAYOUT, BEFORE_PAYOUT';
    expect(offerOf(offer)).toMatchObject({ problem: 'FEES', stated });
  });

  it('at the ends of its ranges is computed in a moment', () => {
    const rupees = 1_000_000_000_000;
    const offer = read({
      principal: rupees,
      minimumAmount: 1,
      tenureMonths: 480,
      rate: { kind: 'FIXED', annualPercent: '999.999999' },
      repayment: { kind: 'EMI', instalment: 1 },
      apr: '999.99',
      netPayout: 1,
      fees: Array.from({ length: 20 }, () => ({ ...FEE, due: 'AT_PAYOUT', amount: rupees })),
    }) as LenderOffer;
    const startedAt = performance.now();
    expect(() => checkClaimedFigures(offer)).toThrow(RangeError);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it('keeps what the lender states of its own, and says nothing of what it does not', () => {
    const stated = {
      maximumAmount: 80_000_00,
      contingentCharges: [{ name: 'Late payment', description: '2% a month' }],
      coolingOffDays: 7,
      branches: [
        { reference: 'B-1', name: 'Fort', address: 'Mumbai', latitude: 18, longitude: 72 },
      ],
    };
    const coLender = { name: 'Another Bank', sharePercent: '80.5' };
    expect(read({ ...stated, coLender })).toMatchObject({
      ...stated,
      coLender: { name: 'Another Bank', sharePercent: 80.5 },
    });
    const silent = read({});
    for (const name of [...Object.keys(stated), 'coLender', 'goldValuation']) {
      expect(silent).not.toHaveProperty(name);
    }
  });

  it('keeps what a charge for an unpaid instalment comes to, its percentages as numbers', () => {
    const charge = { name: 'Late payment', description: '2% a month, plus GST' };
    const ifUnpaid = { every: 'MONTH', cause: 'LATE' };
    const stated = { ...ifUnpaid, percentOfInstalment: '2', gstPercent: '18' };
    expect(read({ contingentCharges: [{ ...charge, ifUnpaid: stated }] })).toMatchObject({
      contingentCharges: [
        { ...charge, ifUnpaid: { ...ifUnpaid, percentOfInstalment: 2, gstPercent: 18 } },
      ],
    });
  });

  it.each([
    { every: 'MONTH', percentOfInstalment: 2 },
    { every: 'MONTH', percentOfInstalment: '101' },
    { every: 'TIME', flat: 0 },
    { every: 'TIME', flat: 400_00, gstPercent: '180' },
    { every: 'DAY', flat: 400_00 },
    { every: 'TIME', flat: 400_00, cause: 'DEATH' },
  ])('is no offer with a charge of %o', (ifUnpaid) => {
    const charge = { name: 'Late payment', description: '2% a month', ifUnpaid };
    expect(Offer.safeParse({ ...STATED, contingentCharges: [charge] }).success).toBe(false);
  });

  it('against gold says what the gold is worth, in the lender’s words and in its figures', () => {
    expect(read({ goldValuation: GOLD })).toMatchObject({
      collateralExplanation:
        '12.5 g of 22 karat gold at ₹8,000 a gram is worth ₹1,00,000. ₹75,000 is 75% of that.',
      goldValuation: GOLD,
    });
    const explanation = 'As our appraiser has it.';
    expect(read({ goldValuation: { ...GOLD, explanation } })).toMatchObject({
      collateralExplanation: expect.stringMatching(
        /^As our appraiser has it\. 12\.5 g of/,
      ) as string,
    });
  });

  it('against gold says its figures in Hindi, too, beside the lender’s own words', () => {
    const said = (goldValuation: object) => {
      const offer = read({ goldValuation });
      if (!('collateralExplanation' in offer)) throw new Error('it was refused');
      return offer.texts?.hi?.[offer.collateralExplanation ?? ''];
    };
    const figures =
      '22 कैरेट के 12.5 ग्राम सोने की क़ीमत ₹8,000 प्रति ग्राम के हिसाब से ₹1,00,000 है। ₹75,000 उसका 75% है।';
    expect(said(GOLD)).toBe(figures);
    const explanation = 'As our appraiser has it.';
    expect(said({ ...GOLD, explanation })).toBe(`${explanation} ${figures}`);
  });
});
