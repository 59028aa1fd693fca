import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boundedServer } from './bounded-server.js';
import { Connections } from './connections.js';

/** How long nginx keeps an idle connection to what it stands before, unless it is told otherwise. */
const PROXY_KEEPS_SECONDS = 60;

const server = boundedServer((_request, response) => response.end('{}'), new Connections());

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('an idle connection', () => {
  it('is promised to a client for longer than a proxy keeps it', async () => {
    const { port } = server.address() as AddressInfo;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ port, headers: { connection: 'keep-alive' } }, resolve).on('error', reject);
    });
    answer.resume();
    const promised = /timeout=(\d+)/.exec(String(answer.headers['keep-alive']))?.[1];
    expect(Number(promised)).toBeGreaterThan(PROXY_KEEPS_SECONDS);
  });
});
