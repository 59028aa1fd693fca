import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Contract } from '../../support/contract.js';
import { loanRequest } from '../../support/loan-requests.js';
import {
  type Answer,
  type CallOptions,
  PARTNER_PREFIX,
  type PartnerClient,
  partnerClient,
  sign,
} from '../../support/partner-client.js';
import { sandboxCredentials } from '../../support/sandbox-credentials.js';
import { startService, type TestService } from '../../support/service.js';
import { sendBytes, type WireAnswer } from '../../support/wire.js';

// What a hostile or broken client may send, case by case: a clear refusal in the envelope, or no
// harm at all. Every answer here is also checked against the OpenAPI document.

const INITIATE = `${PARTNER_PREFIX}/journey/initiate`;
const PRODUCTS = `${PARTNER_PREFIX}/products`;
const KEY = sandboxCredentials('demo', 'demo-load');

let service: TestService;
let contract: Contract;
let partner: PartnerClient;

beforeAll(async () => {
  service = await startService();
  contract = await Contract.of(service);
  partner = partnerClient(service);
});

afterAll(() => service.close());

async function send(method: string, target: string, options?: CallOptions): Promise<Answer> {
  const answer = await partner.request(method, target, options);
  contract.expectValid({ ...answer, method, target });
  return answer;
}

const initiate = (body: string | Buffer, headers: CallOptions['headers'] = {}) =>
  send('POST', INITIATE, { body, headers });

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

/** The headers that sign a request, as lines. */
function signedLines(method: string, target: string, body: string): string {
  const timestamp = String(Math.floor(service.now().getTime() / 1000));
  const nonce = randomUUID();
  const signature = sign(KEY.apiSecret, { method, target, timestamp, nonce, body });
  return (
    `Host: 127.0.0.1\r\nx-api-key: ${KEY.apiKey}\r\nx-timestamp: ${timestamp}\r\n` +
    `x-nonce: ${nonce}\r\nx-signature: ${signature}\r\n`
  );
}

/** Sends a request written by hand, its signature made as a good partner makes it. */
async function wire(
  method: string,
  target: string,
  more: string,
  { body = '', onWire = body }: { body?: string; onWire?: string } = {},
): Promise<WireAnswer & { code: string }> {
  const head = `${method} ${target} HTTP/1.1\r\n${signedLines(method, target, body)}${more}\r\n`;
  return checked(method, target, await sendBytes(service.baseUrl, head + onWire));
}

function checked(method: string, target: string, answer: WireAnswer) {
  contract.expectValid({ ...answer, method, target });
  return { ...answer, code: (JSON.parse(answer.body.toString()) as { code: string }).code };
}

describe('a body', () => {
  it.each([
    ['an object', '{"a":', '}'],
    ['a list', '[', ']'],
  ])('nested deeply in %s is refused at once', async (_, open, close) => {
    const deep = `{"x":${open.repeat(16_000)}1${close.repeat(16_000)}}`;
    const { status, json } = await initiate(deep);
    expect([status, json.code]).toEqual([400, 'malformed_json']);
    const unclosed = await initiate(`{"x":${open.repeat(16_000)}`);
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
      const { status, json } = await initiate(bodyWith(field, text));
      const name = field === 'loanAmount' ? field : `customer.${field}`;
      expect([field, status, json.code]).toEqual([field, 400, 'validation_failed']);
      expect(json.details.map((detail) => detail.field)).toContain(name);
    }
  });

  it.each(['NaN', 'Infinity', '01', '+1', '1.', '.5', '0x10', '1_000'])(
    'with the number %s, which JSON does not know, is refused',
    async (text) => {
      const { status, json } = await initiate(bodyWith('loanAmount', text));
      expect([status, json.code]).toEqual([400, 'malformed_json']);
    },
  );

  it('that is not UTF-8 is refused', async () => {
    const right = Buffer.from(bodyWith('fullName', '"Asha Verma"'));
    for (const bytes of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
      const at = right.indexOf('Asha');
      const body = Buffer.concat([right.subarray(0, at), Buffer.from(bytes), right.subarray(at)]);
      const { status, json } = await initiate(body);
      expect([bytes, status, json.code]).toEqual([bytes, 400, 'malformed_json']);
    }
    for (const encoding of ['utf16le', 'latin1'] as const) {
      const { status } = await initiate(Buffer.from(bodyWith('fullName', '"é"'), encoding));
      expect([encoding, status]).toEqual([encoding, 400]);
    }
  });

  it('with a byte order mark is taken without it', async () => {
    expect((await initiate(`\uFEFF${JSON.stringify(loanRequest())}`)).status).toBe(200);
  });

  it.each([
    ['a NUL', '"Asha\\u0000"'],
    ['a line feed', '"Asha\\nVerma"'],
    ['half a surrogate pair', '"Asha\\ud83d"'],
    ['surrogates the wrong way round', '"\\udc00\\ud800"'],
    ['a direction override', '"\\u202eAsha"'],
    ['only blanks', '"   "'],
    ['a list', '["Asha"]'],
    ['an object', '{"toString":"Asha"}'],
    ['201 characters', `"${'a'.repeat(201)}"`],
  ])('whose name holds %s is refused by its field', async (_, text) => {
    const { status, json } = await initiate(bodyWith('fullName', text));
    expect([status, json.code]).toEqual([400, 'validation_failed']);
    expect(json.details.map(({ field }) => field)).toContain('customer.fullName');
  });

  it('with keys that JavaScript gives a meaning is read without them', async () => {
    const hostile =
      '"__proto__":{"loanAmount":1,"polluted":1},"constructor":{"prototype":{"x":1}},';
    const body = JSON.stringify(loanRequest()).replace('{', `{${hostile}`);
    const { status, json } = await initiate(body.replace('"customer":{', `"customer":{${hostile}`));
    expect(status).toBe(200);
    expect('polluted' in {} || 'x' in {}).toBe(false);
    const { journeyId, journeySession } = json.data as Record<string, string>;
    const read = await partner.journey(journeyId, journeySession);
    expect(read.json.data.loanAmount).toBe(200_000);
  });

  it('with a key given twice counts the last', async () => {
    const body = JSON.stringify(loanRequest()).replace('{', '{"loanAmount":"no","mobile":1,');
    const { status, json } = await initiate(body);
    expect(status).toBe(200);
    const { journeyId, journeySession } = json.data as Record<string, string>;
    const read = await partner.journey(journeyId, journeySession);
    expect(read.json.data.loanAmount).toBe(200_000);
  });

  it.each(['', ' ', 'null', '[]', '"{}"', '7', 'undefined', '{}{}', '{"a":1', '--', '\0'])(
    'that is %j is refused',
    async (body) => {
      const { status, json } = await initiate(body);
      expect([status, json.code]).toEqual([400, 'malformed_json']);
    },
  );
});

