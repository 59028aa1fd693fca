import type { Lender } from '../settings/index.js';

/**
 * `SWITCHED_OFF`: in the configuration. `PRODUCT`: it does not serve the product. `AMOUNT`: it does not
 * lend the amount, so that it would not have been asked. `NOT_NAMED`: the applicant's consent does not name it, or it was configured after the others had been asked.
 */
export interface LenderNotAsked {
  readonly code: string;
  readonly name: string;
  readonly reason: 'SWITCHED_OFF' | 'PRODUCT' | 'AMOUNT' | 'NOT_NAMED';
}

/** The configured lenders that are not among those that were asked, and why not. */
export function lendersNotAsked(
  lenders: readonly Pick<Lender, 'code' | 'name' | 'isEnabled' | 'terms'>[],
  productCode: string,
  asked: ReadonlySet<string>,
  notLending: ReadonlySet<string> = new Set(),
): LenderNotAsked[] {
  return lenders
    .filter(({ code }) => !asked.has(code))
    .map(({ code, name, isEnabled, terms }) => {
      if (!isEnabled) return { code, name, reason: 'SWITCHED_OFF' };
      const isServed = Object.hasOwn(terms.products, productCode);
      if (!isServed) return { code, name, reason: 'PRODUCT' };
      return { code, name, reason: notLending.has(code) ? 'AMOUNT' : 'NOT_NAMED' };
    });
}
