import { beforeAll, describe, expect, it } from 'vitest';
import { HostileClient, PRODUCTS } from './hostile-client.js';

let client: HostileClient;

beforeAll(async () => {
  client = await HostileClient.start();
});

describe('a header', () => {
  it('x-api-key given twice identifies no caller, be it the same twice', async () => {
    const { apiKey } = client.service.credentials;
    const headers = { 'x-api-key': [apiKey, apiKey] };
    const { status, json } = await client.send('GET', PRODUCTS, { headers });
    const error = 'The x-api-key header was sent more than once';
    expect([status, json.code, json.error]).toEqual([401, 'malformed_credentials', error]);
  });

  it.each([
    ['a NUL in its value', 'x-more: a\0b\r\n'],
    ['a blank before the colon', 'x-more : a\r\n'],
    ['a folded line', 'x-more: a\r\n b\r\n'],
  ])('with %s is refused', async (_, more) => {
    const answer = await client.wire('GET', PRODUCTS, more);
    expect([answer.status, answer.code]).toEqual([400, 'malformed_request']);
  });

  it('that is one of very many is refused', async () => {
    const many = await client.wire('GET', PRODUCTS, 'a: b\r\n'.repeat(5_000));
    expect([many.status, many.code]).toEqual([431, 'headers_too_large']);
  });

  it('Host must not be there twice', async () => {
    const hosts = 'Host: localhost\r\n'.repeat(2);
    const bytes = `GET ${PRODUCTS} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`;
    const { status, code } = await client.bytes('GET', PRODUCTS, bytes);
    expect([status, code]).toEqual([400, 'malformed_request']);
  });

  it('that expects the unknown, asks for a part, or for nothing new changes no answer', async () => {
    const part = { range: 'bytes=0-1', 'if-none-match': '*', 'if-modified-since': 'x' };
    for (const headers of [{ expect: 'wonders' }, part]) {
      expect((await client.send('GET', PRODUCTS, { headers })).status).toBe(200);
    }
  });
});
