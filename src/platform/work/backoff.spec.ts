import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exponentialBackoff } from './backoff.js';

const BOUNDS = { firstMs: 100, maxMs: 1_000, jitter: 0.2 };

describe('exponential backoff', () => {
  it('doubles from the first wait up to the longest', () => {
    const waits = [1, 2, 3, 4, 5, 60, 5_000].map((attempt) =>
      exponentialBackoff(attempt, BOUNDS, 0),
    );
    expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000, 1_000]);
  });

  it('waits the first wait before any attempt was made', () => {
    expect(exponentialBackoff(0, BOUNDS, 0)).toBe(100);
  });

  it('is a whole number between the wait and the wait with its jitter, whatever the fraction', () => {
    fc.assert(
      fc.property(
        fc.nat(2_000),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (attempt, fraction) => {
          const least = exponentialBackoff(attempt, BOUNDS, 0);
          const wait = exponentialBackoff(attempt, BOUNDS, fraction);
          expect(Number.isInteger(wait)).toBe(true);
          expect(wait).toBeGreaterThanOrEqual(least);
          expect(wait).toBeLessThanOrEqual(least * 1.2);
        },
      ),
    );
  });
});
