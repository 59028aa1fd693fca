import type { Lender } from '../settings/index.js';

/** `NOT_NAMED`: the consent does not name it, or it was configured later. */
interface LenderNotAsked {
  readonly code: string;
  readonly name: string;
  readonly reason: 'SWITCHED_OFF' | 'PRODUCT' | 'AMOUNT' | 'NOT_NAMED';
}

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
