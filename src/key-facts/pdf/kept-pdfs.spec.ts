import { describe, expect, it } from 'vitest';
import { KeptPdfs } from './kept-pdfs.js';

describe('KeptPdfs', () => {
  it('keeps up to so many bytes, and forgets what was longest unused', () => {
    const kept = new KeptPdfs(10);
    kept.put('a', Buffer.alloc(4));
    kept.put('b', Buffer.alloc(4));
    expect(kept.get('a')).toHaveLength(4);
    kept.put('c', Buffer.alloc(4));
    expect(kept.get('b')).toBeUndefined();
    expect(kept.get('a')).toHaveLength(4);
    expect(kept.get('c')).toHaveLength(4);
  });

  it('does not keep what is larger than all that it may keep', () => {
    const kept = new KeptPdfs(10);
    kept.put('a', Buffer.alloc(4));
    kept.put('b', Buffer.alloc(11));
    expect(kept.get('b')).toBeUndefined();
    expect(kept.get('a')).toHaveLength(4);
  });

  it('counts one that is put again once', () => {
    const kept = new KeptPdfs(10);
    for (let times = 0; times < 5; times += 1) kept.put('a', Buffer.alloc(5));
    kept.put('b', Buffer.alloc(5));
    expect(kept.get('a')).toHaveLength(5);
  });
});
