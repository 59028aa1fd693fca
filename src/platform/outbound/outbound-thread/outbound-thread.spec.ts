import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Environment } from '../../config/environment.js';
import { OutboundFailure } from '../outbound-failure.js';
import { OutboundThread } from './outbound-thread.js';

const REQUEST = {
  headers: { 'content-type': 'text/plain', 'x-of-ours': 'yes' },
  body: 'नमस्ते',
  startWithinMs: 10_000,
};

const LIMITS = {
  deadlineMs: 2_000,
  maxResponseBytes: 8,
  keptHeaders: ['retry-after'],
};

let server: Server;
let url: string;
let thread: OutboundThread;

async function serve(listener: RequestListener): Promise<void> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeEach(() => {
  thread = new OutboundThread({ isLoopback: true } as Environment);
});

afterEach(async () => {
  await thread.onApplicationShutdown();
  server.closeAllConnections();
  server.close();
});

describe('the thread that posts', () => {
  it('sends what it is given, and brings back the headers that are asked for and no more', async () => {
    const seen: string[] = [];
    await serve((request, response) => {
      seen.push(String(request.headers['x-of-ours']));
      request.on('data', (chunk) => seen.push(String(chunk)));
      request.on('end', () => {
        response.writeHead(503, { 'retry-after': '7', 'x-secret': 'theirs' }).end('0123456789');
      });
    });
    const answer = await thread.post(`${url}/hook`, REQUEST, LIMITS);
    expect(answer).toMatchObject({ status: 503, excerpt: '01234567' });
    expect(answer.headers).toEqual({ 'retry-after': '7' });
    expect(seen).toEqual(['yes', 'नमस्ते']);
  });

  it.each([
    ['https://10.0.0.1/', 'ADDRESS_REFUSED'],
    ['https://169.254.169.254/', 'ADDRESS_REFUSED'],
    ['ftp://127.0.0.1/', 'URL_REFUSED'],
    ['http://127.0.0.1:1/', 'CONNECTION'],
  ])('is as guarded as any way out: %s', async (address, reason) => {
    await serve((_, response) => response.end());
    const failed: unknown = await thread
      .post(address, REQUEST, LIMITS)
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(OutboundFailure);
    expect(failed).toMatchObject({ reason });
  });

  it('sends nothing that has waited for too long', async () => {
    let requests = 0;
    await serve((_, response) => {
      requests += 1;
      response.end();
    });
    const late = { ...REQUEST, startWithinMs: -1_000 };
    await expect(thread.post(url, late, LIMITS)).rejects.toMatchObject({ hasConnected: false });
    expect(requests).toBe(0);
  });
});
