import { ScheduleModule } from '@nestjs/schedule';
import { Test, type TestingModule } from '@nestjs/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Clock, Database } from '../../platform/index.js';
import { KnownJourneys } from './known-journeys.js';

const MINUTE_MS = 60_000;

class SetClock extends Clock {
  ms = Date.UTC(2026, 0, 1);

  now(): Date {
    return new Date(this.ms);
  }
}

let module: TestingModule;
let clock: SetClock;
let known: KnownJourneys;
/** The versions that the database is told are known. */
let asked: unknown[];

function prepared(_name: string, _sql: string, [ids, versions]: [string[], unknown[]]) {
  asked.push(...versions);
  return Promise.resolve(
    ids.map((id, index) => ({
      askedId: id,
      version: '7',
      isKnown: versions[index] === '7',
      id,
      partnerId: 'demo',
    })),
  );
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  asked = [];
  clock = new SetClock();
  module = await Test.createTestingModule({
    imports: [ScheduleModule.forRoot()],
    providers: [
      KnownJourneys,
      { provide: Clock, useValue: clock },
      { provide: Database, useValue: { prepared } },
    ],
  }).compile();
  await module.init();
  known = module.get(KnownJourneys);
});

afterEach(async () => {
  await module.close();
  vi.useRealTimers();
});

const read = (id: string) => known.find({ id, partnerId: 'demo' });

describe('a journey that was read', () => {
  it('is kept for ten minutes, and read whole again after them', async () => {
    const first = await read('jrn_1');
    clock.ms += 9 * MINUTE_MS;
    expect(await read('jrn_1')).toBe(first);
    clock.ms += 2 * MINUTE_MS;
    expect(await read('jrn_1')).not.toBe(first);
    expect(asked).toEqual([null, '7', null]);
  });

  it('is forgotten within a minute after them, also when nothing is read any more', async () => {
    await read('jrn_1');
    clock.ms += 9 * MINUTE_MS;
    await read('jrn_2');
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(known.size).toBe(2);
    clock.ms += 2 * MINUTE_MS;
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(known.size).toBe(1);
    clock.ms += 9 * MINUTE_MS;
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(known.size).toBe(0);
  });
});
