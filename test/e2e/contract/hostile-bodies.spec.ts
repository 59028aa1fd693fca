import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { loanRequest } from '../../support/loan-requests.js';
import { HostileClient, INITIATE } from './hostile-client.js';

let client: HostileClient;

beforeAll(async () => {
  client = await HostileClient.start();
});

/** A right body with the texts of some fields put in by hand. */
function bodyWith(texts: Record<string, string>): string {
  const marked = JSON.stringify(loanRequest(), (name, value: unknown) =>
    name in texts ? `<${name}>` : value,
  );
  return marked.replaceAll(/"<(\w+)>"/g, (_, name: string) => texts[name]);
}

describe('a body', () => {
  it('with a hostile amount, and a name that holds a control character, half a character or an object, is refused by its fields', async () => {
    const names = ['"Asha\\u0000"', '"Asha\\ud83d"', '"\\u202eAsha"', '{"toString":"Asha"}'];
    const amounts = ['1e400', '9007199254740993', '-0', '0.001', '"100000"', '{"valueOf":1}'];
    for (const [place, amount] of amounts.entries()) {
      const texts = {
        loanAmount: amount,
        monthlyIncome: amount,
        fullName: names[place % names.length],
      };
      const { status, json } = await client.initiate(bodyWith(texts));
      expect([texts, status, json.code]).toEqual([texts, 400, 'validation_failed']);
      const fields = json.details.map(({ field }) => field).toSorted();
      expect(fields).toEqual(['customer.fullName', 'customer.monthlyIncome', 'loanAmount']);
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
});

describe('how a body is sent', () => {
  const json = JSON.stringify(loanRequest());

  it.each<[name: string, value: string, other: string | Buffer]>([
    ['content-type', 'text/plain', 'a=1&b=2'],
    ['content-type', 'application/json; charset=utf-16', Buffer.from(json, 'utf16le')],
    ['content-encoding', 'gzip', gzipSync(json)],
  ])('with %s %s: JSON is read, and else the header is named', async (name, value, other) => {
    expect((await client.initiate(json, { [name]: value })).status).toBe(200);
    const answer = await client.initiate(other, { [name]: value });
    expect([answer.status, answer.json.code]).toEqual([415, 'unsupported_media_type']);
    expect(answer.json.error.toLowerCase()).toContain(name);
    expect(answer.json.error).not.toContain(value);
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
