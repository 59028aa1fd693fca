import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Lender } from '../../settings/index.js';
import type { LenderHttp } from '../client/lender-http.js';
import { type FindKey, publicJwkOf, signingKey } from '../protocol-keys.js';
import { SignatureRefused } from '../signing/message-signatures.js';
import { LenderKeys } from './lender-keys.js';

const MINUTE = 60_000;
const LENDER = {
  code: 'one',
  remote: { keys: { kind: 'JWKS', address: 'https://lender.example/jwks.json' } },
} as unknown as Lender;

let list: () => unknown[];
/** The response of the key list's address, instead of `list`. */
let answer: { readonly status?: number; readonly text?: string } = {};
let fetches = 0;
let keys: LenderKeys;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  fetches = 0;
  answer = {};
  list = () => [jwk('first')];
  keys = new LenderKeys({ clientOf: () => ({ get }) } as unknown as LenderHttp);
});

afterEach(() => vi.useRealTimers());

async function get() {
  fetches += 1;
  const { status = 200, text = JSON.stringify({ keys: list() }) } = answer;
  return { status, excerpt: text, body: Buffer.from(text) };
}

function jwk(kid: string): unknown {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  return publicJwkOf(signingKey(kid, pem as string));
}

const find = (kid: string) => keys.of(LENDER)(kid);

describe('a lender’s key list', () => {
  it('is read once for all who ask together', async () => {
    const found = await Promise.all([find('first'), find('first'), find('first')]);
    expect(found.map((key) => key?.kid)).toEqual(['first', 'first', 'first']);
    expect(fetches).toBe(1);
  });

  it('is read again for a key that is not known, at most once a minute', async () => {
    await find('first');
    list = () => [jwk('first'), jwk('second')];
    vi.advanceTimersByTime(MINUTE - 1);
    expect(await find('second')).toBeNull();
    expect(fetches).toBe(1);
    vi.advanceTimersByTime(1);
    expect((await find('second'))?.kid).toBe('second');
    for (const made of ['up', 'by', 'strangers']) expect(await find(made)).toBeNull();
    expect(fetches).toBe(2);
  });

  it('that has lost a key takes the trust from it within ten minutes', async () => {
    await find('first');
    list = () => [jwk('second')];
    vi.advanceTimersByTime(10 * MINUTE);
    expect(await find('first')).toBeNull();
  });

  it.each([
    ['no keys', () => []],
    ['keys for something else alone', () => [{ kty: 'RSA' }, 'text', null]],
  ])('that has %s leaves those that were known', async (_, broken) => {
    await find('first');
    list = broken;
    vi.advanceTimersByTime(11 * MINUTE);
    expect((await find('first'))?.kid).toBe('first');
  });

  it.each<[string, (key: object) => typeof answer]>([
    [
      'is longer than any',
      () => ({ text: JSON.stringify({ keys: list(), x: 'x'.repeat(70_000) }) }),
    ],
    ['is no JSON', () => ({ text: '<h1>keys</h1>' })],
    ['nests without an end', () => ({ text: '['.repeat(60_000) })],
    ['has a private key', (key) => ({ text: JSON.stringify({ keys: [{ ...key, d: 'd' }] }) })],
    [
      'has a secret for both sides',
      () => ({ text: '{"keys":[{"kty":"oct","kid":"first","k":"AAAA"}]}' }),
    ],
    ['is an error with keys in it', () => ({ status: 500 })],
    [
      'has more entries than any',
      (key) => ({ text: JSON.stringify({ keys: [key, ...Array.from({ length: 1_000 })] }) }),
    ],
  ])('that %s has no keys', async (_, served) => {
    answer = served(jwk('first') as object);
    expect(await find('first')).toBeNull();
  });

  it('finds no key under a name that two keys have', async () => {
    list = () => [jwk('first'), jwk('first'), jwk('second')];
    expect(await find('first')).toBeNull();
    expect((await find('second'))?.kid).toBe('second');
  });

  it('that does not answer leaves the keys that were known, for a day', async () => {
    await find('first');
    list = () => {
      throw new Error('down');
    };
    vi.advanceTimersByTime(23 * 60 * MINUTE);
    expect((await find('first'))?.kid).toBe('first');
    vi.advanceTimersByTime(2 * 60 * MINUTE);
    expect(await find('first')).toBeNull();
  });
});

describe('a key that its lender has changed under the same name', () => {
  const x = (one: unknown) => (one as { x: string }).x;
  const verifyBy = (expected: unknown) => async (findKey: FindKey) => {
    const key = await findKey('first');
    if (key?.publicKey.export({ format: 'jwk' }).x !== x(expected)) {
      throw new SignatureRefused('DOES_NOT_MATCH');
    }
    return 'holds';
  };
  const check = (expected: unknown) => keys.check(LENDER, verifyBy(expected));

  it('is read at once when a signature does not hold, once for all who have met it', async () => {
    const [old, changed] = [jwk('first'), jwk('first')];
    list = () => [old];
    expect(await check(old)).toBe('holds');
    list = () => [changed];
    vi.advanceTimersByTime(10_000);
    expect(await Promise.all([check(changed), check(changed)])).toEqual(['holds', 'holds']);
    expect(fetches).toBe(2);
    expect(await check(changed)).toBe('holds');
    expect(fetches).toBe(2);
  });

  it('is looked for at most every ten seconds, however many signatures do not hold', async () => {
    const [old, forged] = [jwk('first'), jwk('first')];
    list = () => [old];
    await check(old);
    for (let second = 0; second < 60; second += 1) {
      vi.advanceTimersByTime(1_000);
      await expect(check(forged)).rejects.toThrow('does not match');
    }
    expect(fetches).toBe(7);
    expect(await check(old)).toBe('holds');
  });
});
