import { describe, expect, it } from 'vitest';
import { plainArray } from './plain-array.js';

describe('an array as text', () => {
  it('holds ids, numbers, truths and what is missing', () => {
    expect(plainArray(['dlv_0a', 'evt-1', '2026-01-31T10:00:00.000Z'])).toBe(
      '{dlv_0a,evt-1,2026-01-31T10:00:00.000Z}',
    );
    expect(plainArray([1, -2, 0.5, true, false, null, undefined])).toBe(
      '{1,-2,0.5,true,false,NULL,NULL}',
    );
    expect(plainArray([])).toBe('{}');
  });

  it.each(['', 'a b', 'a,b', 'a"b', 'a\\b', '{a}', 'NULL', 'null', 'é', 'a\n'])(
    'refuses %j, which would need quotes',
    (text) => {
      expect(() => plainArray(['a', text])).toThrow('needs quotes');
    },
  );
});
