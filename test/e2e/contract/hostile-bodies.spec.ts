import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { loanRequest } from '../../support/loan-requests.js';
import { PARTNER_PREFIX } from '../../support/partner-client.js';
import { HostileClient, INITIATE } from './hostile-client.js';

let client: HostileClient;

beforeAll(async () => {
  client = await HostileClient.start();
});

/** A right body with one field's text put in by hand. */
function bodyWith(
  field: 'loanAmount' | 'monthlyIncome' | 'fullName' | 'dob',
  text: string,
): string {
  const marked = JSON.stringify(loanRequest(), (name, value: unknown) =>
    name === field ? '<here>' : value,
  );
  return marked.replace('"<here>"', () => text);
}

describe('a body', () => {
  it.each([
    ['an object', '{"a":', '}'],
    ['a list', '[', ']'],
  ])('nested deeply in %s is refused at once', async (_, open, close) => {
    const deep = `{"x":${open.repeat(16_000)}1${close.repeat(16_000)}}`;
    const { status, json } = await client.initiate(deep);
    expect([status, json.code]).toEqual([400, 'malformed_json']);
    const unclosed = await client.initiate(`{"x":${open.repeat(16_000)}`);
    expect([unclosed.status, unclosed.json.code]).toEqual([400, 'malformed_json']);
  });

  it.each([
    '1e400',
    '-1e400',
    '1e308',
    '9007199254740993',
    '9'.repeat(400),
    `0.${'0'.repeat(400)}1`,
    '-0',
    '0.001',
    '100000.005',
    '"100000"',
    'true',
    '[100000]',
    '{"valueOf":1}',
  ])('with the amount %s is refused by its field', async (text) => {
    for (const field of ['loanAmount', 'monthlyIncome'] as const) {
      const { status, json } = await client.initiate(bodyWith(field, text));
      const name = field === 'loanAmount' ? field : `customer.${field}`;
      expect([field, status, json.code]).toEqual([field, 400, 'validation_failed']);
      expect(json.details.map((detail) => detail.field)).toContain(name);
    }
  });

  it.each(['NaN', 'Infinity', '01', '+1', '1.', '.5', '0x10', '1_000'])(
    'with the number %s, which JSON does not know, is refused',
    async (text) => {
      const { status, json } = await client.initiate(bodyWith('loanAmount', text));
      expect([status, json.code]).toEqual([400, 'malformed_json']);
    },
  );

  it('that is not UTF-8 is refused', async () => {
    const right = Buffer.from(bodyWith('fullName', '"Asha Verma"'));
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
      const at = right.indexOf('Asha');
      const body = Buffer.concat([right.subarray(0, at), Buffer.from(bytes), right.subarray(at)]);
      const { status, json } = await client.initiate(body);
      expect([bytes, status, json.code]).toEqual([bytes, 400, 'malformed_json']);
    }
    for (const encoding of ['utf16le', 'latin1'] as const) {
      const { status } = await client.initiate(Buffer.from(bodyWith('fullName', '"é"'), encoding));
      expect([encoding, status]).toEqual([encoding, 400]);
    }
  });

  it('with a byte order mark is taken without it', async () => {
    expect((await client.initiate(`\uFEFF${JSON.stringify(loanRequest())}`)).status).toBe(200);
  });

  it.each([
    ['a NUL', '"Asha\\u0000"'],
    ['a line feed', '"Asha\\nVerma"'],
    ['half a surrogate pair', '"Asha\\ud83d"'],
    ['surrogates the wrong way round', '"\\udc00\\ud800"'],
    ['a direction override', '"\\u202eAsha"'],
    ['marks piled up', `"Asha${'\\u0300'.repeat(4)}"`],
    ['only blanks', '"   "'],
    ['a list', '["Asha"]'],
    ['an object', '{"toString":"Asha"}'],
    ['201 characters', `"${'a'.repeat(201)}"`],
  ])('whose name holds %s is refused by its field', async (_, text) => {
    const { status, json } = await client.initiate(bodyWith('fullName', text));
    expect([status, json.code]).toEqual([400, 'validation_failed']);
    expect(json.details.map(({ field }) => field)).toContain('customer.fullName');
  });

  it('with keys that JavaScript gives a meaning is read without them', async () => {
    const hostile =
      '"__proto__":{"loanAmount":1,"polluted":1},"constructor":{"prototype":{"x":1}},';
    const body = JSON.stringify(loanRequest()).replace('{', `{${hostile}`);
    const { status, json } = await client.initiate(
      body.replace('"customer":{', `"customer":{${hostile}`),
    );
    expect(status).toBe(200);
    expect('polluted' in {} || 'x' in {}).toBe(false);
    const { journeyId, journeySession } = json.data as Record<string, string>;
    const read = await client.partner.journey(journeyId, journeySession);
    expect(read.json.data.loanAmount).toBe(200_000);
  });

  it('with a key given twice counts the last', async () => {
    const body = JSON.stringify(loanRequest()).replace('{', '{"loanAmount":"no","mobile":1,');
    const { status, json } = await client.initiate(body);
    expect(status).toBe(200);
    const { journeyId, journeySession } = json.data as Record<string, string>;
    const read = await client.partner.journey(journeyId, journeySession);
    expect(read.json.data.loanAmount).toBe(200_000);
  });

  it.each(['', ' ', 'null', '[]', '"{}"', '7', 'undefined', '{}{}', '{"a":1', '--', '\0'])(
    'that is %j is refused',
    async (body) => {
      const { status, json } = await client.initiate(body);
      expect([status, json.code]).toEqual([400, 'malformed_json']);
    },
  );
});

