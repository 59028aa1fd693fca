import { expect, it } from 'vitest';
import { inOrder, type OfferContent } from './instant-offer.js';
import type { AskedOffer } from './offer-standing.js';

const offer = (lenderCode: string, apr: number, annualRatePercent = apr) =>
  ({ lenderCode, standing: 'OFFERED', quote: { apr, annualRatePercent } }) as AskedOffer &
    OfferContent;

it('the lowest APR is first, not the lowest rate', () => {
  const order = inOrder([offer('rate', 31, 18), offer('loan', 25, 20)]);
  expect(order.map(({ lenderCode }) => lenderCode)).toEqual(['loan', 'rate']);
});

it('between equal ones the first is so by its code, as the metric says', () => {
  const order = inOrder([offer('b', 20), offer('c', 19), offer('a', 20)]);
  expect(order.map(({ lenderCode }) => lenderCode)).toEqual(['c', 'a', 'b']);
});

it('whoever makes no offer is not among them', () => {
  const declined = { lenderCode: 'a', standing: 'DECLINED' } as AskedOffer;
  expect(inOrder([declined, offer('b', 20)]).map(({ lenderCode }) => lenderCode)).toEqual(['b']);
});
