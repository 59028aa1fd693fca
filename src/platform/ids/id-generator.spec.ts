import { describe, expect, it } from 'vitest';
import { Clock } from '../clock/clock.js';
import { IdGenerator } from './id-generator.js';

class HeldClock extends Clock {
  now(): Date {
    return new Date('2026-11-26T10:00:00.000Z');
  }
}

const ID = /^req_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/;

describe('ids of one millisecond', () => {
  it('are UUIDv7 of that time, and all different in their last 48 bits', () => {
    const ids = new IdGenerator(new HeldClock());
    const made = Array.from({ length: 5_000 }, () => ids.next('req'));
    for (const id of made) expect(id).toMatch(ID);
    const times = made.map((id) => Number.parseInt(id.slice(4, 16), 16));
    expect(new Set(times)).toEqual(new Set([new HeldClock().now().getTime()]));
    expect(new Set(made.map((id) => id.slice(-12))).size).toBe(made.length);
  });

  it('are of two makers never the same', () => {
    const [one, other] = [new IdGenerator(new HeldClock()), new IdGenerator(new HeldClock())];
    const made = Array.from({ length: 1_000 }, () => [one.next('req'), other.next('req')]).flat();
    expect(new Set(made).size).toBe(made.length);
  });
});
