import { beforeEach, describe, expect, it } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.js';

let now = 0;
let breaker: CircuitBreaker;

beforeEach(() => {
  now = 0;
  breaker = new CircuitBreaker(() => now);
});

function fail(times: number): void {
  for (let time = 0; time < times; time += 1) breaker.failed();
}

const admitted = () => breaker.admit().kind === 'ADMITTED';

describe('a breaker', () => {
  it('opens after eight unknown answers in a row, and not before', () => {
    fail(7);
    expect(admitted()).toBe(true);
    fail(1);
    expect(breaker.admit()).toEqual({ kind: 'OPEN', waitMs: 5_000 });
  });

  it('counts anew after an answer', () => {
    fail(7);
    breaker.succeeded();
    fail(7);
    expect(admitted()).toBe(true);
  });

  it('lets one call try the lender after the pause, and closes when it is answered', () => {
    fail(8);
    now = 5_000;
    expect(admitted()).toBe(true);
    expect(admitted()).toBe(false);
    breaker.succeeded();
    expect(admitted()).toBe(true);
    expect(admitted()).toBe(true);
  });

  it('waits twice as long after each call that tried in vain, up to two minutes', () => {
    fail(8);
    let pause = 5_000;
    for (let tries = 0; tries < 8; tries += 1) {
      now += pause;
      expect(admitted()).toBe(true);
      breaker.failed();
      pause = Math.min(2 * pause, 120_000);
      expect(breaker.admit()).toEqual({ kind: 'OPEN', waitMs: pause });
    }
  });

  it('is not held open longer by calls that were under way when it opened', () => {
    fail(8);
    now = 4_000;
    fail(5);
    now = 5_000;
    expect(admitted()).toBe(true);
  });

  it('tries again when the call that tried it ended without a word on the lender', () => {
    fail(8);
    now = 5_000;
    expect(admitted()).toBe(true);
    breaker.ended();
    expect(admitted()).toBe(true);
  });
});
