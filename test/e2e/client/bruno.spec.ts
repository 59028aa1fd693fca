import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { collectionFiles } from '../../../clients/bruno/generate.js';

const FOLDER = fileURLToPath(new URL('../../../clients/bruno/', import.meta.url));
const WRITTEN_BY_HAND = ['README.md', 'generate.ts', 'sign.js'];

/** Runs the collection's script on one request, as Bruno does. */
function signed(method: string, url: string, body?: unknown) {
  const headers: Record<string, string> = {};
  let sent = body;
  const variables: Record<string, string> = {
    baseUrl: 'http://localhost:3000',
    journeyId: 'jrn_1',
    apiKey: 'a-key',
    apiSecret: 'a-secret',
  };
  const libraries: Record<string, unknown> = {
    'crypto-js': {
      HmacSHA256: (text: string, key: string) =>
        createHmac('sha256', key).update(text).digest('hex'),
    },
    uuid: { v4: () => '5a1c3c4e-9d2b-4f6a-8e1d-0b7f3a2c4d5e' },
  };
  runInNewContext(readFileSync(join(FOLDER, 'sign.js'), 'utf8'), {
    require: (name: string) => libraries[name],
    bru: {
      getEnvVar: (name: string) => variables[name],
      interpolate: (text: string) =>
        text.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => variables[name]),
    },
    req: {
      getMethod: () => method,
      getUrl: () => url,
      getBody: () => sent,
      setBody: (text: string) => (sent = text),
      setHeader: (name: string, value: string) => (headers[name] = value),
    },
  });
  return { headers, sent };
}

describe('the Bruno collection', () => {
  it('has the requests that the OpenAPI document says', () => {
    const names = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(FOLDER.length));
    const there = names
      .filter((name) => !WRITTEN_BY_HAND.includes(name))
      .map((name): [string, string] => [name, readFileSync(join(FOLDER, name), 'utf8')]);
    expect(Object.fromEntries(there)).toEqual(Object.fromEntries(collectionFiles()));
  });

  it.each([
    ['get', '{{baseUrl}}/v1/partner/leads?from=2026-01-01&to=2026%2D02', undefined, ''],
    [
      'POST',
      'https://loans.example/api/v1/partner/journey/{{journeyId}}/action',
      { a: 'आ' },
      '{"a":"आ"}',
    ],
  ])('signs %s %s with the body that it sends', (method, url, body, rawBody) => {
    const { headers, sent } = signed(method, url, body);
    expect(sent).toBe(rawBody === '' ? undefined : rawBody);
    const target = url
      .replace('{{journeyId}}', 'jrn_1')
      .replace(/^(https:\/\/loans\.example|\{\{baseUrl\}\})/, '');
    const text = [
      method.toUpperCase(),
      target,
      headers['x-timestamp'],
      headers['x-nonce'],
      rawBody,
    ].join('\n');
    expect(headers['x-signature']).toBe(
      createHmac('sha256', 'a-secret').update(text).digest('hex'),
    );
    expect(headers['x-api-key']).toBe('a-key');
    expect(headers['x-timestamp']).toMatch(/^\d{10}$/);
  });
});
