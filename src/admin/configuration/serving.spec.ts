import { describe, expect, it } from 'vitest';
import {
  fieldsOf,
  problemsOf,
  PRODUCTION,
  SANDBOX,
  SHIPPED,
  shippedValues,
  withValue,
} from './configuration-example.js';

interface File {
  products: { channel: string; enabled?: boolean }[];
  lenders: { enabled?: boolean; products: Record<string, object> }[];
}

const unserved = (product: number, code: string) =>
  `products[${product}] has no lender: give an enabled lender terms for ${code}, or disable the product (enabled: false)`;

/** The problems of the shipped file with a change. */
function problemsWith(change: (file: File) => void): string[] {
  const file = shippedValues() as unknown as File;
  change(file);
  return problemsOf(file);
}

describe('a product', () => {
  it('is served by a lender whose adapter the build has', () => {
    const lacks = 'must be an adapter that this build has for';
    expect(problemsOf(withValue(['lenders', 1, 'adapter'], 'unknown-adapter'))).toEqual([
      `lenders[1].adapter ${lacks} sandbox: sandbox`,
    ]);
    expect(fieldsOf(SHIPPED, { ...SANDBOX, lenderAdapters: ['wire'] })).toHaveLength(3);
    expect(problemsOf(SHIPPED, { ...PRODUCTION, lenderAdapters: [] })).toContain(
      `lenders[0].adapter ${lacks} production: none`,
    );
  });

  it('is served by an enabled lender with terms for it', () => {
    const all = ['PERSONAL', 'SHORT_TERM', 'BUSINESS', 'GOLD', 'INSTANT'].map((name, index) =>
      unserved(index, `ONLINE_${name}`),
    );
    expect(problemsOf(withValue(['lenders'], []))).toEqual([
      'lenders must not be empty: enabled products need a lender',
      ...all,
    ]);
    const off = (file: File) => file.lenders.forEach((lender) => (lender.enabled = false));
    expect(problemsWith(off)).toEqual(all);
    const withoutTerms = ({ lenders }: File) =>
      lenders.forEach(({ products }) => delete products.ONLINE_PERSONAL);
    expect(problemsWith(withoutTerms)).toEqual([unserved(0, 'ONLINE_PERSONAL')]);
  });

  it('needs no lender when it is switched off or a branch’s, nor is asked when lenders are unreadable', () => {
    const offline = (file: File) => {
      for (const product of file.products) product.enabled = product.channel === 'OFFLINE';
      file.lenders = [];
    };
    expect(problemsWith(offline)).toEqual([]);
    expect(fieldsOf(withValue(['lenders'], 'navdhara'))).toEqual(['lenders']);
  });
});