describe('how a body is sent', () => {
  it.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'nonsense',
    '',
  ])('as %j, is read as the JSON that it is', async (type) => {
    const body = JSON.stringify(loanRequest());
    expect((await initiate(body, { 'content-type': type })).status).toBe(200);
    expect((await initiate('a=1&b=2', { 'content-type': type })).json.code).toBe('malformed_json');
  });

  it.each(['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip', 'nonsense'])(
    'packed as %s, is refused unopened',
    async (encoding) => {
      const packed = gzipSync(JSON.stringify(loanRequest()));
      const { status, json } = await initiate(packed, { 'content-encoding': encoding });
      expect([status, json.code]).toEqual([400, 'malformed_request']);
    },
  );

  it('in chunks, is taken as one', async () => {
    const body = JSON.stringify(loanRequest());
    const half = body.slice(0, 50);
    const rest = body.slice(50);
    const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
    const onWire = `${chunk(half)}${chunk(rest)}0\r\n\r\n`;
    const answer = await wire('POST', INITIATE, 'Transfer-Encoding: chunked\r\n', { body, onWire });
    expect(answer.status).toBe(200);
  });

  it('in chunks that are broken, is refused', async () => {
    const more = 'Transfer-Encoding: chunked\r\n';
    const answer = await wire('POST', INITIATE, more, { onWire: 'zz\r\n{}\r\n0\r\n\r\n' });
    expect([answer.status, answer.code]).toEqual([400, 'malformed_request']);
  });

  it('in chunks beyond 100 KB, is refused', async () => {
    const onWire = `1a000\r\n${'x'.repeat(0x1a_000)}\r\n0\r\n\r\n`;
    const answer = await wire('POST', INITIATE, 'Transfer-Encoding: chunked\r\n', { onWire });
    expect([answer.status, answer.code]).toEqual([413, 'body_too_large']);
  });

  it.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n'],
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n'],
    ['a length that is no number', 'Content-Length: two\r\n'],
    ['a length below zero', 'Content-Length: -1\r\n'],
    ['an unknown transfer encoding', 'Transfer-Encoding: gzip\r\n'],
  ])('with %s, is refused', async (_, more) => {
    const answer = await wire('POST', INITIATE, more, { onWire: '{}' });
    expect([answer.status, answer.code]).toEqual([400, 'malformed_request']);
  });
});

