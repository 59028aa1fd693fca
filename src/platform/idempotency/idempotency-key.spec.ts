import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import { readIdempotencyKey } from './idempotency-key.js';

function contentOf(body: string): string | undefined {
  return readIdempotencyKey(['k'], Buffer.from(body))?.content;
}

// Every value: canonical-json.spec.ts.
describe('what a body says', () => {
  const BODY = '{"a":[1,{"b":"ऋ","c":null}],"d":200000}';

  it.each([
    '{"d":200000,"a":[1,{"c":null,"b":"ऋ"}]}',
    ' {\n"a" : [ 1 ,\t{ "b":"ऋ", "c":null } ], "d":200000 }\n',
    '{"a":[1e0,{"b":"\\u090b","c":null}],"d":2e5}',
    '{"d":[1],"a":7,"a":[1,{"b":1,"b":"ऋ","c":null}],"d":200000}',
  ])(
    'is the same whatever the order of keys, spaces, spelling and earlier doubles: %s',
    (again) => {
      expect(contentOf(again)).toBe(contentOf(BODY));
    },
  );

  it.each([
    '{"a":[{"b":"ऋ","c":null},1],"d":200000}',
    '{"a":[1,{"b":"ऋ"}],"d":200000}',
    '{"a":[1,{"b":"ऋ","c":null}],"d":"200000"}',
    '{"a":[1,{"b":"ऋ","c":null}],"d":200001}',
    '{"a":[1,{"b":"ऋ","c":null}],"d":200000,"e":null}',
  ])('is another when a value, a field or the order of a list is another: %s', (other) => {
    expect(contentOf(other)).not.toBe(contentOf(BODY));
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
