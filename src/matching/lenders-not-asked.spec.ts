import { describe, expect, it } from 'vitest';
import type { Lender } from '../settings/index.js';
import { lendersNotAsked } from './lenders-not-asked.js';

function lender(code: string, products: string[], isEnabled = true) {
  const terms = { products: Object.fromEntries(products.map((product) => [product, {}])) };
  return { code, name: code.toUpperCase(), isEnabled, terms } as unknown as Lender;
}

describe('the lenders that were not asked', () => {
  it('are those that are switched off, do not serve the product, do not lend the amount, or are not named', () => {
    const lenders = [
      lender('asked', ['GOLD']),
      lender('off', ['GOLD'], false),
      lender('other', ['PERSONAL']),
      lender('unnamed', ['GOLD']),
      lender('small', ['GOLD']),
    ];
    const notLending = new Set(['small']);
    expect(lendersNotAsked(lenders, 'GOLD', new Set(['asked']), notLending)).toEqual([
      { code: 'off', name: 'OFF', reason: 'SWITCHED_OFF' },
      { code: 'other', name: 'OTHER', reason: 'PRODUCT' },
      { code: 'unnamed', name: 'UNNAMED', reason: 'NOT_NAMED' },
      { code: 'small', name: 'SMALL', reason: 'AMOUNT' },
    ]);
  });
});
