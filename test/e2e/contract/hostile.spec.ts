import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { Contract } from '../../support/contract.js';
import { loanRequest } from '../../support/loan-requests.js';
import { type CallOptions, PARTNER_PREFIX, partnerClient } from '../../support/partner-client.js';
import { serviceOfFile } from '../../support/shared-service.js';
import { sendBytes, signedLines } from '../../support/wire.js';

// Requests of hostile or broken clients: a clear refusal in the envelope, or no effect. Every response is also
// checked against the OpenAPI document.

const INITIATE = `${PARTNER_PREFIX}/journey/initiate`;
const PRODUCTS = `${PARTNER_PREFIX}/products`;

const service = serviceOfFile();
let contract: Contract;

beforeAll(async () => {
  contract = await Contract.of(service);
});

async function send(method: string, target: string, options?: CallOptions) {
  const answer = await partnerClient(service).request(method, target, options);
  contract.expectValid({ ...answer, method, target });
  return answer;
}

/** Sends raw bytes; checks the response against the document for this method and target. */
async function sendRaw(bytes: string, method = 'GET', target = PRODUCTS) {
  const answer = await sendBytes(service.baseUrl, bytes);
  contract.expectValid({ ...answer, method, target });
  return { ...answer, code: (JSON.parse(answer.body.toString()) as { code: string }).code };
}

interface Sent {
  readonly body?: string;
  /** The bytes sent instead of the signed body. */
  readonly onWire?: string;
}

/** Sends a hand-written request with a valid signature. */
function sendWith(lines: string, target = PRODUCTS, { body = '', onWire = body }: Sent = {}) {
  const method = target === PRODUCTS ? 'GET' : 'POST';
  const signed = signedLines(service.credentials, method, target, body);
  const head = `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n${signed}${lines}\r\n`;
  return sendRaw(head + onWire, method, target);
}

describe('an address', () => {
  it('with a broken percent-encoding is refused, and one of a journey with another name is of nothing', async () => {
    const paths = [
      ...['%', '%zz', '%ed%a0%80'].map((text) => [`/journey/${text}`, 'malformed_request']),
      ['/leads/%/status', 'malformed_request'],
      ...['jrn_%00', '..%2f..', '%5c', '__proto__', 'x'.repeat(12_000)].map((text) => [
        `/journey/${text}`,
        'journey_not_found',
      ]),
    ];
    for (const [path, code] of paths) {
      const { json } = await send('GET', PARTNER_PREFIX + path);
      expect([path, json.code]).toEqual([path, code]);
    }
  });

  it.each(['http://[', 'http://a:b:c/', '?a=1', '*', '//', 'http://%', '\0'])(
    'that reads %j is refused in the envelope, under an id',
    async (target) => {
      const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: id-17\r\n`;
      const { status, headers } = await sendRaw(`${head}Connection: close\r\n\r\n`, 'GET', '/');
      expect([Math.floor(status / 100), headers]).toMatchObject([
        4,
        {
          // Requests that Node's parser refuses have no parsed headers, so the id differs.
          'x-request-id': expect.stringMatching(/^(id-17|req_[0-9a-f]{32})$/),
          'ratelimit-remaining': expect.stringMatching(/^\d+$/),
          'content-type': expect.stringMatching(/^application\/json/),
        },
      ]);
    },
  );

  it.each(['NONSENSE / HTTP/1.1', 'GET / HTTP/9.9', '\x16\x03\x01\x02'])(
    'is refused when the line that names it is %j',
    async (line) => {
      expect((await sendRaw(`${line}\r\n\r\n`, 'GET', '/')).status).toBe(400);
    },
  );
});

describe('a header', () => {
  it.each([
    ['a NUL in its value', 'x-more: a\0b\r\n', 400, 'malformed_request'],
    ['a blank before the colon', 'x-more : a\r\n', 400, 'malformed_request'],
    ['a folded line', 'x-more: a\r\n b\r\n', 400, 'malformed_request'],
    ['very many others', 'a: b\r\n'.repeat(5_000), 431, 'headers_too_large'],
    ['another Host', 'Host: localhost\r\n', 400, 'malformed_request'],
    ['another key', 'x-api-key: a\r\n', 401, 'malformed_credentials'],
  ])('with %s is refused', async (_, lines, status, code) => {
    const answer = await sendWith(lines);
    expect([answer.status, answer.code]).toEqual([status, code]);
  });

  it('that expects the unknown, asks for a part, or for nothing new changes no answer', async () => {
    const part = { range: 'bytes=0-1', 'if-none-match': '*', 'if-modified-since': 'x' };
    for (const headers of [{ expect: 'wonders' }, part]) {
      expect((await send('GET', PRODUCTS, { headers })).status).toBe(200);
    }
  });
});

describe('a body', () => {
  it('with a byte order mark and keys that JavaScript gives a meaning is read without them', async () => {
    const hostile =
      '"__proto__":{"loanAmount":1,"polluted":1},"constructor":{"prototype":{"x":1}},';
    const body = JSON.stringify(loanRequest())
      .replace('{', `\uFEFF{${hostile}`)
      .replace('"customer":{', `"customer":{${hostile}`);
    const { status, json } = await send('POST', INITIATE, { body });
    expect(status).toBe(200);
    expect('polluted' in {} || 'x' in {}).toBe(false);
    const { journeyId, journeySession } = json.data as Record<string, string>;
    const read = await partnerClient(service).journey(journeyId, journeySession);
    expect(read.json.data.loanAmount).toBe(200_000);
  });
});

describe('how a body is sent', () => {
  const body = JSON.stringify(loanRequest());

  it.each<[name: string, value: string, other: string | Buffer]>([
    ['content-type', 'text/plain', 'a=1&b=2'],
    ['content-type', 'application/json; charset=utf-16', Buffer.from(body, 'utf16le')],
    ['content-encoding', 'gzip', gzipSync(body)],
  ])('with %s %s: JSON is read, and else the header is named', async (name, value, other) => {
    const headers = { [name]: value };
    expect((await send('POST', INITIATE, { body, headers })).status).toBe(200);
    const { json } = await send('POST', INITIATE, { body: other, headers });
    expect(json.code).toBe('unsupported_media_type');
    expect(json.error.toLowerCase()).toContain(name);
    expect(json.error).not.toContain(value);
  });

  it('in chunks is taken as one body', async () => {
    const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
    const onWire = `${chunk(body.slice(0, 50))}${chunk(body.slice(50))}0\r\n\r\n`;
    const answer = await sendWith('Transfer-Encoding: chunked\r\n', INITIATE, { body, onWire });
    expect(answer.status).toBe(200);
  });

  it.each([
    ['broken chunks', 'Transfer-Encoding: chunked', 'zz\r\n{}\r\n0\r\n\r\n', 'malformed_request'],
    [
      'chunks beyond 100 KB',
      'Transfer-Encoding: chunked',
      `1a000\r\n${'x'.repeat(0x1a_000)}\r\n0\r\n\r\n`,
      'body_too_large',
    ],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3', '{}', 'malformed_request'],
    ['both', 'Content-Length: 2\r\nTransfer-Encoding: chunked', '{}', 'malformed_request'],
    ['a length that is none', 'Content-Length: -1', '{}', 'malformed_request'],
    ['an unknown coding', 'Transfer-Encoding: gzip', '{}', 'malformed_request'],
  ])('with %s is refused', async (_, line, onWire, code) => {
    expect((await sendWith(`${line}\r\n`, INITIATE, { onWire })).code).toBe(code);
  });
});
