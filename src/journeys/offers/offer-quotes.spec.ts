import { describe, expect, it } from 'vitest';
import { quoteLoan } from '../../loans/index.js';
import type { Journey } from '../store/journey.entity.js';
import type { Offer } from '../store/offer.entity.js';
import { assertInRange, OfferQuotes } from './offer-quotes.js';

type QuoteInput = Parameters<typeof quoteLoan>[0];

const ASKED = 20_000_00;
const LESS = 15_000_00;
const CHARGE = { name: 'Bounced mandate', description: '₹413 each time' };
const TERMS = {
  contingentCharges: [CHARGE],
  coolingOffDays: 11,
  coLender: { name: 'Sahyadri Bank Limited', sharePercent: 80.5 },
};
const FEES = [
  { name: 'Processing fee', payee: 'LENDER', amount: 240_00 },
  { name: 'Stamp duty', payee: 'THIRD_PARTY', amount: 160_00 },
] as const;

const OFFER = {
  id: 'off_1',
  lenderReference: 'OFFER-1',
  principal: ASKED,
  minimumAmount: 1_000_00,
  figures: { annualRatePercent: 15, tenureMonths: 24, fees: FEES },
  terms: TERMS,
} as unknown as Offer;

/** A valid quote in which `wrong` replaces fields. */
function quoted(terms: Partial<QuoteInput>, wrong: object = {}) {
  const { principal = ASKED } = terms;
  const loan = { principal, annualRatePercent: 15, tenureMonths: 24, fees: FEES, ...terms };
  const { instalment, apr, netDisbursed } = quoteLoan(loan);
  const answer = {
    reference: 'OFFER-1',
    minimumAmount: 1_000_00,
    validUntil: '2026-11-30T18:00:00+05:30',
    collateralExplanation: null,
    ...loan,
    instalment,
    apr,
    netDisbursed,
    ...wrong,
  };
  const gateway = { quote: () => Promise.resolve(answer) };
  const applicants = { payload: () => ({}) };
  return new OfferQuotes(gateway as never, applicants as never).quote(
    { id: 'jrn_1' } as Journey,
    OFFER,
    principal,
  );
}

const [fee, duty] = FEES;

describe('what a lender quotes of its offer', () => {
  it('holds with the same terms, stated or not, and for less with charges that are not higher', async () => {
    expect(await quoted({})).toMatchObject({ loanAmount: ASKED, instalment: 970_00, apr: 17.07 });
    expect(await quoted({}, TERMS)).toMatchObject({ loanAmount: ASKED });
    expect(await quoted({ principal: LESS })).toMatchObject({ loanAmount: LESS });
    const fees = [fee, { ...duty, amount: 100_00 }];
    expect(await quoted({ principal: LESS, fees })).toMatchObject({ loanAmount: LESS });
  });

  it.each<[string, object]>([
    ['an instalment that is too low', { instalment: 1_00 }],
    ['an APR that is too low', { apr: 1 }],
    ['a net amount that is too high', { netDisbursed: ASKED }],
    ['another amount', { principal: LESS }],
    ['another offer', { reference: 'another' }],
    ['terms that make no loan', { tenureMonths: 0 }],
    ['no list of fees', { fees: undefined }],
    ['a fee that is none', { fees: [null] }],
    ['another cooling-off period', { coolingOffDays: 2 }],
    ['other charges', { contingentCharges: [] }],
    [
      'another late-payment charge',
      { contingentCharges: [{ ...CHARGE, ifUnpaid: { every: 'TIME', flat: 500_00 } }] },
    ],
    ['another co-lender', { coLender: { ...TERMS.coLender, sharePercent: 20 } }],
    ['charges that are due before the payout', { areChargesPaidUpFront: true }],
  ])('differs with %s', async (_, wrong) => {
    expect(await quoted({}, wrong)).toBe('DIFFERS');
  });

  it.each<[string, Partial<QuoteInput>]>([
    ['a higher rate', { annualRatePercent: 30 }],
    ['a lower rate', { annualRatePercent: 14.99 }],
    ['a longer tenure', { tenureMonths: 120 }],
    ['a rupee more of charges', { fees: [{ ...fee, amount: 241_00 }, duty] }],
    ['a rupee less of charges', { fees: [fee, { ...duty, amount: 159_00 }] }],
    [
      'charges that are the same in sum',
      {
        fees: [
          { ...fee, amount: 200_00 },
          { ...duty, amount: 200_00 },
        ],
      },
    ],
    [
      'for less, more charges than on the whole amount',
      { principal: LESS, fees: [{ ...fee, amount: 241_00 }, duty] },
    ],
    ['one charge more', { fees: [fee, duty, { name: 'Visit', payee: 'LENDER', amount: 0 }] }],
    ['one charge fewer', { fees: [{ ...fee, amount: 400_00 }] }],
    ['a charge under another name', { fees: [{ ...fee, name: 'Fee' }, duty] }],
    ['a charge that another party takes', { fees: [{ ...fee, payee: 'THIRD_PARTY' }, duty] }],
  ])('differs by other terms, valid on their own: %s', async (_, terms) => {
    expect(await quoted(terms)).toBe('DIFFERS');
  });
});

it('an amount is from the offer’s minimum to its principal', () => {
  const choose = (amount: number) => () => assertInRange(OFFER, amount, 'payload.loanAmount');
  for (const amount of [1_000_00, ASKED]) expect(choose(amount)).not.toThrow();
  const message = 'must be from ₹1,000 to ₹20,000 for this offer';
  for (const amount of [999_99, ASKED + 1]) {
    expect(choose(amount)).toThrow(
      expect.objectContaining({ details: [{ field: 'payload.loanAmount', message }] }),
    );
  }
});
