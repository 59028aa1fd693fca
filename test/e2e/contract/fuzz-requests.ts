import * as fc from 'fast-check';
import type { Contract, Operation } from '../../support/contract.js';
import { arbitraryOf, hostileValue, mutated } from '../../support/schema-arbitrary.js';

/** A generated request; values of the running service are filled in when it is sent. */
export interface FuzzRequest {
  readonly method: string;
  /** `$id` is replaced by an existing id, chosen by `pick`. */
  readonly target: string;
  readonly body: string | Buffer | undefined;
  readonly pick: number;
  readonly session: 'right' | 'none' | 'wrong';
  readonly auth: 'signed' | 'bearer' | 'unsigned' | 'forged';
  readonly headers: Record<string, string>;
}

const PREFIX = '/api/v1/partner';
const PREFIXES = mixed([9, fc.constant(PREFIX)], [1, fc.constant('/v1/partner')]);

function mixed<Value>(...parts: [weight: number, arbitrary: fc.Arbitrary<Value>][]) {
  return fc.oneof(...parts.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

// What a parser accepts: Latin-1 without control characters in a header, ASCII in a target.
const headerText = fc
  .array(fc.integer({ min: 0x20, max: 0xff }), { maxLength: 80 })
  .map((codes) => String.fromCharCode(...codes.filter((code) => code !== 0x7f)));
const targetText = fc
  .array(fc.integer({ min: 0x21, max: 0x7e }), { maxLength: 40 })
  .map((codes) => String.fromCharCode(...codes));

const pathId = mixed(
  [6, fc.constant('$id')],
  [2, fc.constantFrom('jrn', 'app', 'sub').map((kind) => `${kind}_${'0'.repeat(32)}`)],
  [1, fc.string({ unit: 'grapheme' }).map(encodeLoosely)],
  [1, targetText.map((text) => text.replaceAll(/[?#/\\]/g, '.'))],
  [1, fc.constantFrom('%', '%zz', '%00', '%2f', '..', '%2e%2e', '%c3', 'x'.repeat(4_000))],
);

function encodeLoosely(text: string): string {
  return encodeURIComponent(text.toWellFormed()) || '-';
}

/** Requests to an operation: path, query and body, each valid more often than not. */
function requestTo(operation: Operation, contract: Contract): fc.Arbitrary<FuzzRequest> {
  const rest = operation.path.slice(PREFIX.length);
  const target = fc
    .tuple(PREFIXES, pathId, queryOf(operation, contract))
    .map(([prefix, id, query]) => prefix + rest.replace(/\{\w+\}/, () => id) + query);
  return fc.record({
    method: fc.constant(operation.method),
    target,
    body: bodyOf(operation, contract),
    ...SURROUNDINGS,
  });
}

const SURROUNDINGS = {
  pick: fc.nat(),
  session: fc.constantFrom('right', 'right', 'right', 'none', 'wrong'),
  auth: mixed<FuzzRequest['auth']>(
    [20, fc.constant('signed')],
    [3, fc.constant('bearer')],
    [1, fc.constantFrom('unsigned', 'forged')],
  ),
  headers: mixed<Record<string, string>>([4, fc.constant({})], [1, someHeaders()]),
} as const;

function someHeaders(): fc.Arbitrary<Record<string, string>> {
  return fc.record(
    {
      'content-type': fc.oneof(
        headerText,
        fc.constantFrom('text/plain', 'application/xml', 'application/json; charset=utf-16', ''),
      ),
      'idempotency-key': fc.oneof(headerText, fc.constantFrom('a', '"b"', '', 'x'.repeat(300))),
      'x-request-id': headerText,
      'x-forwarded-for': headerText,
      accept: fc.oneof(headerText, fc.constantFrom('text/html', '*/*', 'application/json')),
      cookie: headerText.map((text) => `journey_session=${text}`),
      expect: fc.constantFrom('200-ok', 'x'),
      range: fc.constant('bytes=0-1'),
      'if-none-match': fc.constant('*'),
    },
    { requiredKeys: [], noNullPrototype: true },
  );
}

function queryOf({ node }: Operation, contract: Contract): fc.Arbitrary<string> {
  const all = (node.parameters ?? []) as unknown as { in?: string; name: string; schema: object }[];
  const parameters = all.filter((parameter) => parameter.in === 'query');
  const junk = fc.oneof(
    targetText.map((text) => `?${text}`),
    fc.constantFrom('?', '?&&', '?a', '?=', '?__proto__=1', '?page[]=1', `?${'a=1&'.repeat(500)}`),
  );
  const none = fc.constant('');
  if (parameters.length === 0) {
    return mixed([12, none], [1, junk]);
  }
  const pairs = parameters.map((parameter) => {
    const right = arbitraryOf(parameter.schema, contract.document).map(String);
    const dates = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
    const values = fc.oneof(
      right,
      dates,
      fc.string({ unit: 'binary' }),
      hostileValue.map((value) => JSON.stringify(value)),
    );
    return values.map((value) => `${parameter.name}=${encodeLoosely(value)}`);
  });
  const query = fc
    .array(fc.oneof(...pairs), { maxLength: 4 })
    .map((parts) => (parts.length > 0 ? `?${parts.join('&')}` : ''));
  return mixed([8, query], [1, junk]);
}

function bodyOf(
  { node }: Operation,
  contract: Contract,
): fc.Arbitrary<string | Buffer | undefined> {
  const schema = node.requestBody?.content['application/json'].schema as object | undefined;
  const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
  if (!schema) {
    return mixed<Buffer | undefined>([12, fc.constant(undefined)], [1, bytes]);
  }
  const valid = arbitraryOf(schema, contract.document);
  const json = (value: unknown) => JSON.stringify(value);
  return mixed<string | Buffer>(
    [8, valid.map(json)],
    [9, mutated(valid).map(json)],
    [2, spoiltText(valid)],
    [1, hostileValue.map(json)],
    [1, bytes],
  );
}

/** JSON that no serializer writes: numbers out of range, duplicate keys, truncated text. */
function spoiltText(valid: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const numbers = fc.constantFrom('1e400', '-1e400', '9007199254740993', '9'.repeat(400), '01');
  return fc.tuple(valid, numbers, fc.nat(4), fc.nat(300)).map(([value, number, how, at]) => {
    const text = JSON.stringify(value);
    if (how === 0) return text.replace(/:\d+(\.\d+)?/, `:${number}`);
    if (how === 1) return text.slice(0, at);
    if (how === 2) return text.replace('{', '{"__proto__":{"isAdmin":true},"constructor":1,');
    if (how === 3) return `\uFEFF${text}`;
    return text.replace(/^\{/, `{${text.slice(1, -1)},`);
  });
}

/** Unknown addresses and methods. Outside the partner API a browser gets a page. */
const nowhere: fc.Arbitrary<FuzzRequest> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'),
  target: fc.oneof(
    targetText.map((text) => `${PREFIX}/${text}`),
    targetText.map((text) => `/${text}`),
    fc.constantFrom('/api', '/api/v1/partner', '/api/v1/partner/', '//api/v1/partner/products'),
  ),
  body: fc.constant(undefined),
  ...SURROUNDINGS,
  headers: fc.constantFrom('*/*', 'application/json').map((accept) => ({ accept })),
});

/** Requests of every kind, most of them to documented operations. */
export function fuzzRequests(contract: Contract): fc.Arbitrary<FuzzRequest> {
  const operations = contract.operations.map((operation) => ({
    weight: operation.node.requestBody ? 4 : 2,
    arbitrary: requestTo(operation, contract),
  }));
  return fc.oneof(...operations, { weight: 1, arbitrary: nowhere });
}
