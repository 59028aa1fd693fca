import type { Response } from 'express';
import { beforeEach, describe, expect, it } from 'vitest';
import { Clock } from '../clock/clock.js';
import { AddressLimiter, ProcessorMeter } from './address-limiter.js';
import type { RawRequest } from './partner-routes.js';

class HeldClock extends Clock {
  seconds = 1_700_000_000;

  now(): Date {
    return new Date(this.seconds * 1_000);
  }
}

class HeldMeter extends ProcessorMeter {
  ms = 0;

  protected override threadMs(): number {
    return this.ms ?? 0;
  }
}

let clock: HeldClock;
let meter: HeldMeter;
let limiter: AddressLimiter;
let headers: Record<string, string>;
let response: Response;

beforeEach(() => {
  clock = new HeldClock();
  limiter = new AddressLimiter(clock, (meter = new HeldMeter()));
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

  it('are those of its whole /64 where it is IPv6: one subscriber has all of it', () => {
    for (let i = 1; i <= 600; i += 1) fail(`2001:db8:1:2::${i.toString(16)}`);
    expect(fail('2001:db8:1:2:ffff:ffff:ffff:ffff')).toMatchObject({ code: 'rate_limited' });
    expect(fail('2001:DB8:1:2:0::')).toMatchObject({ code: 'rate_limited' });
    expect(fail('2001:db8:1:3::1')).toBeNull();
    expect(limiter.countUnreadable('2001:db8:1:2::abcd').refusal).not.toBeNull();
  });

  it('do not lock an address out when the clock is set back', () => {
    fail('10.0.0.1', 700);
    clock.seconds -= 86_400;
    expect(fail('10.0.0.1')).toBeNull();
  });
});

describe('the processor time of one address without a key', () => {
  function use(ip: string, { times, eachMs }: { times: number; eachMs: number }): void {
    for (let i = 0; i < times; i += 1) {
      const end = limiter.beginWithoutKey(from(ip));
      meter.ms += eachMs;
      end();
    }
  }

  const refusal = (ip: string) => {
    try {
      limiter.beginWithoutKey(from(ip))();
      return null;
    } catch (error) {
      return error;
    }
  };

  it('is a second at once, and a fifth of the time after that', () => {
    use('10.0.0.1', { times: 100, eachMs: 9.9 });
    expect(refusal('10.0.0.1')).toBeNull();
    use('10.0.0.1', { times: 1, eachMs: 9 });
    expect(refusal('10.0.0.1')).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 1 });
    expect(refusal('10.0.0.2')).toBeNull();
    clock.seconds += 1;
    use('10.0.0.1', { times: 19, eachMs: 10 });
    expect(refusal('10.0.0.1')).toBeNull();
    use('10.0.0.1', { times: 1, eachMs: 10 });
    expect(refusal('10.0.0.1')).not.toBeNull();
  });

  it('leaves room for a hundred requests in progress whose caller is not known', () => {
    const requests = Array.from({ length: 100 }, () => from('10.0.0.1'));
    const ends = requests.map((request) => limiter.beginWithoutKey(request));
    expect(refusal('10.0.0.1')).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 1 });
    ends[0]();
    expect(refusal('10.0.0.1')).toBeNull();
    limiter.beginWithoutKey(from('10.0.0.1'));
    expect(refusal('10.0.0.1')).not.toBeNull();
    limiter.markKnownCaller(requests[1]);
    expect(refusal('10.0.0.1')).toBeNull();
  });

  it('is nothing of a caller that was identified, nor of a key beside it', () => {
    for (let i = 0; i < 1_000; i += 1) {
      const request = from('10.0.0.1');
      const end = limiter.beginWithoutKey(request);
      meter.ms += 10;
      limiter.markKnownCaller(request);
      end();
    }
    expect(refusal('10.0.0.1')).toBeNull();
    const known = Array.from({ length: 9 }, () => ({
      end: () => undefined,
      once: () => undefined,
    }));
    for (const res of known) limiter.markKnownCaller({ ip: '10.0.0.3', res } as never);
    // Nine other requests are in progress.
    use('10.0.0.1', { times: 100, eachMs: 40 });
    expect(refusal('10.0.0.1')).toBeNull();
    // The connection closed before its key was known: only the response ends the request.
    for (const res of known) res.end();
    use('10.0.0.1', { times: 15, eachMs: 40 });
    expect(refusal('10.0.0.1')).not.toBeNull();
  });

  it('does not lock an address out when the clock is set back', () => {
    use('10.0.0.1', { times: 100, eachMs: 10 });
    clock.seconds -= 86_400;
    expect(refusal('10.0.0.1')).not.toBeNull();
    clock.seconds += 5;
    expect(refusal('10.0.0.1')).toBeNull();
  });
});
