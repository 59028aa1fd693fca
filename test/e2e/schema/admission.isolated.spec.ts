// Isolated: stops time in its database.
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  AdmissionDatabase,
  type Admitted,
  type Arrival,
} from '../../support/admission-database.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const NOON_IN_INDIA = new Date('2026-06-15T12:00:00.250+05:30');

let database: TestDatabase;
let admissions: AdmissionDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  admissions = new AdmissionDatabase(database.url);
  await admissions.open();
});

afterAll(async () => {
  await admissions.close();
  await database.drop();
});

beforeEach(() => admissions.holdClock(NOON_IN_INDIA));

function outcomes(rows: Admitted[]): string[] {
  return rows.map(({ outcome }) => outcome);
}

function count(rows: Admitted[], outcome: Admitted['outcome']): number {
  return rows.filter((row) => row.outcome === outcome).length;
}

describe('nonces', () => {
  it('admits a nonce once, also within one batch', async () => {
    const key = await admissions.issueKey({ minute: 10 });
    const nonce = randomUUID();
    const rows = await admissions.admit({ key, nonce }, { key }, { key, nonce });
    expect(outcomes(rows)).toEqual(['ADMITTED', 'ADMITTED', 'REPLAYED']);
    expect(rows.map((row) => row.minute_used)).toEqual([1, 2, 2]);
  });

  it('uses the nonce of a request up that the limit refuses', async () => {
    const key = await admissions.issueKey({ minute: 1 });
    const nonce = randomUUID();
    expect(outcomes(await admissions.admit({ key }, { key, nonce }))).toEqual([
      'ADMITTED',
      'LIMITED',
    ]);
    await admissions.moveHeldClock(61_000);
    expect(outcomes(await admissions.admit({ key, nonce }))).toEqual(['REPLAYED']);
  });
});

describe('batches', () => {
  it('answers in the order of the requests when two keys share a batch', async () => {
    const [first, second] = [
      await admissions.issueKey({ minute: 1 }),
      await admissions.issueKey({ minute: 2 }),
    ];
    const keys = [second, first, second, first, second];
    const rows = await admissions.admit(...keys.map((key) => ({ key })));
    expect(outcomes(rows)).toEqual(['ADMITTED', 'ADMITTED', 'ADMITTED', 'LIMITED', 'LIMITED']);
    expect(rows.map((row) => row.minute_used)).toEqual([1, 1, 2, 1, 2]);
  });

  it('uses nothing up for a request whose copy of the key is out of date', async () => {
    const key = await admissions.issueKey({ minute: 2 });
    const nonce = randomUUID();
    const stale = await admissions.admit({ key, nonce, version: 0 });
    expect(stale[0]).toMatchObject({ outcome: 'STALE', minute_used: 0, day_used: 0 });
    const rows = await admissions.admit({ key, nonce, version: 7 }, { key, nonce });
    expect(outcomes(rows)).toEqual(['STALE', 'ADMITTED']);
    expect(rows[1]).toMatchObject({ minute_used: 1, day_used: 1 });
  });
});

describe('the minute', () => {
  it('counts nothing from before a longer pause', async () => {
    const key = await admissions.issueKey({ minute: 1 });
    await admissions.admit({ key });
    // At that time the request's bucket is the last of 61 to empty.
    await admissions.moveHeldClock(121_000);
    expect(outcomes(await admissions.admit({ key }))).toEqual(['ADMITTED']);
  });

  it('of a lowered limit ends when enough requests have expired', async () => {
    const key = await admissions.issueKey({ minute: 2 });
    await admissions.admit({ key });
    await admissions.moveHeldClock(10_000);
    await admissions.admit({ key });
    await admissions.limitMinute(key, 1);
    expect(await admissions.admit({ key })).toMatchObject([
      { outcome: 'LIMITED', minute_reset: 61 },
    ]);
  });
});

describe('over several minutes of random arrivals', () => {
  const step = fc.record({
    gapMs: fc.oneof(fc.nat(900), fc.nat(12_000), fc.nat(75_000)),
    requests: fc.integer({ min: 1, max: 6 }),
  });

  it('admits what a count over the last 61 seconds would, and never more than the limit in any 60', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.array(step, { minLength: 10, maxLength: 40 }),
        async (limit, steps) => {
          await admissions.holdClock(NOON_IN_INDIA);
          const key = await admissions.issueKey({ minute: limit });
          const admitted: number[] = [];
          let now = NOON_IN_INDIA.getTime();
          for (const { gapMs, requests } of steps) {
            now += gapMs;
            await admissions.moveHeldClock(gapMs);
            for (const row of await admissions.admitMany(key, requests)) {
              const isAdmitted = row.outcome === 'ADMITTED';
              const resetIsTrue = row.minute_reset === modelReset(admitted, now, limit);
              expect({ isAdmitted, isTrue: isAdmitted || resetIsTrue }).toEqual({
                isAdmitted: modelAdmits(admitted, now, limit),
                isTrue: true,
              });
              if (isAdmitted) admitted.push(now);
            }
          }
          expect(maxInAnyMinute(admitted)).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns: 40 },
    );
  });
});

function modelAdmits(admitted: number[], now: number, limit: number): boolean {
  const second = Math.floor(now / 1_000);
  return admitted.filter((at) => Math.floor(at / 1_000) >= second - 60).length < limit;
}

function modelReset(admitted: number[], now: number, limit: number): number {
  for (let seconds = 1; ; seconds += 1) {
    if (modelAdmits(admitted, now + seconds * 1_000, limit)) return seconds;
  }
}

function maxInAnyMinute(admitted: number[]): number {
  const within = admitted.map((from) => admitted.filter((at) => at >= from && at <= from + 60_000));
  return Math.max(0, ...within.map((list) => list.length));
}

describe('many connections at once', () => {
  it('admits exactly the limit of every key and never waits for itself', async () => {
    await admissions.releaseClock();
    const limits = [37, 64, 101];
    const keys = await Promise.all(limits.map((minute) => admissions.issueKey({ minute })));
    const other = new AdmissionDatabase(database.url);
    const batches = Array.from({ length: 60 }, (_, number) => {
      const arrivals: Arrival[] = Array.from({ length: 9 }, (__, index) => ({
        key: keys[(number + index * (1 + (number % 2))) % keys.length],
      }));
      return (number % 2 === 0 ? admissions : other).admit(...arrivals).then((rows) => {
        return rows.map((row, index) => ({ ...row, key: arrivals[index].key }));
      });
    });
    const rows = (await Promise.all(batches)).flat();
    await other.close();
    const admittedOf = (key: string) => rows.filter((row) => row.key === key);
    expect(keys.map((key) => count(admittedOf(key), 'ADMITTED'))).toEqual(limits);
    expect(count(rows, 'ADMITTED') + count(rows, 'LIMITED')).toBe(540);
  });
});
