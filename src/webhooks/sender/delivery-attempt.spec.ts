import { Logger } from '@nestjs/common';
import { describe, expect, it, vi } from 'vitest';
import {
  type OutboundAnswer,
  OutboundFailure,
  type OutboundThread,
  RandomSource,
  SystemClock,
} from '../../platform/index.js';
import type { ServiceSettings } from '../../settings/index.js';
import type { SubscriptionSecrets } from '../subscriptions/subscription-secrets.js';
import {
  DeliveryAttempt,
  MAX_ATTEMPTS,
  type Message,
  resultOfAnswer,
  resultOfFailure,
  retryAfterMs,
  retryDelayMs,
} from './delivery-attempt.js';

const MESSAGE: Message = {
  eventId: 'evt_1',
  eventName: 'journey.initiated',
  body: '{}',
  attempt: 1,
  lane: {
    subscriptionId: 'sub_1',
    url: 'https://partner.example/',
    secretSealed: 'sealed',
    previousSecretsSealed: [],
  },
};

function attemptAnswered(answer: OutboundAnswer): DeliveryAttempt {
  return new DeliveryAttempt(
    { post: () => Promise.resolve(answer) } as unknown as OutboundThread,
    { open: () => 'whsec_AAAA' } as unknown as SubscriptionSecrets,
    { brand: () => Promise.resolve({ slug: 'rinpath' }) } as unknown as ServiceSettings,
    new SystemClock(),
    new RandomSource(),
  );
}

describe('DeliveryAttempt', () => {
  it.each([204, 503])('counts a %d whose rest it fails to read', async (status) => {
    const logged = vi.spyOn(Logger.prototype, 'error').mockReturnValue();
    const unreadable = {
      status,
      durationMs: 7,
      excerpt: '',
      get headers(): never {
        throw new Error('a mistake of ours');
      },
    };
    expect(await attemptAnswered(unreadable).post(MESSAGE, 1_000)).toEqual({
      isSuccess: status === 204,
      isGone: false,
      responseStatus: status,
      responseExcerpt: null,
      failure: null,
      retryAfterMs: null,
      durationMs: 7,
    });
    expect(logged).toHaveBeenCalledOnce();
    logged.mockRestore();
  });
});

const NOW = new Date('2026-01-01T00:00:00Z');

function answerOf(status: number, given: Partial<OutboundAnswer> = {}): OutboundAnswer {
  return { status, headers: {}, excerpt: '', durationMs: 12, ...given };
}

describe('resultOfAnswer', () => {
  it.each([200, 201, 202, 204, 299])('takes %d for a success', (status) => {
    expect(resultOfAnswer(answerOf(status), NOW)).toMatchObject({ isSuccess: true, failure: null });
  });

  it.each([400, 401, 404, 410, 429, 500, 503])('takes %d for a failure', (status) => {
    expect(resultOfAnswer(answerOf(status), NOW)).toMatchObject({
      isSuccess: false,
      isGone: status === 410,
      responseStatus: status,
    });
  });

  it('listens to Retry-After on 429 and 503 alone', () => {
    const headers = { 'retry-after': '60' };
    expect(resultOfAnswer(answerOf(429, { headers }), NOW).retryAfterMs).toBe(60_000);
    expect(resultOfAnswer(answerOf(503, { headers }), NOW).retryAfterMs).toBe(60_000);
    expect(resultOfAnswer(answerOf(500, { headers }), NOW).retryAfterMs).toBeNull();
  });

  it('keeps the first kilobyte of the answer, without what PostgreSQL cannot hold', () => {
    const excerpt = `\0a\0${'ऋ'.repeat(1_000)}`;
    const kept = resultOfAnswer(answerOf(500, { excerpt }), NOW).responseExcerpt!;
    expect(kept).toMatch(/^aऋ+$/);
    expect(Buffer.byteLength(kept)).toBeGreaterThan(1_000);
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(1_024);
  });

  it.each(['', 'x'.repeat(1_010), 'x '.repeat(600)])(
    'keeps nothing personal, after %j',
    (before) => {
      const excerpt = `${before} {"pan":"ABCPE1234F","mobile":"9876543210","email":"asha@mail.example"}`;
      const kept = resultOfAnswer(answerOf(400, { excerpt }), NOW).responseExcerpt!;
      expect(kept).not.toMatch(/ABC|987|asha/);
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(1_024);
    },
  );
});

describe('resultOfFailure', () => {
  it('tells why no usable answer came', () => {
    expect(resultOfFailure(new OutboundFailure('TIMEOUT', { durationMs: 5_000 }))).toEqual({
      isSuccess: false,
      isGone: false,
      responseStatus: null,
      responseExcerpt: null,
      failure: 'TIMEOUT',
      retryAfterMs: null,
      durationMs: 5_000,
    });
    expect(resultOfFailure(new OutboundFailure('REDIRECT', { status: 302 })).responseStatus).toBe(
      302,
    );
  });
});

const HOUR_MS = 3_600_000;

describe('retryDelayMs', () => {
  it('follows the schedule of decisions §9 and ends with the twelfth attempt', () => {
    const seconds = Array.from({ length: MAX_ATTEMPTS }, (_, index) => retryDelayMs(index + 1, 0));
    expect(seconds.map((milliseconds) => milliseconds && milliseconds / 1000)).toEqual([
      5,
      30,
      120,
      600,
      1_800,
      3_600,
      7_200,
      14_400,
      28_800,
      43_200,
      86_400,
      null,
    ]);
  });

  it('adds up to a fifth', () => {
    expect(retryDelayMs(1, 0.5)).toBe(5_500);
    expect(retryDelayMs(1, 0.999_999)).toBe(6_000);
  });

  it('waits as long as the receiver asks, up to an hour', () => {
    expect(retryDelayMs(1, 0, 60_000)).toBe(60_000);
    expect(retryDelayMs(1, 0, 24 * HOUR_MS)).toBe(HOUR_MS);
  });

  it('is not hurried by the receiver', () => {
    expect(retryDelayMs(1, 0, 0)).toBe(5_000);
    expect(retryDelayMs(11, 0, 60_000)).toBe(24 * HOUR_MS);
  });

  it('tries no more after the last attempt, whatever the receiver asks', () => {
    expect(retryDelayMs(MAX_ATTEMPTS, 0, 60_000)).toBeNull();
  });
});

describe('retryAfterMs', () => {
  const now = new Date('2026-01-01T00:00:00Z');

  it.each<[string | undefined, number | null]>([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['0', 0],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    [undefined, null],
    ['', null],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
  ])('reads %j as %j', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
