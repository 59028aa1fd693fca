import { afterEach, expect, it, vi } from 'vitest';
import type { Database } from '../database/database.js';
import { Metrics } from '../metrics/metrics.js';
import { SystemClock } from './clock.js';
import { ClockDifference } from './clock-difference.js';

const AHEAD_MS = 45_000;

afterEach(() => vi.restoreAllMocks());

/** @param trips the round-trip time of each measurement */
function difference(
  trips: readonly (readonly [number, number])[],
  metrics = new Metrics(),
): ClockDifference {
  let time = 1_800_000_000_000;
  const left = [...trips];
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  const clock = new SystemClock();
  vi.spyOn(clock, 'now').mockImplementation(() => new Date(time + AHEAD_MS));
  const queryReserved = () => {
    const trip = left.shift();
    if (!trip) return Promise.reject(new Error('away'));
    const [there, back] = trip;
    const databaseMs = time + there;
    time += there + back;
    return Promise.resolve([{ databaseMs }]);
  };
  return new ClockDifference({ queryReserved } as unknown as Database, clock, metrics);
}

it('takes half the round trip off', async () => {
  expect(await difference([1, 2, 3, 4, 5].map(() => [400, 400] as const)).measure()).toBe(45);
});

it('is that of the quickest of five questions', async () => {
  const trips = [
    [3_000, 10],
    [10, 900],
    [2, 2],
    [10, 5_000],
    [70, 10],
  ] as const;
  expect(await difference(trips).measure()).toBe(45);
});
