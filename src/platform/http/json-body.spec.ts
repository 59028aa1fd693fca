import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import { Fault } from '../errors/fault.js';
import { TextField } from '../validation/field-rules.js';
import { validated } from '../validation/validated.js';
import { parseJsonBody } from './json-body.js';

function parse(body: string | Buffer): Record<string, unknown> {
  return parseJsonBody(Buffer.from(body as string));
}

function codeOf(body: string | Buffer): string {
  try {
    parse(body);
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
  return 'accepted';
}

function nested(levels: number, open = '{"a":', close = '}'): string {
  return `{"a":${open.repeat(levels - 1)}1${close.repeat(levels - 1)}}`;
}

describe('a body', () => {
  it.each([
    ['nothing', ''],
    ['half an object', '{"a":'],
    ['JavaScript', "{a:'b'}"],
    ['a list', '[]'],
    ['null', 'null'],
    ['text', '"{}"'],
  ])('is refused when it is %s', (_, body) => {
    expect(codeOf(body)).toBe('malformed_json');
  });

  it('with a key twice has the value of the last', () => {
    expect(parse('{"mobile":"bad","a":1,"mobile":"9876543210"}')).toEqual({
      mobile: '9876543210',
      a: 1,
    });
  });
});

describe('the number of values', () => {
  const fields = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i])));
  const items = (count: number) => JSON.stringify({ a: Array.from({ length: count }, () => ({})) });

  it('is refused beyond, as fields and as items', () => {
    expect([codeOf(fields(2_001)), codeOf(items(2_000))]).toEqual([
      'malformed_json',
      'malformed_json',
    ]);
  });
});

describe('nesting', () => {
  it('is refused beyond, in objects and in lists', () => {
    expect(codeOf(nested(34))).toBe('malformed_json');
    expect(codeOf(nested(34, '[', ']'))).toBe('malformed_json');
  });

  it('is refused quickly at the size of a whole body', () => {
    const started = performance.now();
    expect(codeOf(`{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`)).toBe('malformed_json');
    expect(codeOf(`{"a":${'['.repeat(100_000)}`)).toBe('malformed_json');
    expect(codeOf(`{"a":[${'[],'.repeat(33_000)}[]]}`)).toBe('malformed_json');
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe('names that JavaScript gives a meaning', () => {
  class Shape {
    @TextField({ optional: true })
    pan?: string;
  }

  it.each(['__proto__', 'constructor', 'prototype'])('%s is an unknown field', (name) => {
    const value = validated(Shape, parse(`{"${name}":{"pan":"X","polluted":true},"pan":"Y"}`));
    expect(value).toBeInstanceOf(Shape);
    expect(Object.entries(value)).toEqual([['pan', 'Y']]);
    expect('polluted' in value).toBe(false);
    expect('polluted' in {}).toBe(false);
  });

  it.each(['"x"', '1', '{}', '[{}]'])(
    'a constructor of %s inside any field is no failure',
    (own) => {
      const inner = `{"constructor":${own}}`;
      const body = `{"other":[${inner},{"more":${inner}}],"pan":"Y"}`;
      expect(validated(Shape, parse(body))).toEqual({ pan: 'Y' });
      expect(() => validated(Shape, parse(`{"pan":${inner}}`))).toThrow('Validation failed');
    },
  );
});
