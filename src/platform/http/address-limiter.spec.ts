import type { Response } from 'express';
import { beforeEach, describe, expect, it } from 'vitest';
import { Clock } from '../clock/clock.js';
import { AddressLimiter } from './address-limiter.js';
import type { RawRequest } from './raw-request.js';

class HeldClock extends Clock {
  seconds = 1_700_000_000;

  now(): Date {
    return new Date(this.seconds * 1_000);
  }
}

let clock: HeldClock;
let limiter: AddressLimiter;
let headers: Record<string, string>;
let response: Response;

beforeEach(() => {
  clock = new HeldClock();
  limiter = new AddressLimiter(clock);
  headers = {};
  response = {
    headersSent: false,
    setHeader: (name: string, value: string) => (headers[name] = value),
  } as unknown as Response;
});

function from(ip: string): RawRequest {
  return { ip } as RawRequest;
}

function fail(ip: string, times = 1) {
  let fault = null;
  for (let i = 0; i < times; i += 1) fault = limiter.countFailure(from(ip), response);
  return fault;
}

describe('failures of one address', () => {
  it('are let through 600 times a minute, and refused after that until the minute is over', () => {
    expect(fail('10.0.0.1', 600)).toBeNull();
    expect(headers).toMatchObject({ 'RateLimit-Limit': '600', 'RateLimit-Remaining': '0' });
    clock.seconds += 20;
    expect(fail('10.0.0.1')).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 40 });
    clock.seconds += 40;
    expect(fail('10.0.0.1')).toBeNull();
    expect(headers).toMatchObject({ 'RateLimit-Remaining': '599', 'RateLimit-Reset': '60' });
  });

  it('are no concern of another address', () => {
    fail('10.0.0.1', 700);
    expect(fail('10.0.0.2')).toBeNull();
  });

  it('are those of its whole /64 where it is IPv6: one subscriber has all of it', () => {
    for (let i = 1; i <= 600; i += 1) fail(`2001:db8:1:2::${i.toString(16)}`);
    expect(fail('2001:db8:1:2:ffff:ffff:ffff:ffff')).toMatchObject({ code: 'rate_limited' });
    expect(fail('2001:DB8:1:2:0::')).toMatchObject({ code: 'rate_limited' });
    expect(fail('2001:db8:1:3::1')).toBeNull();
    expect(limiter.countUnreadable('2001:db8:1:2::abcd').refusal).not.toBeNull();
  });

  it('are those of its IPv4 address where IPv6 carries one', () => {
    fail('::ffff:10.0.0.1', 300);
    fail('::ffff:a00:1', 300);
    expect(fail('10.0.0.1')).toMatchObject({ code: 'rate_limited' });
    expect(fail('::ffff:10.0.0.2')).toBeNull();
  });

  it('are those of its address where a proxy names the port, too', () => {
    fail('203.0.113.9:50000', 600);
    expect(fail('203.0.113.9:50001')?.code).toBe('rate_limited');
    expect(fail('203.0.113.9')?.code).toBe('rate_limited');
    fail('[2001:db8:1:2::1]:50000', 600);
    expect(fail('[2001:db8:1:2::2]:50001')?.code).toBe('rate_limited');
    expect(fail('2001:db8:1:2::3')?.code).toBe('rate_limited');
  });

  it('do not lock an address out when the clock is set back', () => {
    fail('10.0.0.1', 700);
    clock.seconds -= 86_400;
    expect(fail('10.0.0.1')).toBeNull();
  });
});

it('describes an address without counting', () => {
  fail('10.0.0.1', 3);
  for (let i = 0; i < 5; i += 1) limiter.describe(from('10.0.0.1'), response);
  expect(headers).toEqual({
    'RateLimit-Limit': '600',
    'RateLimit-Remaining': '597',
    'RateLimit-Reset': '60',
    'RateLimit-Policy': '600;w=60',
  });
});

it('writes no headers on an answer that has gone out', () => {
  response = { ...response, headersSent: true } as Response;
  expect(fail('10.0.0.1')).toBeNull();
  expect(headers).toEqual({});
});

it('forgets the oldest addresses first when there are very many', () => {
  fail('10.0.0.1', 700);
  for (let i = 0; i < 49_999; i += 1) limiter.describe(from(`10.1.${i >> 8}.${i & 255}`), response);
  expect(fail('10.0.0.1')).not.toBeNull();
  limiter.describe(from('2001:db8::1'), response);
  expect(fail('10.0.0.1')).toBeNull();
});

it('knows the callers that were marked, by their request', () => {
  const request = from('10.0.0.1');
  expect(limiter.isKnownCaller(request)).toBe(false);
  limiter.markKnownCaller(request);
  expect(limiter.isKnownCaller(request)).toBe(true);
  expect(limiter.isKnownCaller(from('10.0.0.1'))).toBe(false);
});
