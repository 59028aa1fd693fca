import { beforeEach, describe, expect, it } from 'vitest';
import { InFlight } from './in-flight.js';

let inFlight: InFlight;

beforeEach(() => {
  inFlight = new InFlight();
});

describe('what is in flight on a lane', () => {
  it('is busy until it is served or ends, and told until it ends', () => {
    inFlight.start('a', false);
    inFlight.start('b', true);
    expect([inFlight.busy, inFlight.retries]).toEqual([2, 1]);
    inFlight.serve('a');
    inFlight.serve('a');
    expect([inFlight.busy, inFlight.ids]).toEqual([1, ['a', 'b']]);
    for (const id of ['a', 'a', 'b', 'c']) inFlight.end(id);
    inFlight.serve('b');
    expect([inFlight.busy, inFlight.retries, inFlight.ids]).toEqual([0, 0, []]);
  });

  it('counts once what starts again', () => {
    inFlight.start('a', false);
    inFlight.serve('a');
    inFlight.start('a', true);
    inFlight.start('a', true);
    expect([inFlight.busy, inFlight.retries]).toEqual([1, 1]);
  });

  it('ends by itself when its time is over', () => {
    inFlight.start('a', true, 100);
    inFlight.start('b', false);
    inFlight.endOverdue(99);
    expect(inFlight.busy).toBe(2);
    inFlight.endOverdue(100);
    expect([inFlight.ids, inFlight.retries]).toEqual([['b'], 0]);
  });

  it('is none but some', () => {
    expect(inFlight.isNoneBut(new Set())).toBe(true);
    inFlight.start('a', false);
    expect([inFlight.isNoneBut(new Set(['a', 'b'])), inFlight.isNoneBut(new Set(['b']))]).toEqual([
      true,
      false,
    ]);
  });
});
