import { describe, expect, it } from 'vitest';
import { Clock, type Database } from '../../platform/index.js';
import { KnownJourneys } from './known-journeys.js';

const MINUTE_MS = 60_000;

class SetClock extends Clock {
  ms = Date.UTC(2026, 0, 1);

  now(): Date {
    return new Date(this.ms);
  }
}

function knownJourneys() {
  const clock = new SetClock();
  const asked: unknown[] = [];
  const prepared = (_name: string, _sql: string, [ids, versions]: [string[], unknown[]]) => {
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
  };
  const known = new KnownJourneys({ prepared } as unknown as Database, clock);
  const read = (id: string) => known.find({ id, partnerId: 'demo' });
  return { clock, asked, known, read };
}

describe('a journey that was read', () => {
  it('is kept for ten minutes, and read whole again after them', async () => {
    const { clock, asked, read } = knownJourneys();
    const first = await read('jrn_1');
    clock.ms += 9 * MINUTE_MS;
    expect(await read('jrn_1')).toBe(first);
    clock.ms += 2 * MINUTE_MS;
    expect(await read('jrn_1')).not.toBe(first);
    expect(asked).toEqual([null, '7', null]);
  });

  it('is forgotten also when it is others that are asked for', async () => {
    const { clock, known, read } = knownJourneys();
    await read('jrn_1');
    await read('jrn_2');
    clock.ms += 9 * MINUTE_MS;
    await read('jrn_3');
    expect(known.size).toBe(3);
    clock.ms += 2 * MINUTE_MS;
    await read('jrn_3');
    expect(known.size).toBe(1);
  });
});
