import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GuardedClient } from '../../platform/index.js';
import type { Lender } from '../../settings/index.js';
import type { LenderHttp } from '../client/lender-http.js';
import { publicJwkOf, signingKey } from '../protocol-keys.js';
import { LenderKeys } from './lender-keys.js';

let server: Server;
let client: GuardedClient;
let answer: (response: ServerResponse) => void;

beforeEach(async () => {
  server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = new GuardedClient(true);
});

afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
const JWK = publicJwkOf(signingKey('right', pem as string));
const LIST = JSON.stringify({ keys: [JWK] });

function find(kid = 'right') {
  const { port } = server.address() as AddressInfo;
  const keys = { kind: 'JWKS', address: `http://127.0.0.1:${port}/jwks.json` };
  const lender = { code: 'one', remote: { keys } } as unknown as Lender;
  return new LenderKeys({ clientOf: () => client } as unknown as LenderHttp).of(lender)(kid);
}

const text = (body: string | Buffer, headers = {}) => {
  answer = (response) => response.writeHead(200, headers).end(body);
};

describe('a lender’s key list', () => {
  it.each<[string, () => void]>([
    [
      'is longer than any',
      () => text(`{"keys":[${JSON.stringify(JWK)}],"more":"${'x'.repeat(70_000)}"}`),
    ],
    ['is compressed', () => text(gzipSync(LIST), { 'content-encoding': 'gzip' })],
    ['is no JSON', () => text('<h1>keys</h1>')],
    ['nests without an end', () => text('['.repeat(60_000))],
    ['has a private key', () => text(JSON.stringify({ keys: [{ ...JWK, d: JWK.kid }] }))],
    [
      'has a secret for both sides',
      () => text('{"keys":[{"kty":"oct","kid":"right","k":"AAAA"}]}'),
    ],
    [
      'leads elsewhere',
      () => {
        answer = (response) => response.writeHead(302, { location: '/jwks.json' }).end();
      },
    ],
    [
      'is an error with keys in it',
      () => {
        answer = (response) => response.writeHead(500).end(LIST);
      },
    ],
  ])('that %s has no keys', async (_, serve) => {
    serve();
    expect(await find()).toBeNull();
  });

  it('of more entries than any lender has is not read', async () => {
    text(JSON.stringify({ keys: [JWK, ...Array.from({ length: 1_000 }, () => ({}))] }));
    expect(await find()).toBeNull();
    text(JSON.stringify({ keys: [JWK, ...Array.from({ length: 999 }, () => ({}))] }));
    expect((await find())?.kid).toBe('right');
  });
});
