import { beforeAll, describe, expect, it } from 'vitest';
import { HostileClient, PRODUCTS } from './hostile-client.js';

let client: HostileClient;

beforeAll(async () => {
  client = await HostileClient.start();
});

describe('a header', () => {
  it.each([
    ['x-signature', 'a'.repeat(64)],
    ['x-api-key', 'its own'],
    ['authorization', 'its own'],
  ])('%s given twice identifies no caller, be it the same twice', async (name, given) => {
    const { apiKey } = client.service.credentials;
    const own = name === 'authorization' ? `Bearer ${apiKey}` : apiKey;
    const value = given === 'its own' ? own : given;
    for (const values of [
      [value, value],
      ['a', value],
    ]) {
      const { status, json } = await client.send('GET', PRODUCTS, { headers: { [name]: values } });
      const error = `The ${name} header was sent more than once`;
      expect([status, json.code, json.error]).toEqual([401, 'malformed_credentials', error]);
    }
  });

  it.each([
    ['a NUL in its value', 'x-more: a\0b\r\n'],
    ['a blank before the colon', 'x-more : a\r\n'],
    ['a folded line', 'x-more: a\r\n b\r\n'],
  ])('with %s is refused', async (_, more) => {
    const answer = await client.wire('GET', PRODUCTS, more);
    expect([answer.status, answer.code]).toEqual([400, 'malformed_request']);
  });

  it('that is very long, or one of very many, is refused', async () => {
    const long = await client.wire('GET', PRODUCTS, `x-more: ${'x'.repeat(100_000)}\r\n`);
    expect([long.status, long.code]).toEqual([431, 'headers_too_large']);
    const many = await client.wire('GET', PRODUCTS, 'a: b\r\n'.repeat(5_000));
    expect([many.status, many.code]).toEqual([431, 'headers_too_large']);
  });

  it('Host must be there once', async () => {
    for (const hosts of ['', 'Host: localhost\r\nHost: localhost\r\n']) {
      const bytes = `GET ${PRODUCTS} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`;
      const { status, code } = await client.bytes('GET', PRODUCTS, bytes);
      expect([status, code]).toEqual([400, 'malformed_request']);
    }
  });

  it('that expects the unknown, asks for a part, or for nothing new changes no answer', async () => {
    const part = { range: 'bytes=0-1', 'if-none-match': '*', 'if-modified-since': 'x' };
    for (const headers of [{ expect: 'wonders' }, part]) {
      expect((await client.send('GET', PRODUCTS, { headers })).status).toBe(200);
    }
  });
});
