import { describe, expect, it } from 'vitest';
import { QUESTIONS } from '../protocol/questions.js';
import { readAnswer, refuseOversize } from './lender-answer.js';
import type { CallFailure } from './lender-call-metrics.js';

const DECLINED = JSON.stringify({ answerId: 'a', verdict: 'DECLINED', reason: 'POLICY' });
const ERROR = JSON.stringify({ error: { code: 'some_code', message: 'As the test says.' } });

function read(status: number, body: string | Buffer, headers = {}, isSigned = true) {
  const answer = { status, headers, body: Buffer.from(body) };
  refuseOversize(answer);
  return readAnswer(QUESTIONS.OFFERS.verdict, answer, isSigned);
}

describe('an answer', () => {
  it('is a verdict, or pending', () => {
    const verdict = JSON.parse(DECLINED) as object;
    expect(read(200, DECLINED)).toEqual({ kind: 'VERDICT', verdict });
    const pending = { kind: 'PENDING', askAgainAfterSeconds: 60 };
    expect(read(202, '{"askAgainAfterSeconds":60}')).toEqual(pending);
  });

  it.each<[CallFailure, string, Parameters<typeof read>]>([
    ['invalid_answer', 'that is no JSON', [200, '<h1>busy</h1>']],
    ['invalid_answer', 'that is not UTF-8', [200, Buffer.from([0xed, 0xa0, 0x80])]],
    ['invalid_answer', 'nested without an end', [200, '['.repeat(100_000)]],
    ['invalid_answer', 'with a prototype', [200, `{"__proto__":${DECLINED}}`]],
    ['invalid_answer', 'of another question', [200, '{"answerId":"a","verdict":"PAID"}']],
    ['too_large', 'of more than 256 KB', [200, `"${'x'.repeat(300 * 1024)}"`]],
    ['compressed', 'that is compressed', [200, DECLINED, { 'content-encoding': 'gzip' }]],
    ['error_status', 'of 500', [500, ERROR]],
    ['error_status', 'of 401, which is about every question', [401, ERROR]],
    ['error_status', 'of a balancer', [502, '<h1>Bad</h1>', {}, false]],
    ['refused', 'of 409', [409, ERROR]],
  ])('is unknown, %s, %s', (failure, _, answer) => {
    expect(() => read(...answer)).toThrow(expect.objectContaining({ failure }) as Error);
  });

  it.each<[string, number, Parameters<typeof read>]>([
    ['in its own words', 90_000, [429, ERROR, { 'retry-after': '90' }]],
    ['for hours', 21_600_000, [503, ERROR, { 'retry-after': '999999' }]],
    ['by its balancer', 60_000, [503, 'busy', { 'retry-after': '3600' }, false]],
  ])('has the lender asked later when it says so %s: %i ms', (_, askAgainInMs, answer) => {
    const asked = { failure: 'asked_to_wait', askAgainInMs };
    expect(() => read(...answer)).toThrow(expect.objectContaining(asked) as Error);
  });
});
