import { expect, it } from 'vitest';
import { written } from '../../platform/index.js';
import { orderIn, orderLinks, withOrder } from './offer-order.js';

it('the order of offers is the one that the address names, else the lowest APR', () => {
  for (const [text, order] of [
    ['instalment', 'INSTALMENT'],
    ['total', 'TOTAL'],
    ['bribe', 'APR'],
    [['total', 'apr'], 'APR'],
  ] as const)
    expect(orderIn(text)).toBe(order);
  expect(withOrder('/offers?amount=1', 'TOTAL')).toBe('/offers?amount=1&by=total');
  expect(written(orderLinks('/offers', 'INSTALMENT'), 'en')).toMatchObject([
    { text: 'Lowest APR', href: '/offers', isCurrent: false },
    { text: 'Lowest EMI', href: '/offers?by=instalment', isCurrent: true },
    { href: '/offers?by=total', isCurrent: false },
  ]);
});
