import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Fault } from '../platform/index.js';
import { readCredentials } from './request-credentials.js';

const NAMES = ['x-api-key', 'x-timestamp', 'x-nonce', 'x-signature'];
const GOOD = {
  'x-api-key': ['rinpath_test_one'],
  'x-timestamp': ['1700000000'],
  'x-nonce': ['0f8fad5b-d9cb-469f-a165-70867728950e'],
  'x-signature': ['ab'.repeat(32)],
};

function refusalOf(changes: Record<string, string[] | undefined>): string {
  try {
    readCredentials({ ...GOOD, ...changes });
    return 'none';
  } catch (error) {
    return (error as Fault).message;
  }
}

describe('a header that is missing', () => {
  it('is named, absent or empty: the first of several, in the order of the contract', () => {
    const absent: Record<string, undefined> = {};
    for (const name of NAMES.toReversed()) {
      absent[name] = undefined;
      for (const changes of [absent, { [name]: undefined }, { [name]: [''] }]) {
        expect(refusalOf(changes)).toBe(`The ${name} header is missing`);
      }
    }
  });
});

describe('a header that is malformed', () => {
  it.each([
    ...['now', '1700000000.5', '17e8', '+1700000000', '-1700000000', '1700000000000'].map(
      (text) => ['x-timestamp', 'Unix time in seconds', text],
    ),
    ...[
      'nonce',
      '01a1fcf1-53ad-7174-853d-d701385fe9c0',
      '6ba7b810-9dad-41d1-c0b4-00c04fd430c8',
      randomUUID().replaceAll('-', ''),
      `${randomUUID()}0`,
    ].map((text) => ['x-nonce', 'a UUID v4', text]),
    ...['a'.repeat(63), 'a'.repeat(65), `${'a'.repeat(63)}g`].map((text) => [
      'x-signature',
      '64 hexadecimal characters',
      text,
    ]),
  ])('is named with its form: %s must be %s, not %s', (name, form, text) => {
    expect(refusalOf({ [name]: [text] })).toBe(`The ${name} header must be ${form}`);
  });

  it.each(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer one two'])(
    'is an Authorization that is %s, with another key or without',
    (authorization) => {
      for (const key of [GOOD['x-api-key'], undefined]) {
        expect(refusalOf({ 'x-api-key': key, authorization: [authorization] })).toBe(
          'The Authorization header must be Bearer <API key>',
        );
      }
    },
  );

  it.each([...NAMES, 'authorization'])('is a second %s, be it the same', (name) => {
    for (const values of [
      ['a', 'a'],
      ['a', 'b'],
    ]) {
      expect(refusalOf({ [name]: values })).toBe(`The ${name} header was sent more than once`);
    }
  });
});

describe('the key', () => {
  it.each([
    ['x-api-key', GOOD['x-api-key'], undefined],
    ['Bearer', undefined, ['Bearer rinpath_test_one']],
    ['both alike, the scheme in any case', GOOD['x-api-key'], ['BEARER rinpath_test_one']],
  ])('is read from %s', (_, key, authorization) => {
    const read = readCredentials({ ...GOOD, 'x-api-key': key, authorization });
    expect(read.apiKey).toBe('rinpath_test_one');
  });

  it('is none where both headers name different keys', () => {
    expect(refusalOf({ authorization: ['Bearer rinpath_test_two'] })).toBe(
      'The x-api-key and Authorization headers name different keys',
    );
  });
});

it('a signature is read in upper-case hexadecimal and in mixed', () => {
  for (const text of ['AB'.repeat(32), 'aB'.repeat(32)]) {
    const { signature } = readCredentials({ ...GOOD, 'x-signature': [text] });
    expect(signature).toEqual(Buffer.alloc(32, 0xab));
  }
});
