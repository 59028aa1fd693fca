import type { Lender } from '../settings/index.js';

/**
 * `SWITCHED_OFF`: in the configuration. `PRODUCT`: it does not serve the product. `NOT_NAMED`: the
 * applicant's consent does not name it, or it was configured after the others had been asked.
 */
export interface LenderNotAsked {
  readonly code: string;
  readonly name: string;
  readonly reason: 'SWITCHED_OFF' | 'PRODUCT' | 'NOT_NAMED';
}

/** The configured lenders that are not among those that were asked, and why not. */
export function lendersNotAsked(
  lenders: readonly Pick<Lender, 'code' | 'name' | 'isEnabled' | 'terms'>[],
  productCode: string,
  asked: ReadonlySet<string>,
): LenderNotAsked[] {
  return lenders
    .filter(({ code }) => !asked.has(code))
    .map(({ code, name, isEnabled, terms }) => {
      if (!isEnabled) return { code, name, reason: 'SWITCHED_OFF' };
      const isServed = Object.hasOwn(terms.products, productCode);
      return { code, name, reason: isServed ? 'NOT_NAMED' : 'PRODUCT' };
    });
}
