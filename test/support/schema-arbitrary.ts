import * as fc from 'fast-check';

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  examples?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

const LONGEST = 60;
const EXAMPLES_WEIGHT = 4;

/**
 * Values that match a schema of an OpenAPI document. Examples are more frequent than generated values, which mostly
 * break rules that a schema cannot express, such as existing dates.
 */
export function arbitraryOf(schema: Schema, document: object): fc.Arbitrary<unknown> {
  if (schema.$ref) return arbitraryOf(resolve(schema.$ref, document), document);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants && schema.properties) {
    // Each variant adds its required fields to those of the object.
    const { anyOf: _, oneOf: __, ...object } = schema;
    return fc.oneof(
      ...variants.map(({ required = [] }) =>
        arbitraryOf({ ...object, required: [...(object.required ?? []), ...required] }, document),
      ),
    );
  }
  if (variants) return fc.oneof(...variants.map((variant) => arbitraryOf(variant, document)));
  if (schema.allOf) return arbitraryOf(schema.allOf[0], document);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const made = madeUp(schema, document);
  if (!schema.examples?.length) return made;
  const shown = fc.constantFrom(...schema.examples);
  return fc.oneof({ weight: EXAMPLES_WEIGHT, arbitrary: shown }, { weight: 1, arbitrary: made });
}

function madeUp(schema: Schema, document: object): fc.Arbitrary<unknown> {
  switch ([schema.type].flat()[0]) {
    case 'string':
      return text(schema);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -5, max: schema.maximum ?? 1_000 });
    case 'number':
      return fc.integer({ min: 1, max: 1_000_000_000 }).map((paise) => paise / 100);
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}, document), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      });
    case 'object':
      return objectOf(schema, document);
    default:
      return fc.jsonValue();
  }
}

function objectOf({ properties = {}, required = [] }: Schema, document: object) {
  const fields = Object.entries(properties).map(
    ([name, schema]) => [name, arbitraryOf(schema, document)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: required, noNullPrototype: true });
}

function text({ pattern, format, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  if (pattern) return fc.stringMatching(new RegExp(pattern, 'u'));
  if (format === 'email') return fc.emailAddress();
  if (format === 'uri') return fc.webUrl({ validSchemes: ['https'], withQueryParameters: true });
  if (format === 'date-time') {
    return fc
      .integer({ min: 0, max: 3_600_000 })
      .map((ago) => new Date(Date.now() - ago).toISOString());
  }
  const longest = Math.min(maxLength ?? LONGEST, LONGEST);
  return fc.string({ minLength, maxLength: longest, unit: 'grapheme' });
}

function resolve(reference: string, document: object): Schema {
  let node: unknown = document;
  for (const name of reference.slice(2).split('/')) node = (node as Record<string, unknown>)[name];
  return node as Schema;
}

const LONG_DIGITS = '9'.repeat(400);

/** Values that often break programs. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    true,
    [],
    {},
    '',
    ' ',
    0,
    -1,
    -0,
    0.001,
    1e-7,
    1e21,
    1e308,
    2 ** 53,
    2 ** 53 + 2,
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '\u202e',
    '\ufeff',
    '\u2028',
    'ﷺ'.repeat(50),
    '__proto__',
    'constructor',
    'toString',
    'null',
    'NaN',
    'true',
    LONG_DIGITS,
    "'; --",
    '%00',
    'x'.repeat(201),
    'x'.repeat(5_000),
    '9999-99-99',
    '2026-02-30',
    '0000-00-00',
    '١٢٣٤٥٦',
    { length: 1e9 },
    { toString: 1, toJSON: 1, valueOf: 1 },
    [[[[[]]]]],
    [null],
    [{}],
    ['x'],
  ),
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.maxSafeInteger(),
);

/** One change: removes or replaces the field at this index. */
interface Change {
  readonly at: number;
  readonly isGone: boolean;
  readonly value: unknown;
}

/** The value with up to three fields removed or replaced by hostile values. */
export function mutated(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.record({ at: fc.nat(40), isGone: fc.boolean(), value: hostileValue });
  return fc
    .tuple(valid, fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) => changed(value, changes));
}

function changed(value: unknown, changes: readonly Change[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const { at, isGone, value: replacement } of changes) {
    const slots = slotsOf(copy);
    const slot = slots[at % Math.max(1, slots.length)];
    if (!slot) continue;
    if (isGone) delete slot.holder[slot.name];
    // The same replacement may occur twice, or contain itself, so each use is a copy.
    else slot.holder[slot.name] = structuredClone(replacement);
  }
  return copy;
}

function slotsOf(value: unknown): { holder: Record<string, unknown>; name: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...slotsOf(holder[name])]);
}