describe('a header', () => {
  it.each(['x-nonce', 'x-timestamp', 'x-signature', 'x-api-key'])(
    '%s given twice identifies nobody',
    async (name) => {
      const { status } = await send('GET', PRODUCTS, { headers: { [name]: ['a', 'b'] } });
      expect(status).toBe(401);
    },
  );

  it('given twice where the last would do is refused all the same', async () => {
    const headers = { authorization: [`Bearer ${KEY.apiKey}`, 'Bearer another'] };
    expect((await send('GET', PRODUCTS, { headers })).status).toBeLessThan(402);
  });

  it.each([
    ['a NUL in its value', 'x-more: a\0b\r\n'],
    ['a NUL in its name', 'x-m\0re: a\r\n'],
    ['a bare carriage return', 'x-more: a\rb\r\n'],
    ['no colon', 'x-more\r\n'],
    ['a blank before the colon', 'x-more : a\r\n'],
    ['a folded line', 'x-more: a\r\n b\r\n'],
  ])('with %s is refused', async (_, more) => {
    const answer = await wire('GET', PRODUCTS, more);
    expect([answer.status, answer.code]).toEqual([400, 'malformed_request']);
  });

  it('that is very long, or one of very many, is refused', async () => {
    const long = await wire('GET', PRODUCTS, `x-more: ${'x'.repeat(100_000)}\r\n`);
    expect([long.status, long.code]).toEqual([431, 'headers_too_large']);
    const many = await wire('GET', PRODUCTS, 'a: b\r\n'.repeat(5_000));
    expect([many.status, many.code]).toEqual([431, 'headers_too_large']);
  });

  it('that must be there, Host, is missed', async () => {
    const head = `GET ${PRODUCTS} HTTP/1.1\r\n`;
    const answer = await sendBytes(service.baseUrl, `${head}Connection: close\r\n\r\n`);
    const { status, code } = checked('GET', PRODUCTS, answer);
    expect([status, code]).toEqual([400, 'malformed_request']);
  });

  it('that expects the unknown is passed over', async () => {
    const { status } = await send('GET', PRODUCTS, { headers: { expect: 'wonders' } });
    expect(status).toBe(200);
  });

  it('that asks for a part, or for nothing new, gets the whole answer', async () => {
    const headers = { range: 'bytes=0-1', 'if-none-match': '*', 'if-modified-since': 'x' };
    expect((await send('GET', PRODUCTS, { headers })).status).toBe(200);
  });
});

describe('an address', () => {
  it.each(['%', '%2', '%zz', '%c3%28', '%ed%a0%80', '%ff'])(
    'with the broken percent-encoding %s is refused',
    async (text) => {
      for (const path of [`/journey/${text}`, `/leads/${text}/status`]) {
        const { status, json } = await send('GET', PARTNER_PREFIX + path);
        expect([path, status, json.code]).toEqual([path, 400, 'malformed_request']);
      }
    },
  );

  it.each(['%00', 'jrn_%00', '%0a', '%f0%9f%92%b0', '..%2f..', '%5c', 'constructor', '__proto__'])(
    'of a journey named %s is of nothing',
    async (text) => {
      const { status, json } = await send('GET', `${PARTNER_PREFIX}/journey/${text}`);
      expect([status, json.code]).toEqual([404, 'journey_not_found']);
    },
  );

  it('with a raw NUL, a blank or what is not ASCII in it is refused', async () => {
    for (const target of [
      `${PRODUCTS}\0`,
      `${PRODUCTS}/\xe9`,
      `${PRODUCTS}/a b`,
      `${PRODUCTS}\x7f`,
    ]) {
      const answer = await wire('GET', target, '');
      expect(answer.status).toBeGreaterThan(399);
      expect(answer.status).toBeLessThan(500);
    }
  });

  it.each(['http://[', 'http://', 'http://a:b:c/', '?a=1', '*', '//', 'a', 'http://%', '\\\\'])(
    'that reads %j is refused in the envelope, under an id',
    async (target) => {
      const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: id-17\r\n`;
      const answer = await sendBytes(service.baseUrl, `${head}Connection: close\r\n\r\n`);
      const { status, headers } = checked('GET', '/', answer);
      expect(status).toBeGreaterThan(399);
      expect(status).toBeLessThan(500);
      expect(headers).toMatchObject({
        // What Node's parser refuses has no headers yet.
        'x-request-id': expect.stringMatching(/^(id-17|req_[0-9a-f]{32})$/),
        'ratelimit-remaining': expect.stringMatching(/^\d+$/),
        'content-type': expect.stringMatching(/^application\/json/),
      });
    },
  );

  it('that is very long is refused', async () => {
    const below = `${PARTNER_PREFIX}/journey/${'x'.repeat(12_000)}`;
    expect((await send('GET', below)).status).toBe(404);
    const above = `${PARTNER_PREFIX}/journey/${'x'.repeat(70_000)}`;
    expect((await send('GET', above)).status).toBe(431);
  });

  it('with a query that is not right does no harm', async () => {
    const queries = ['?%', '?page=%zz', '?__proto__[x]=1', '?page[$gt]=1', '?status=%00', '?a&&=;'];
    for (const query of queries) {
      const { status } = await send('GET', `${PARTNER_PREFIX}/leads${query}`);
      expect([query, status < 500]).toEqual([query, true]);
    }
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'])(
    'called with %s is of nothing',
    async (method) => {
      const { status, json } = await send(method, PRODUCTS);
      expect([status, json.code]).toEqual([404, 'route_not_found']);
    },
  );

  it.each(['NONSENSE / HTTP/1.1', 'GET / HTTP/9.9', '\x16\x03\x01\x02', ' ', '{"a":1}'])(
    'is refused when the line that names it is %j',
    async (line) => {
      const answer = await sendBytes(service.baseUrl, `${line}\r\n\r\n`);
      expect(checked('GET', '/', answer).status).toBe(400);
    },
  );
});
