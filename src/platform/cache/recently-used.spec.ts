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

  it('finds what is kept, and what was found longest ago goes first', () => {
    const kept = new RecentlyUsed<string, number>(2);
    kept.keep('a', 1);
    kept.keep('b', 2);
    expect(kept.find('a')).toBe(1);
    kept.keep('c', 3);
    expect(['a', 'b', 'c'].map((key) => kept.find(key))).toEqual([1, undefined, 3]);
  });

  it('keeps the newest value of a key, in the place of the one before', () => {
    const kept = new RecentlyUsed<string, number>(2);
    kept.keep('a', 1);
    kept.keep('b', 2);
    kept.keep('b', 3);
    expect(['a', 'b'].map((key) => kept.find(key))).toEqual([1, 3]);
  });

  it('forgets what it is told to, and nothing else', () => {
    const kept = new RecentlyUsed<string, number>(2);
    kept.keep('a', 1);
    kept.keep('b', 2);
    kept.forget('a');
    kept.forget('never there');
    expect(['a', 'b'].map((key) => kept.find(key))).toEqual([undefined, 2]);
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
