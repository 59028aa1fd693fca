import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import { A_TEXT, bodyA, GOLD, missing, problemsOf, read } from './initiate-body-example.js';

const LIST = 'must be a list of 1 to 50 descriptions';
const ITEMS =
  'must have descriptions of 1 to 200 characters without control characters or more than three combining marks in a row';
const GRAMS =
  'must be a weight in grams above zero, with at most 7 digits before the point and 4 after it';

const most = (what: string) =>
  `must be at most ${what} for one borrower (RBI (Lending Against Gold and Silver Collateral) Directions, 2025)`;

describe('the gold', () => {
  const gold = (goldLoanDetails: unknown) =>
    bodyA({
      productCode: 'ONLINE_GOLD',
      ...(goldLoanDetails !== undefined && { goldLoanDetails }),
    });

  it('is read under the contract’s spelling and under the dictionary’s', () => {
    const expected = { grams: '42.5', jewelleryList: ['necklace'] };
    expect(read(gold(GOLD)).gold).toEqual(expected);
    expect(read(gold({ jewelleryList: [' necklace '], grams: ' 42.5 ' })).gold).toEqual(expected);
  });

  it.each([undefined, null, 'gold', [GOLD]])('is needed for a gold loan: %j', (given) => {
    const rule = 'must be an object with jewellaryList and grams when the product is ONLINE_GOLD';
    const isThere = given !== undefined && given !== null;
    expect(problemsOf(gold(given))).toEqual({ goldLoanDetails: isThere ? rule : missing(rule) });
  });

  it.each([
    [{ ...GOLD, jewellaryList: [] }, 'jewellaryList', LIST],
    [{ ...GOLD, jewellaryList: 'necklace' }, 'jewellaryList', LIST],
    [{ ...GOLD, jewellaryList: Array.from({ length: 51 }, () => 'ring') }, 'jewellaryList', LIST],

    [{ ...GOLD, jewellaryList: ['x'.repeat(201)] }, 'jewellaryList', ITEMS],
    [{ ...GOLD, jewellaryList: ['ring', 'ne\u0000cklace'] }, 'jewellaryList', ITEMS],
    [{ ...GOLD, grams: 42.5 }, 'grams', GRAMS + A_TEXT],
    [{ ...GOLD, grams: undefined }, 'grams', missing(GRAMS)],
    [{ ...GOLD, grams: '12345678' }, 'grams', GRAMS],
    [{ ...GOLD, grams: '1000.0001' }, 'grams', most('1,000 g of ornaments')],

    [{ ...GOLD, grams: '1050.0001', coinGrams: '50' }, 'grams', most('1,000 g of ornaments')],
    [{ ...GOLD, grams: '60', coinGrams: '50.0001' }, 'coinGrams', most('50 g of coins')],

    [{ ...GOLD, grams: '8', coinGrams: '8.0001' }, 'coinGrams', 'must be at most grams'],
    [{ ...GOLD, coinGrams: '0' }, 'coinGrams', GRAMS],
    [{ ...GOLD, grams: '1.23456' }, 'grams', GRAMS],
    [{ ...GOLD, grams: '0.000' }, 'grams', GRAMS],
    [{ ...GOLD, grams: '4,5' }, 'grams', GRAMS],
  ])('is refused: %j', (given, field, message) => {
    expect(problemsOf(gold(given))).toEqual({ [`goldLoanDetails.${field}`]: message });
  });

  it.each([['1000.0000'], ['1000.0001', '0.0001'], ['1050', '50'], ['50', '50'], ['60', null]])(
    'may be up to the limits of the RBI: %s g, %j g of it coins',
    (grams, coinGrams?) => {
      const expected = { grams, jewelleryList: ['necklace'] };
      expect(read(gold({ ...GOLD, grams, coinGrams })).gold).toEqual(expected);
    },
  );

  it('may be fifty pieces', () => {
    const jewellaryList = Array.from({ length: 50 }, () => 'ring');
    expect(problemsOf(gold({ ...GOLD, jewellaryList }))).toEqual({});
  });

  it('is ignored for every other product, however wrong', () => {
    expect(read(bodyA({ goldLoanDetails: 'none' }))).not.toHaveProperty('gold');
  });
});
