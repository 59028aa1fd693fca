import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.js';

describe('canonicalJson', () => {
  it('sorts keys at every depth, keeps the order of lists and adds no white space', () => {
    expect(canonicalJson({ b: [{ d: 1, c: null }, 'x'], a: true })).toBe(
      '{"a":true,"b":[{"c":null,"d":1},"x"]}',
    );
  });

  it('is the same text after storing and reading back', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it('leaves out members that are undefined, as storing would', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it.each([
    ['NaN', { a: Number.NaN }],
    ['undefined in a list', [undefined]],
    ['a bigint', { a: 1n }],
    ['a date', new Date(0)],
  ])('refuses %s rather than losing it silently', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });
});
