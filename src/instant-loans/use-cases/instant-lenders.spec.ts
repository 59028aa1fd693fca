import { describe, expect, it } from 'vitest';
import type { PaymentOrders } from '../../payments/index.js';
import type { Lender, LenderCatalogue, ProductTerms } from '../../settings/index.js';
import { InstantLenders } from './instant-lenders.js';

const LOAN = 2_500_000;

function lender(code: string, terms: Partial<ProductTerms> | null): Lender {
  const product = terms && {
    annualRatePercent: 20,
    tenureMonths: 6,
    minimumAmount: 100_000,
    maximumAmount: 10_000_000,
    fees: [{ name: 'Processing fee', payee: 'LENDER', flat: 20_000, gstPercent: 18 }],
    ...terms,
  };
  return {
    code,
    name: code.toUpperCase(),
    terms: { products: product ? { ONLINE_INSTANT: product } : {} },
  } as Lender;
}

const NO_PAYMENTS = {} as PaymentOrders;

const asked = async (lenders: Lender[], amount = LOAN, named?: string[]) => {
  const catalogue = { serving: () => Promise.resolve(lenders) } as unknown as LenderCatalogue;
  const chosen = await new InstantLenders(catalogue, NO_PAYMENTS).forAmount(amount, named);
  return chosen.map(({ code }) => code);
};

describe('the lenders that are asked for an instant loan', () => {
  it('are those that lend the amount', async () => {
    const small = lender('small', { maximumAmount: LOAN - 1 });
    const large = lender('large', { minimumAmount: LOAN + 1 });
    expect(await asked([small, large, lender('fits', {})])).toEqual(['fits']);
  });

  it('are asked whatever fee their terms have: the fee stands in their offers', async () => {
    const greedy = lender('greedy', { fees: [{ name: 'Fee', payee: 'LENDER', flat: 3_000_000 }] });
    expect(await asked([lender('free', { fees: [] }), greedy])).toEqual(['free', 'greedy']);
  });

  it('are none but those that the consent names', async () => {
    const both = [lender('a', {}), lender('b', {})];
    expect(await asked(both, LOAN, ['b', 'c'])).toEqual(['b']);
  });

  it('leave those to be named beside the offers that do not lend the amount', async () => {
    const lenders = [lender('a', {}), lender('b', { maximumAmount: 1 }), lender('c', {})];
    const catalogue = { serving: () => Promise.resolve(lenders) } as unknown as LenderCatalogue;
    const named = await new InstantLenders(catalogue, NO_PAYMENTS).notLending(LOAN, new Set(['a']));
    expect(named.map(({ code }) => code)).toEqual(['b']);
  });
});
