import { describe, expect, it } from 'vitest';
import { type Compared, lowestOf } from './offer-card.js';

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