describe('how a body is sent', () => {
  const json = JSON.stringify(loanRequest());
  const gzipped = gzipSync(json);

  const OTHERS: [name: string, value: string, other: string | Buffer][] = [
    ['content-type', 'text/plain', 'a=1&b=2'],
    ['content-type', 'application/xml', '<a>1</a>'],
    ['content-type', 'application/x-www-form-urlencoded', 'a=1&b=2'],
    ['content-type', 'multipart/form-data; boundary=x', '--x\r\n\r\n--x--'],
    ['content-type', 'application/json; charset=utf-16', Buffer.from(json, 'utf16le')],
    ['content-type', 'nonsense', 'a=1&b=2'],
    ['content-encoding', 'gzip', gzipped],
    ['content-encoding', 'br', gzipped],
    ['content-encoding', 'deflate', gzipped],
    ['content-encoding', 'zstd', gzipped],
    ['content-encoding', 'gzip, gzip', gzipped],
    ['content-encoding', 'nonsense', gzipped],
  ];

  it.each(OTHERS)(
    'with %s %s: JSON is read, and else the header is named',
    async (name, value, other) => {
      expect((await client.initiate(json, { [name]: value })).status).toBe(200);
      const answer = await client.initiate(other, { [name]: value });
      expect([answer.status, answer.json.code]).toEqual([415, 'unsupported_media_type']);
      expect(answer.json.error.toLowerCase()).toContain(name);
      expect(answer.json.error).not.toContain(value);
    },
  );

  it.each(['application/json', 'APPLICATION/JSON; charset="UTF-8"', 'application/ld+json', ''])(
    'as %j, which explains nothing, is not valid JSON',
    async (type) => {
      const headers = { 'content-type': type, 'content-encoding': 'identity' };
      const answer = await client.initiate('a=1&b=2', headers);
      expect([answer.status, answer.json.code]).toEqual([400, 'malformed_json']);
    },
  );

  it('in another format is refused only when all that comes before is right', async () => {
    const options = { body: gzipped, headers: { 'content-encoding': 'gzip' } };
    const path = (id: string) => `${PARTNER_PREFIX}/journey/${id}/action`;
    const unknown = await client.send('POST', path('jrn_1'), options);
    expect([unknown.status, unknown.json.code]).toEqual([404, 'journey_not_found']);
    const overrides = { signature: 'a'.repeat(64) };
    const forged = await client.send('POST', INITIATE, { ...options, overrides });
    expect(forged.status).toBe(401);
  });

  it('in chunks, is taken as one', async () => {
    const body = JSON.stringify(loanRequest());
    const half = body.slice(0, 50);
    const rest = body.slice(50);
    const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
    const onWire = `${chunk(half)}${chunk(rest)}0\r\n\r\n`;
    const answer = await client.wire('POST', INITIATE, 'Transfer-Encoding: chunked\r\n', {
      body,
      onWire,
    });
    expect(answer.status).toBe(200);
  });

  it('in chunks that are broken, is refused', async () => {
    const more = 'Transfer-Encoding: chunked\r\n';
    const answer = await client.wire('POST', INITIATE, more, { onWire: 'zz\r\n{}\r\n0\r\n\r\n' });
    expect([answer.status, answer.code]).toEqual([400, 'malformed_request']);
  });

  it('in chunks beyond 100 KB, is refused', async () => {
    const onWire = `1a000\r\n${'x'.repeat(0x1a_000)}\r\n0\r\n\r\n`;
    const answer = await client.wire('POST', INITIATE, 'Transfer-Encoding: chunked\r\n', {
      onWire,
    });
    expect([answer.status, answer.code]).toEqual([413, 'body_too_large']);
  });

  it.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n'],
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n'],
    ['a length that is no number', 'Content-Length: two\r\n'],
    ['a length below zero', 'Content-Length: -1\r\n'],
    ['an unknown transfer encoding', 'Transfer-Encoding: gzip\r\n'],
  ])('with %s, is refused', async (_, more) => {
    const answer = await client.wire('POST', INITIATE, more, { onWire: '{}' });
    expect([answer.status, answer.code]).toEqual([400, 'malformed_request']);
  });
});
