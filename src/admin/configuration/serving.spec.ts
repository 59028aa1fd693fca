import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import {
  fieldsOf,
  problemsOf,
  PRODUCTION,
  SANDBOX,
  SHIPPED,
  withValue,
} from './configuration-example.js';

describe('who serves a product', () => {
  const unserved = (product: number, code: string) =>
    `products[${product}] is served by no lender: give an enabled one terms for ${code}, or switch it off (enabled: false)`;
  const none = 'lenders must not be empty: products are switched on that need a lender';
  /** The shipped file with every lender's terms for one product taken out. */
  const withoutTerms = (code: string) => {
    const file = JSON.parse(JSON.stringify(parse(SHIPPED))) as { lenders: { products: object }[] };
    for (const { products } of file.lenders) Reflect.deleteProperty(products, code);
    return stringify(file);
  };
  /** The shipped file with its online products switched off, and these lenders. */
  const withBranchProductsAlone = (lenders: unknown) => {
    const file = parse(SHIPPED) as { products: { channel: string }[] };
    const products = file.products.map((product) => ({
      ...product,
      enabled: product.channel === 'OFFLINE',
    }));
    return stringify({ ...file, products, lenders });
  };

  it('is a lender whose adapter the build has; the mistake names those that there are', () => {
    expect(problemsOf(withValue(['lenders', 1, 'adapter'], 'nobody-has-it'))).toEqual([
      'lenders[1].adapter is not among the adapters that this build has for sandbox: sandbox',
    ]);
    expect(fieldsOf(SHIPPED, { ...SANDBOX, lenderAdapters: ['wire'] })).toEqual(
      [0, 1, 2].map((lender) => `lenders[${lender}].adapter`),
    );
    const nothing = { ...PRODUCTION, lenderAdapters: [] };
    expect(problemsOf(SHIPPED, nothing)).toContain(
      'lenders[0].adapter is not among the adapters that this build has for production: none',
    );
  });

  it('must be somebody: an empty list leaves every online product without, the instant loan too', () => {
    expect(problemsOf(withValue(['lenders'], []))).toEqual([
      none,
      unserved(0, 'ONLINE_PERSONAL'),
      unserved(1, 'ONLINE_SHORT_TERM'),
      unserved(2, 'ONLINE_BUSINESS'),
      unserved(3, 'ONLINE_GOLD'),
      unserved(4, 'ONLINE_INSTANT'),
    ]);
  });

  it.each([
    [0, 'ONLINE_PERSONAL'],
    [4, 'ONLINE_INSTANT'],
  ])('must be somebody for each product: products[%i]', (index, code) => {
    expect(problemsOf(withoutTerms(code))).toEqual([unserved(index, code)]);
  });

  it('is nobody who is switched off', () => {
    const file = JSON.parse(JSON.stringify(parse(SHIPPED))) as { lenders: { enabled?: boolean }[] };
    for (const lender of file.lenders) lender.enabled = false;
    expect(fieldsOf(stringify(file))).toEqual([0, 1, 2, 3, 4].map((index) => `products[${index}]`));
  });

  it('need be nobody for a product that is switched off, nor for one of a branch', () => {
    expect(problemsOf(withBranchProductsAlone([]))).toEqual([]);
  });

  it('is not asked while the lenders cannot be read', () => {
    expect(fieldsOf(withValue(['lenders'], 'navdhara'))).toEqual(['lenders']);
  });
});
