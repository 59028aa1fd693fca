import { describe, expect, it } from 'vitest';
import { changed } from './schema-arbitrary.js';

describe('a value that was changed', () => {
  const inner = ['x'];
  const changes = [
    { at: 0, isGone: false, value: inner },
    { at: 1, isGone: false, value: inner },
    { at: 2, isGone: false, value: inner },
  ];

  it('holds nothing that holds itself, though the same value is put into it again and again', () => {
    expect(JSON.stringify(changed({ id: 'a' }, changes))).toBe('{"id":[[["x"]]]}');
  });

  it('leaves what it was made from as it was', () => {
    const before = { id: 'a' };
    changed(before, [...changes, { at: 1, isGone: true, value: null }]);
    expect(inner).toEqual(['x']);
    expect(before).toEqual({ id: 'a' });
  });
});
