import { describe, expect, it } from 'vitest';
import { parseMasterKeys } from './master-key.js';

const FIRST = 'OOb5l248rr6xNZYL5OSQfoKIbqsM1CpcCjdczcdo2SY=';
const SECOND = 'WJNslJTle80AYeD76GqNir8dRo1UK/4Dot6ZognocfM=';

function refusalOf(text: string): string {
  try {
    parseMasterKeys(text);
    return 'it was not refused';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('master keys', () => {
  it('are read in their order, with spaces around the commas', () => {
    const keys = parseMasterKeys(`k2:${FIRST} , k1:${SECOND}`);
    expect(keys.map(({ name }) => name)).toEqual(['k2', 'k1']);
    expect(keys[0].bytes.equals(Buffer.from(FIRST, 'base64'))).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['a key without a name', FIRST],
    ['a name in capitals', `K1:${FIRST}`],
    ['a key of 31 bytes', `k1:${Buffer.alloc(31).toString('base64')}`],
    ['a key in hex', `k1:${'ab'.repeat(32)}`],
    ['a trailing comma', `k1:${FIRST},`],
  ])('are refused: %s', (_, text) => {
    expect(refusalOf(text)).toBe('must be name:base64 of 32 bytes, several separated by commas');
  });

  it.each([
    ['zeros', Buffer.alloc(32)],
    ['a few bytes again and again', Buffer.from('8f3a5c01'.repeat(8), 'hex')],
    ['a count upwards', Buffer.from(Array.from({ length: 32 }, (_, index) => index))],
    ['a sentence', Buffer.from('correct horse battery staple 123')],
    ['the text of a key in hex', Buffer.from('3f9a0c71d25be846a1c07f3d92e845b6')],
  ])('are refused when anybody could guess them: %s', (_, bytes) => {
    const text = bytes.toString('base64');
    const refusal = refusalOf(`good:${FIRST},weak:${text}`);
    expect(refusal).toContain('has a key weak that is not random');
    expect(refusal).not.toContain(text);
  });

  it('are refused when a name or a key is there twice', () => {
    expect(refusalOf(`k1:${FIRST},k1:${SECOND}`)).toBe('names the key k1 twice');
    expect(refusalOf(`k1:${FIRST},k2:${FIRST}`)).toBe(
      'has the same key under two names, k1 and k2',
    );
  });

  it('are all taken that were made at random', () => {
    for (let round = 0; round < 500; round += 1) {
      const bytes = globalThis.crypto.getRandomValues(new Uint8Array(32));
      const text = `k1:${Buffer.from(bytes).toString('base64')}`;
      expect(refusalOf(text)).toBe('it was not refused');
    }
  });
});
