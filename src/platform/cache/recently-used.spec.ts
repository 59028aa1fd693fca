import { describe, expect, it } from 'vitest';
import { RecentlyUsed } from './recently-used.js';

describe('RecentlyUsed', () => {
  it('makes a value once, and keeps what was asked for last', () => {
    const made: string[] = [];
    const kept = new RecentlyUsed<string, string>(2);
    const ask = (key: string) =>
      kept.get(key, () => {
        made.push(key);
        return key.toUpperCase();
      });
    expect(['a', 'b', 'a', 'c', 'a', 'b'].map(ask)).toEqual(['A', 'B', 'A', 'C', 'A', 'B']);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
  });

  it('keeps a value that is undefined, and not what failed to be made', () => {
    let calls = 0;
    const kept = new RecentlyUsed<string, undefined>(2);
    const fail = () => {
      throw new Error('not this time');
    };
    expect(() => kept.get('a', fail)).toThrow('not this time');
    const count = () => {
      calls += 1;
      return undefined;
    };
    kept.get('a', count);
    kept.get('a', count);
    expect(calls).toBe(1);
  });
});
