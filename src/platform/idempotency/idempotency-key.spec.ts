import 'reflect-metadata';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readIdempotencyKey } from './idempotency-key.js';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const bodies = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })) as fc.Arbitrary<
  Record<string, Json>
>;

function contentOf(body: string): string | undefined {
  return readIdempotencyKey(['k'], Buffer.from(body))?.content;
}

function parsed(body: object): unknown {
  return JSON.parse(JSON.stringify(body));
}

function rewritten(value: Json, random: () => number): string {
  const space = () => ['', ' ', '\n', '\t '][Math.floor(random() * 4)];
  if (typeof value === 'number') return random() < 0.5 ? value.toExponential() : String(value);
  if (typeof value === 'string') {
    return `"${Array.from({ length: value.length }, (_, at) => escaped(value, at)).join('')}"`;
  }
  if (Array.isArray(value)) {
    return `[${value.map((item) => space() + rewritten(item, random) + space()).join(',')}]`;
  }
  if (value === null || typeof value !== 'object') return String(value);
  const members = Object.entries(value).map(
    ([key, inner]) => `${space()}${JSON.stringify(key)}${space()}:${rewritten(inner, random)}`,
  );
  const earlier = Object.keys(value).map((key) => `${JSON.stringify(key)}:[1]`);
  return `{${[...earlier, ...members.toReversed()].join(',')}${space()}}`;
}

function escaped(text: string, at: number): string {
  return `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
}

describe('what a body says', () => {
  it('is the same whatever the order of keys, spaces, spelling of numbers and texts, and earlier doubles', () => {
    fc.assert(
      fc.property(
        bodies,
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        (body, randoms) => {
          const again = rewritten(body, () => randoms.next().value as number);
          expect(contentOf(again)).toBe(contentOf(JSON.stringify(body)));
        },
      ),
    );
  });

  it('is another when a value, a field or the order of a list is another', () => {
    fc.assert(
      fc.property(bodies, bodies, (one, other) => {
        const isSame = isDeepStrictEqual(parsed(one), parsed(other));
        expect(contentOf(JSON.stringify(one)) === contentOf(JSON.stringify(other))).toBe(isSame);
      }),
    );
    expect(contentOf('{"a":[1,2]}')).not.toBe(contentOf('{"a":[2,1]}'));
    expect(contentOf('{"a":1}')).not.toBe(contentOf('{"a":1,"b":null}'));
    expect(contentOf('{"a":1}')).not.toBe(contentOf('{"a":"1"}'));
  });

  it('is its bytes where it is not JSON', () => {
    expect(contentOf('')).toBe('');
    expect(contentOf('{"a":')).not.toBe(contentOf('{"a": '));
    expect(contentOf('{"a":1e400}')).not.toBe(contentOf('{"a":1e500}'));
  });
});

describe('an Idempotency-Key', () => {
  it.each([
    [undefined, undefined],
    [['a'], 'a'],
    [['"a"'], 'a'],
    [['x'.repeat(255)], 'x'.repeat(255)],
  ])('%j is read as %j', (headers, key) => {
    expect(readIdempotencyKey(headers, Buffer.alloc(0))?.key).toBe(key);
  });

  it.each([[''], ['""'], ['caf\u00e9'], ['a\tb'], ['x'.repeat(256)], ['a', 'a']])(
    'is none: %j %j',
    (...headers) => {
      const read = () => readIdempotencyKey(headers, Buffer.alloc(0));
      expect(read).toThrow(expect.objectContaining({ code: 'malformed_request' }));
    },
  );
});
