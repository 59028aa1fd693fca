import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { RandomSource } from '../platform/index.js';
import { hintOf, makeApiKey, makeApiSecret, readApiKey, readApiSecret } from './key-format.js';

const random = new RandomSource();

describe('makeApiKey', () => {
  it('makes keys of the documented form', () => {
    expect(makeApiKey('rinpath', 'test', random)).toMatch(/^rinpath_test_[0-9A-Za-z]{36}$/);
    expect(makeApiKey('my-bank', 'live', random)).toMatch(/^my-bank_live_[0-9A-Za-z]{36}$/);
  });

  it('ends in the CRC-32 of everything before, in base62, most significant digit first', () => {
    const key = makeApiKey('rinpath', 'test', random);
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const value = key
      .slice(-6)
      .split('')
      .reduce((sum, one) => sum * 62 + digits.indexOf(one), 0);
    expect(value).toBe(crc32(key.slice(0, -6)));
  });
});

describe('readApiKey', () => {
  it('refuses a key with any one character changed', () => {
    const key = makeApiKey('rinpath', 'test', random);
    for (let place = 0; place < key.length; place += 1) {
      const other = key[place] === 'a' ? 'b' : 'a';
      expect(readApiKey(key.slice(0, place) + other + key.slice(place + 1))).toBeNull();
    }
  });

  it('refuses truncated, lengthened and foreign text', () => {
    const key = makeApiKey('rinpath', 'test', random);
    const foreign = ['', 'x', `${key} `, `${key}\n`, key.slice(0, -1), `${key}0`, 'sk_test_123'];
    for (const text of foreign) expect(readApiKey(text)).toBeNull();
    expect(readApiKey(makeApiSecret('rinpath', 'test', random))).toBeNull();
  });
});

describe('makeApiSecret', () => {
  it('makes 256 random bits in base64url behind a prefix that says what it is', () => {
    const secret = makeApiSecret('rinpath', 'test', random);
    expect(secret).toMatch(/^rinpath_secret_test_[A-Za-z0-9_-]{43}$/);
    expect(readApiSecret(secret)).toEqual({ slug: 'rinpath', mode: 'test' });
    expect(readApiSecret(secret.slice(0, -1))).toBeNull();
  });
});

describe('hintOf', () => {
  it('shows the prefix and the last four characters, and nothing between', () => {
    const key = makeApiKey('rinpath', 'test', random);
    expect(hintOf(key)).toBe(`rinpath_test_…${key.slice(-4)}`);
  });
});
