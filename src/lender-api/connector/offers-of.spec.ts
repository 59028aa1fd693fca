import { describe, expect, it } from 'vitest';
import { Offer } from '../protocol/offer.js';
import { offerOf } from './offers-of.js';

const TOLD = {
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

const read = (changes: object) => offerOf(Offer.parse({ ...TOLD, ...changes }));

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
    ['REPAYMENT_KIND', { repayment: { kind: 'INTEREST_THEN_BULLET', schedule: SCHEDULE } }],
    ['REPAYMENT_KIND', { repayment: { kind: 'CUSTOM', schedule: SCHEDULE } }],
    ['SCHEDULE', { repayment: { kind: 'EMI', instalment: 6_585_00, schedule: SCHEDULE } }],
    ['RATE_KIND', { rate: { kind: 'FLOATING', ...FLOATING } }],
    ['RATE_KIND', { rate: { kind: 'HYBRID', ...FLOATING, fixedMonths: 12 } }],
    ['FEES', { fees: [{ ...FEE, due: 'BEFORE_PAYOUT' }] }],
    ['FEES', { fees: [{ ...FEE, due: 'LATER', dueOn: '2027-01-01' }] }],
    ['OTHER', { coLender: { name: 'Another Bank', sharePercent: '80' } }],
    ['LTV', { goldValuation: { ...GOLD, ltvPercent: '74.98' } }],
    ['LTV', { goldValuation: { ...GOLD, value: 100_002_00 } }],
    ['LTV', { principal: 86_000_00, goldValuation: { ...GOLD, ltvPercent: '86' } }],
  ])('is refused as %s: %o', (problem, changes) => {
    expect(read(changes)).toMatchObject({ offerReference: 'OFFER-1', problem });
  });

  it('against gold says what the gold is worth, in the lender’s words or in ours', () => {
    expect(read({ goldValuation: GOLD })).toMatchObject({
      collateralExplanation:
        '12.5 g of 22 karat gold at ₹8,000 a gram is worth ₹1,00,000. The loan is 75% of that value.',
    });
    const explanation = 'As our appraiser has it.';
    expect(read({ goldValuation: { ...GOLD, explanation } })).toMatchObject({
      collateralExplanation: explanation,
    });
  });
});
