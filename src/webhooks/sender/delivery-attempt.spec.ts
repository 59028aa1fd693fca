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

function attemptWith(post: OutboundThread['post']): DeliveryAttempt {
  return new DeliveryAttempt(
    { post } as unknown as OutboundThread,
    { open: () => 'whsec_AAAA' } as unknown as SubscriptionSecrets,
    { brand: () => Promise.resolve({ slug: 'udhaari' }) } as unknown as ServiceSettings,
    new SystemClock(),
    new RandomSource(),
  );
}

describe('DeliveryAttempt', () => {
  it('gives a receiver five seconds, reads 16 KB of its answer, and has the deployment’s own brand in its headers', async () => {
    const post = vi.fn<OutboundThread['post']>().mockResolvedValue(answerOf(200));
    expect((await attemptWith(post).post(MESSAGE, 1_000)).isSuccess).toBe(true);
    expect(post.mock.calls[0][2]).toMatchObject({
      deadlineMs: 5_000,
      bodyMs: 500,
      maxResponseBytes: 16_384,
    });
    expect(post.mock.calls[0][1].headers).toMatchObject({
      'user-agent': 'udhaari-webhooks/1',
      'x-udhaari-signature': expect.any(String),
      'x-udhaari-event-id': 'evt_1',
      'x-udhaari-subscription-id': 'sub_1',
    });
    expect(JSON.stringify(post.mock.calls[0][1].headers)).not.toContain('rinpath');
  });

  it.each([204, 503])('counts a %d whose rest it fails to read', async (status) => {
    const logged = vi.spyOn(Logger.prototype, 'error').mockReturnValue();
    const unreadable = {
      status,
      durationMs: 7,
      excerpt: '',
      get headers(): never {
        throw new Error('a bug of the service');
      },
    };
    const attempt = attemptWith(() => Promise.resolve(unreadable));
    expect(await attempt.post(MESSAGE, 1_000)).toEqual({
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
  it.each([200, 204, 299])('takes %d for a success', (status) => {
    expect(resultOfAnswer(answerOf(status), NOW)).toMatchObject({ isSuccess: true, failure: null });
  });

  it.each([300, 400, 410, 429, 503])('takes %d for a failure', (status) => {
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

  it.each([
    ['adds up to a fifth', 1, 0.5, null, 5_500],
    ['waits as long as the receiver asks', 1, 0, 60_000, 60_000],
    ['waits no longer than an hour for it', 1, 0, 24 * HOUR_MS, HOUR_MS],
    ['is not hurried by it', 1, 0, 0, 5_000],
    ['is not hurried by it later', 11, 0, 60_000, 24 * HOUR_MS],
    ['tries no more after the last attempt', MAX_ATTEMPTS, 0, 60_000, null],
  ])('%s', (_, attempt, fraction, asked, expected) => {
    expect(retryDelayMs(attempt, fraction, asked)).toBe(expected);
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
