import type { Request } from 'express';
import { describe, expect, it } from 'vitest';
import type { HostedOffer } from '../journeys/index.js';
import { readAmount } from './entry/amount-form.js';
import { amountIn, amountPath } from './steps/offer-lookup.js';

const RUPEE = 100;

describe('an amount that is typed', () => {
  const QUESTION = { least: 1_000 * RUPEE, most: 200_000 * RUPEE, suggested: 200_000 * RUPEE };

  function read(loanAmount: string) {
    const rawBody = Buffer.from(new URLSearchParams({ loanAmount }).toString());
    return readAmount({ rawBody } as unknown as Request, QUESTION);
  }

  it.each([
    ['', 'missing'],
    ['a lot', 'wrong'],
    ['-5', 'wrong'],
    ['0', 'wrong'],
    ['1e5', 'wrong'],
    ['1000.001', 'wrong'],
    ['<script>', 'wrong'],
    ['999.99', 'range'],
    ['200000.01', 'range'],
  ])('is refused as “%s”: %s', (typed, message) => {
    const errors = [{ field: 'loanAmount', messageKey: `entry.amount.${message}` }];
    expect(read(typed)).toMatchObject({ errors, entered: { loanAmount: typed } });
  });

  it.each([
    ['1000', 1_000],
    ['₹ 1,50,000', 150_000],
    ['१५००००', 150_000],
    ['1,23,456.5', 123_456.5],
    ['200000', 200_000],
  ])('is read from “%s” as %d rupees', (typed, rupees) => {
    expect(read(typed)).toBe(rupees * RUPEE);
  });
});

describe('an amount in an address', () => {
  const OFFER = { minimumAmount: 1_000 * RUPEE, amount: 200_000 * RUPEE } as HostedOffer;

  it.each(['1e9', '999', '200001', '', 'x', ['1', '2'], { x: '1' }, undefined])(
    'counts as none: %j',
    (text) => {
      expect(amountIn(OFFER, text)).toBeNull();
    },
  );

  it('is one that the offer covers', () => {
    const amount = 123_456.5 * RUPEE;
    expect(amountIn(OFFER, '123456.50')).toBe(amount);
    expect(amountPath('off_1', amount, 'APR')).toBe('/hosted/offers/off_1?amount=123456.50');
  });
});
