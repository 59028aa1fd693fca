import { describe, expect, it } from 'vitest';
import { costADay } from './cost-a-day.js';

describe('what a day costs whoever leaves a loan', () => {
  it.each([
    // ₹1,95,280 at 13.15 percent: ₹70.36 a day; ₹1,000 at 11.49 percent: 31 paise.
    ['en', 19_528_000, 13.15, 'about ₹70'],
    ['en', 100_000, 11.49, 'less than ₹1'],
    ['en', 100_000, 0, 'less than ₹1'],
    ['hi', 19_528_000, 13.15, 'लगभग ₹70'],
    ['hi', 100_000, 11.49, '₹1 से कम'],
  ] as const)('in %s, of %d paise at %d percent: %s', (language, netDisbursed, apr, words) => {
    expect(costADay({ netDisbursed, apr }, language)).toBe(words);
  });
});
