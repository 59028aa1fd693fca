import type { z } from 'zod';
import type { Offer } from '../protocol/offer.js';

type OfferExample = z.infer<typeof Offer>;

const PROCESSING_FEE = {
  name: 'Processing fee',
  payee: 'LENDER',
  due: 'AT_PAYOUT',
  percentOfPrincipal: '2',
} as const;

const STAMP_DUTY = {
  name: 'Stamp duty',
  payee: 'THIRD_PARTY',
  due: 'AT_PAYOUT',
  amount: 20_000,
} as const;

export const PERSONAL_OFFER: OfferExample = {
  reference: 'NV-OFF-88213',
  principal: 20_000_000,
  minimumAmount: 5_000_000,
  tenureMonths: 24,
  rate: { kind: 'FIXED', annualPercent: '14' },
  repayment: { kind: 'EMI', instalment: 960_300 },
  apr: '16.54',
  netPayout: 19_508_000,
  fees: [{ ...PROCESSING_FEE, amount: 472_000, gst: 72_000 }, STAMP_DUTY],
  contingentCharges: [
    {
      name: 'Late payment',
      description: '2 % a month of the instalment that is overdue, plus GST',
      ifUnpaid: { percentOfInstalment: '2', gstPercent: '18', every: 'MONTH', cause: 'LATE' },
    },
    { name: 'Foreclosure', description: '3 % of the outstanding principal, plus GST' },
  ],
  coolingOffDays: 3,
  validUntil: '2026-11-29T18:00:00+05:30',
};

export const QUOTED_OFFER: OfferExample = {
  ...PERSONAL_OFFER,
  principal: 15_000_000,
  maximumAmount: 20_000_000,
  repayment: { kind: 'EMI', instalment: 720_200 },
  apr: '16.58',
  netPayout: 14_626_000,
  fees: [{ ...PROCESSING_FEE, amount: 354_000, gst: 54_000 }, STAMP_DUTY],
};

export const INSTANT_OFFER: OfferExample = {
  reference: 'NV-OFF-93307',
  principal: 2_500_000,
  minimumAmount: 2_500_000,
  tenureMonths: 6,
  rate: { kind: 'FIXED', annualPercent: '18' },
  repayment: { kind: 'EMI', instalment: 438_800 },
  apr: '26.47',
  netPayout: 2_500_000,
  fees: [
    { name: 'Processing fee', payee: 'LENDER', due: 'BEFORE_PAYOUT', amount: 59_000, gst: 9_000 },
  ],
  validUntil: '2026-11-29T18:00:00+05:30',
};

const BRANCHES = [
  {
    reference: 'MUM-014',
    name: 'Andheri West',
    address: '14 Veera Desai Road, Andheri West, Mumbai 400053',
    latitude: 19.1364,
    longitude: 72.8296,
  },
];

const GOLD_VALUATION = {
  value: 27_625_000,
  purityKarat: '22',
  netWeightGrams: '42.5',
  pricePerGram: 650_000,
};

export const GOLD_OFFER: OfferExample = {
  reference: 'NV-OFF-90417',
  principal: 10_000_000,
  minimumAmount: 2_500_000,
  tenureMonths: 12,
  rate: { kind: 'FIXED', annualPercent: '11.5' },
  repayment: { kind: 'EMI', instalment: 886_200 },
  apr: '16.45',
  netPayout: 9_744_000,
  fees: [{ ...PROCESSING_FEE, amount: 236_000, gst: 36_000 }, STAMP_DUTY],
  validUntil: '2026-11-29T18:00:00+05:30',
  coLender: { name: 'Sahyadri Bank Limited', sharePercent: '80' },
  goldValuation: {
    ...GOLD_VALUATION,
    ltvPercent: '36.2',
    explanation: '42.5 g of 22 karat at ₹6,500 a gram',
  },
  branches: BRANCHES,
};

/** An offer of a shape that Rinpath does not support yet. */
export const BULLET_OFFER_REFERENCE = 'NV-OFF-90418';
