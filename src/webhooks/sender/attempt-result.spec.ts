import { describe, expect, it } from 'vitest';
import { type OutboundAnswer, OutboundFailure } from '../../platform/index.js';
import { resultOfAnswer, resultOfFailure } from './attempt-result.js';

const NOW = new Date('2026-01-01T00:00:00Z');

function answer(status: number, given: Partial<OutboundAnswer> = {}): OutboundAnswer {
  return { status, headers: {}, excerpt: '', durationMs: 12, ...given };
}

describe('resultOfAnswer', () => {
  it.each([200, 201, 202, 204, 299])('takes %d for a success', (status) => {
    expect(resultOfAnswer(answer(status), NOW)).toMatchObject({ isSuccess: true, failure: null });
  });

  it.each([400, 401, 404, 410, 429, 500, 503])('takes %d for a failure', (status) => {
    expect(resultOfAnswer(answer(status), NOW)).toMatchObject({
      isSuccess: false,
      isGone: status === 410,
      responseStatus: status,
    });
  });

  it('listens to Retry-After on 429 and 503 alone', () => {
    const headers = { 'retry-after': '60' };
    expect(resultOfAnswer(answer(429, { headers }), NOW).retryAfterMs).toBe(60_000);
    expect(resultOfAnswer(answer(503, { headers }), NOW).retryAfterMs).toBe(60_000);
    expect(resultOfAnswer(answer(500, { headers }), NOW).retryAfterMs).toBeNull();
  });

  it('keeps the first kilobyte of the answer, without what PostgreSQL cannot hold', () => {
    const excerpt = `\0a\0${'ऋ'.repeat(1_000)}`;
    const kept = resultOfAnswer(answer(500, { excerpt }), NOW).responseExcerpt!;
    expect(kept).toMatch(/^aऋ+$/);
    expect(Buffer.byteLength(kept)).toBeGreaterThan(1_000);
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(1_024);
  });

  it.each(['', 'x'.repeat(1_010), 'x '.repeat(600)])(
    'keeps nothing personal, after %j',
    (before) => {
      const excerpt = `${before} {"pan":"ABCPE1234F","mobile":"9876543210","email":"asha@mail.example"}`;
      const kept = resultOfAnswer(answer(400, { excerpt }), NOW).responseExcerpt!;
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
