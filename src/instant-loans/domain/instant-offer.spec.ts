import { expect, it } from 'vitest';
import type { InstantOffer } from '../store/instant-offer.entity.js';
import { inOrder } from './instant-offer.js';

const offer = (lenderCode: string, apr: number, annualRatePercent = apr) =>
  ({ lenderCode, standing: 'OFFERED', quote: { apr, annualRatePercent } }) as InstantOffer;

it('the lowest APR is first, not the lowest rate', () => {
  const order = inOrder([offer('rate', 31, 18), offer('loan', 25, 20)]);
  expect(order.map(({ lenderCode }) => lenderCode)).toEqual(['loan', 'rate']);
});

it('between equal ones the first is so by its code, as the metric says', () => {
  const order = inOrder([offer('b', 20), offer('c', 19), offer('a', 20)]);
  expect(order.map(({ lenderCode }) => lenderCode)).toEqual(['c', 'a', 'b']);
});

it('whoever makes no offer is not among them', () => {
  const declined = { lenderCode: 'a', standing: 'DECLINED', quote: null } as InstantOffer;
  expect(inOrder([declined, offer('b', 20)]).map(({ lenderCode }) => lenderCode)).toEqual(['b']);
});
