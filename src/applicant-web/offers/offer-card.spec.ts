import { describe, expect, it } from 'vitest';
import { written } from '../../platform/index.js';
import { type Compared, costADay, lowestOf } from './offer-card.js';

function offer(apr: number, emi: number, total: number, amount = 100): Compared {
  return { apr, emi, total, amount };
}

const NONE = { apr: false, emi: false, total: false };

describe('the tags of an offer', () => {
  it('stand at each figure that is the lowest', () => {
    const [one, other] = [offer(13, 60, 240), offer(14, 50, 230)];
    expect(lowestOf(one, [one, other])).toEqual({ ...NONE, apr: true });
    expect(lowestOf(other, [one, other])).toEqual({ apr: false, emi: true, total: true });
  });

  it('are given to all that share the lowest figure', () => {
    const twins = [offer(13, 60, 240), offer(13, 70, 250)];
    expect(twins.map((twin) => lowestOf(twin, twins).apr)).toEqual([true, true]);
  });

  it('are not given to a single offer, nor to one that cannot be chosen', () => {
    const [one, expired] = [offer(13, 60, 240), offer(12, 50, 230)];
    expect(lowestOf(one, [one])).toEqual(NONE);
    expect(lowestOf(expired, [one, offer(14, 60, 240)])).toEqual(NONE);
  });

  it('compare different amounts by the APR only', () => {
    const [small, large] = [offer(13, 30, 120, 50), offer(14, 60, 240)];
    expect(lowestOf(small, [small, large])).toEqual({ ...NONE, apr: true });
  });
});

describe('what a day costs the applicant who leaves a loan', () => {
  it.each([
    // ₹1,95,280 at 13.15 percent: ₹70.36 a day; ₹1,000 at 11.49 percent: 31 paise.
    ['en', 19_528_000, 13.15, 'about ₹70'],
    ['en', 100_000, 11.49, 'less than ₹1'],
    ['en', 100_000, 0, 'less than ₹1'],
    ['hi', 19_528_000, 13.15, 'लगभग ₹70'],
    ['hi', 100_000, 11.49, '₹1 से कम'],
  ] as const)('in %s, of %d paise at %d percent: %s', (language, netDisbursed, apr, words) => {
    expect(written(costADay({ netDisbursed, apr }), language)).toBe(words);
  });
});
