import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { loanRequest } from '../../support/loan-requests.js';
import { PARTNER_PREFIX } from '../../support/partner-client.js';
import { HostileClient, INITIATE } from './hostile-client.js';

let client: HostileClient;

beforeAll(async () => {
  client = await HostileClient.start();
});

/** A valid body in which the text of one field is replaced. */
function bodyWith(field: 'loanAmount' | 'monthlyIncome' | 'fullName', text: string): string {
  const marked = JSON.stringify(loanRequest(), (name, value: unknown) =>
    name === field ? '<here>' : value,
  );
  return marked.replace('"<here>"', () => text);
}

describe('a body', () => {
  it('with a hostile amount is refused by its field', async () => {
    for (const text of ['1e400', '9007199254740993', '-0', '0.001', '"100000"', '{"valueOf":1}']) {
      for (const field of ['loanAmount', 'monthlyIncome'] as const) {
        const { status, json } = await client.initiate(bodyWith(field, text));
        const name = field === 'loanAmount' ? field : `customer.${field}`;
        expect([text, status, json.code]).toEqual([text, 400, 'validation_failed']);
        expect(json.details.map((detail) => detail.field)).toContain(name);
      }
    }
  });

  it('whose name holds a control character, half a character or an object is refused by its field', async () => {
    for (const text of ['"Asha\\u0000"', '"Asha\\ud83d"', '"\\u202eAsha"', '{"toString":"Asha"}']) {
      const { status, json } = await client.initiate(bodyWith('fullName', text));
      expect([text, status, json.code]).toEqual([text, 400, 'validation_failed']);
      expect(json.details.map(({ field }) => field)).toContain('customer.fullName');
    }
  });

  it('with a byte order mark and keys that JavaScript gives a meaning is read without them', async () => {
    const hostile =
      '"__proto__":{"loanAmount":1,"polluted":1},"constructor":{"prototype":{"x":1}},';
    const body = JSON.stringify(loanRequest()).replace('{', `\uFEFF{${hostile}`);
    const { status, json } = await client.initiate(
      body.replace('"customer":{', `"customer":{${hostile}`),
    );
    expect(status).toBe(200);
    expect('polluted' in {} || 'x' in {}).toBe(false);
    const { journeyId, journeySession } = json.data as Record<string, string>;
    const read = await client.partner.journey(journeyId, journeySession);
    expect(read.json.data.loanAmount).toBe(200_000);
  });

  it('that is no JSON object is refused', async () => {
    const deep = `{"x":${'['.repeat(16_000)}`;
    const number = bodyWith('loanAmount', 'NaN');
    for (const body of [' ', 'null', '[]', '7', '{}{}', '{"a":1', '\0', deep, number]) {
      const { status, json } = await client.initiate(body);
      expect([body, status, json.code]).toEqual([body, 400, 'malformed_json']);
    }
  });
});

describe('how a body is sent', () => {
  const json = JSON.stringify(loanRequest());
  const gzipped = gzipSync(json);

  it.each<[name: string, value: string, other: string | Buffer]>([
    ['content-type', 'text/plain', 'a=1&b=2'],
    ['content-type', 'multipart/form-data; boundary=x', '--x\r\n\r\n--x--'],
    ['content-type', 'application/json; charset=utf-16', Buffer.from(json, 'utf16le')],
    ['content-encoding', 'gzip', gzipped],
    ['content-encoding', 'nonsense', gzipped],
  ])('with %s %s: JSON is read, and else the header is named', async (name, value, other) => {
    expect((await client.initiate(json, { [name]: value })).status).toBe(200);
    const answer = await client.initiate(other, { [name]: value });
    expect([answer.status, answer.json.code]).toEqual([415, 'unsupported_media_type']);
    expect(answer.json.error.toLowerCase()).toContain(name);
    expect(answer.json.error).not.toContain(value);
  });

  it('as JSON, which explains nothing, is not valid JSON', async () => {
    for (const type of ['application/json', 'APPLICATION/JSON; charset="UTF-8"', '']) {
      const headers = { 'content-type': type, 'content-encoding': 'identity' };
      const answer = await client.initiate('a=1&b=2', headers);
      expect([answer.status, answer.json.code]).toEqual([400, 'malformed_json']);
    }
  });

  it('in another format is refused only when all that comes before is right', async () => {
    const options = { body: gzipped, headers: { 'content-encoding': 'gzip' } };
    const path = (id: string) => `${PARTNER_PREFIX}/journey/${id}/action`;
    const unknown = await client.send('POST', path('jrn_1'), options);
    expect([unknown.status, unknown.json.code]).toEqual([404, 'journey_not_found']);
    const overrides = { signature: 'a'.repeat(64) };
    const forged = await client.send('POST', INITIATE, { ...options, overrides });
    expect(forged.status).toBe(401);
  });

  it('in chunks is taken as one body, unless they are broken or beyond 100 KB', async () => {
    const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
    const send = (onWire: string, body = '') =>
      client.wire('POST', INITIATE, 'Transfer-Encoding: chunked\r\n', { body, onWire });
    const halves = `${chunk(json.slice(0, 50))}${chunk(json.slice(50))}0\r\n\r\n`;
    expect((await send(halves, json)).status).toBe(200);
    const broken = await send('zz\r\n{}\r\n0\r\n\r\n');
    expect([broken.status, broken.code]).toEqual([400, 'malformed_request']);
    const large = await send(`${chunk('x'.repeat(0x1a_000))}0\r\n\r\n`);
    expect([large.status, large.code]).toEqual([413, 'body_too_large']);
  });

  it('with two lengths, a length and chunks, or a length that is none is refused', async () => {
    for (const more of [
      'Content-Length: 2\r\nContent-Length: 3\r\n',
      'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n',
      'Content-Length: -1\r\n',
      'Transfer-Encoding: gzip\r\n',
    ]) {
      const answer = await client.wire('POST', INITIATE, more, { onWire: '{}' });
      expect([more, answer.status, answer.code]).toEqual([more, 400, 'malformed_request']);
    }
  });
});
