import { describe, expect, it } from 'vitest';
import { parseMasterKeys } from './master-key.js';

const BASE64 = Buffer.alloc(32, 9).toString('base64');

describe('master keys', () => {
  it('are read in their order, with spaces around the commas', () => {
    const keys = parseMasterKeys(`k2:${BASE64} , k1:${Buffer.alloc(32, 8).toString('base64')}`);
    expect(keys.map(({ name }) => name)).toEqual(['k2', 'k1']);
    expect(keys[0].bytes.equals(Buffer.alloc(32, 9))).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['a key without a name', BASE64],
    ['an empty name', `:${BASE64}`],
    ['a name in capitals', `K1:${BASE64}`],
    ['a key of 31 bytes', `k1:${Buffer.alloc(31).toString('base64')}`],
    ['a key of 33 bytes', `k1:${Buffer.alloc(33).toString('base64')}`],
    ['a key in hex', `k1:${'ab'.repeat(32)}`],
    ['a trailing comma', `k1:${BASE64},`],
    ['a name that stands twice', `k1:${BASE64},k1:${BASE64}`],
  ])('are refused: %s', (_, text) => {
    expect(() => parseMasterKeys(text)).toThrow(/malformed master key|stands twice/);
  });

  it('never stand in the message of a refusal', () => {
    const secret = Buffer.alloc(31, 5).toString('base64');
    expect(() => parseMasterKeys(`k1:${secret}`)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining(secret) }),
    );
  });
});
