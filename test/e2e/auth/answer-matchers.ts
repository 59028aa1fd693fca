import { expect } from 'vitest';
import type { Answer } from '../../support/partner-client.js';

/** The errors that these tests expect, copied from the catalogue on purpose. */
const REFUSALS = {
  invalid_signature: [401, 'Invalid signature or expired timestamp'],
  nonce_reused: [401, 'This nonce was already used; sign again with a new one'],
  key_suspended: [403, 'This API key is suspended; contact support'],
  key_revoked: [403, 'This API key is revoked; use another key'],
  partner_suspended: [403, 'This partner is suspended; contact support'],
  product_not_assigned: [403, 'This product is not assigned to the API key'],
  rate_limited: [429, 'Too many requests; wait for the seconds in Retry-After'],
  journey_not_found: [404, 'No such journey'],
  application_not_found: [404, 'No such application'],
  subscription_not_found: [404, 'No such webhook subscription'],
  journey_session_missing: [401, 'Send the journey session in the X-Journey-Session header'],
  journey_session_invalid: [
    401,
    'The journey session is not valid; send the one that initiate returned',
  ],
  malformed_json: [400, 'The body is not valid JSON'],
  malformed_request: [400, 'The request is malformed'],
  validation_failed: [400, 'Validation failed'],
  unsupported_media_type: [415, 'Content-Encoding is not supported; send the body uncompressed'],
  body_too_large: [413, 'The body is larger than 100 KB'],
  wrong_step: [409, 'The journey is at another step; read it again'],
  hosted_journey: [409, 'This journey is hosted: only the applicant can act, on its pages'],
} as const satisfies Record<string, readonly [number, string]>;

export type Refusal = keyof typeof REFUSALS;

/** An error whose message is longer than the catalogue's. */
interface Failure {
  status: number;
  code: string;
  error: string;
}

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /** The response is exactly this error, in the envelope, with the common headers. */
    toBeRefused(this: Matchers<R, T>, code: Refusal): R;
    toBeFailure(this: Matchers<R, T>, failure: Failure): R;
    toHaveCommonHeaders(this: Matchers<R, T>): R;
  }
}

const COMMON_HEADERS = {
  'ratelimit-limit': expect.stringMatching(/^\d+$/) as string,
  'ratelimit-remaining': expect.stringMatching(/^\d+$/) as string,
  'ratelimit-reset': expect.stringMatching(/^[1-9]\d*$/) as string,
  'ratelimit-policy': expect.stringMatching(/^\d+;w=60(, \d+;w=86400)?$/) as string,
  'x-request-id': expect.stringMatching(/^[A-Za-z0-9._:-]{1,128}$/) as string,
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
};

function commonHeadersOf({ headers }: Answer<unknown>): Record<string, unknown> {
  const names = Object.keys(COMMON_HEADERS);
  return Object.fromEntries(names.map((name) => [name, headers[name]]));
}

function failureOf(answer: Answer<unknown>) {
  const { success, error, code } = answer.json;
  const envelope = { success, error, code, hasData: 'data' in answer.json };
  return { status: answer.status, ...envelope, headers: commonHeadersOf(answer) };
}

function expectedOf(failure: Failure) {
  return { ...failure, success: false, hasData: false, headers: COMMON_HEADERS };
}

function compared(pass: boolean, what: string, actual: unknown, expected: unknown) {
  return {
    pass,
    message: () => `expected the answer ${pass ? 'not ' : ''}to ${what}`,
    actual,
    expected,
  };
}

expect.extend({
  toBeRefused(answer: Answer<unknown>, code: Refusal) {
    const [status, error] = REFUSALS[code];
    const [actual, expected] = [failureOf(answer), expectedOf({ status, code, error })];
    return compared(this.equals(actual, expected), `be refused as ${code}`, actual, expected);
  },
  toBeFailure(answer: Answer<unknown>, failure: Failure) {
    const [actual, expected] = [failureOf(answer), expectedOf(failure)];
    return compared(this.equals(actual, expected), `fail as ${failure.code}`, actual, expected);
  },
  toHaveCommonHeaders(answer: Answer<unknown>) {
    const actual = commonHeadersOf(answer);
    const pass = this.equals(actual, COMMON_HEADERS);
    return compared(pass, 'have the headers of every answer', actual, COMMON_HEADERS);
  },
});
