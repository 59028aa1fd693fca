import { describe, expect, it } from 'vitest';
import type { RawRequest } from '../../platform/index.js';
import { type CallbackRefused, readCallback } from './read-callback.js';

const EVENT = {
  id: 'event-1',
  applicationId: 'app_1',
  loanReference: 'LOAN-1',
  event: 'CLOSED',
  happenedAt: '2026-11-25T09:00:00+05:30',
};
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'rlp-version': '1',
  'idempotency-key': 'event-1',
};

function read(body: object | string | Buffer, headers: Record<string, string> = {}) {
  const given: Record<string, string> = { ...HEADERS, ...headers };
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const request = { get: (name: string) => given[name.toLowerCase()], rawBody: Buffer.from(text) };
  return readCallback('LOAN_EVENTS', request as unknown as RawRequest);
}

function refusal(...given: Parameters<typeof read>): CallbackRefused {
  try {
    read(...given);
  } catch (error) {
    return error as CallbackRefused;
  }
  throw new Error('it was read');
}

describe('a message of a lender', () => {
  it('is read under its id, with all that was sent', () => {
    const sent = { ...EVENT, ofALaterVersion: 1 };
    const message = { id: 'event-1', body: EVENT, json: JSON.stringify(sent) };
    expect(read(sent)).toEqual({ name: 'LOAN_EVENTS', ...message });
  });

  it.each<[string, number, string, Parameters<typeof read>]>([
    ['no JSON', 400, 'invalid_request', ['{']],
    ['no UTF-8', 400, 'invalid_request', [Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])]],
    ['no object', 400, 'invalid_request', ['[]']],
    ['nested too deeply', 400, 'invalid_request', [`${'['.repeat(5_000)}${']'.repeat(5_000)}`]],
    ['a field that is missing', 400, 'invalid_request', [{ id: 'x' }]],
    ['another Idempotency-Key', 400, 'invalid_request', [EVENT, { 'idempotency-key': 'other' }]],
    ['another version', 400, 'version_not_supported', [EVENT, { 'rlp-version': '2' }]],
    [
      'another media type',
      415,
      'unsupported_media_type',
      [EVENT, { 'content-type': 'text/plain' }],
    ],
  ])('is refused: %s', (_, status, code, given) => {
    expect(refusal(...given)).toMatchObject({ status, code });
  });
});
