import { createServer, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Environment } from '../config/environment.js';
import { machineMs, TooLate } from './exchange.js';
import { OutboundClient } from './guarded-client.js';
import type { OutboundFailure } from './outbound-failure.js';

const closers: (() => Promise<unknown>)[] = [];
let client: OutboundClient;

beforeEach(() => {
  client = clientOf({ isLoopback: true });
});

afterEach(async () => {
  await client.close();
  await Promise.all(closers.splice(0).map((close) => close()));
});

function clientOf(environment: Pick<Environment, 'isLoopback'>): OutboundClient {
  return new OutboundClient(environment as Environment);
}

async function listening(server: Server | TcpServer): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  );
  return (server.address() as AddressInfo).port;
}

/** The address of a server that answers by hand. */
async function serveRaw(answer: (socket: Socket) => void): Promise<string> {
  const port = await listening(
    createTcpServer((socket) => {
      socket.on('error', () => undefined).once('data', () => answer(socket));
      closers.unshift(async () => socket.destroy());
    }),
  );
  return `http://127.0.0.1:${port}/`;
}

async function serve(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listening(createServer(listener))}/hook?a=1`;
}

function post(
  url: string,
  limits: {
    deadlineMs?: number;
    bodyMs?: number;
    maxResponseBytes?: number;
    notAfter?: number;
  } = {},
) {
  return client.post(url, {
    headers: { 'content-type': 'application/json' },
    body: '{"a":"ऋण"}',
    deadlineMs: 2_000,
    maxResponseBytes: 1_024,
    ...limits,
  });
}

function failureOf(call: Promise<unknown>): Promise<OutboundFailure> {
  return call.then(
    () => Promise.reject(new Error('the call succeeded')),
    (error: OutboundFailure) => error,
  );
}

describe('OutboundClient.post', () => {
  it('sends nothing after its time to start, and keeps the connection for the next', async () => {
    let connections = 0;
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.end();
    });
    server.on('connection', () => (connections += 1));
    const url = `http://127.0.0.1:${await listening(server)}/`;
    const late: unknown = await failureOf(post(url, { notAfter: machineMs() - 1 }));
    expect(late).toBeInstanceOf(TooLate);
    expect(late).toMatchObject({ hasConnected: true });
    await post(url, { notAfter: machineMs() + 60_000 });
    expect([requests, connections]).toEqual([1, 1]);
  });

  it('sends the exact bytes and answers status, headers and body', async () => {
    const seen: { target?: string; body: Buffer[] } = { body: [] };
    const url = await serve((request, response) => {
      seen.target = `${request.method} ${request.url}`;
      request.on('data', (chunk: Buffer) => seen.body.push(chunk));
      request.on('end', () => response.writeHead(202, { 'x-a': 'b' }).end('थैंक यू'));
    });
    const answer = await post(url);
    expect(answer).toMatchObject({ status: 202, headers: { 'x-a': 'b' }, excerpt: 'थैंक यू' });
    expect(answer.durationMs).toBeGreaterThanOrEqual(0);
    expect(seen.target).toBe('POST /hook?a=1');
    expect(Buffer.concat(seen.body).toString()).toBe('{"a":"ऋण"}');
  });

  it.each([301, 307])('does not follow a %d', async (status) => {
    let calls = 0;
    const url = await serve((_, response) => {
      calls += 1;
      response.writeHead(status, { location: '/elsewhere' }).end();
    });
    expect(await failureOf(post(url))).toMatchObject({ reason: 'REDIRECT', status });
    expect(calls).toBe(1);
  });

  it('cuts an endless body at the cap and is done', async () => {
    const url = await serve((_, response) => {
      const timer = setInterval(() => response.write('x'.repeat(600)), 1);
      response.on('close', () => clearInterval(timer));
    });
    const answer = await post(url, { maxResponseBytes: 1_000 });
    expect(answer.excerpt).toHaveLength(1_000);
  });

  it.each<[string, RequestListener]>([
    ['no answer comes', () => undefined],
    ['the body stalls', (_, response) => response.writeHead(200).write('half')],
    [
      'the body drips',
      (_, response) => {
        const timer = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])('gives up at the deadline when %s', async (_, listener) => {
    const url = await serve(listener);
    const took: number[] = [];
    for (let call = 0; call < 3; call += 1) {
      const startedAt = performance.now();
      const failure = await failureOf(post(url, { deadlineMs: 150 }));
      took.push(performance.now() - startedAt);
      expect(failure).toMatchObject({ reason: 'TIMEOUT' });
      expect(failure.durationMs).toBeGreaterThanOrEqual(140);
    }
    // A late deadline would delay every call; a paused machine delays only one.
    expect(Math.min(...took)).toBeLessThan(1_000);
  });

  it.each([200, 503])('waits for a body only as long as it is given: %d counts', async (status) => {
    const url = await serve((_, response) => response.writeHead(status).write('so far'));
    expect(await post(url, { bodyMs: 50 })).toMatchObject({ status, excerpt: 'so far' });
  });

  it('tells a hang-up, a closed port, a failed handshake and a non-answer apart', async () => {
    const hangUp = await serve((request) => request.socket.destroy());
    expect(await failureOf(post(hangUp))).toMatchObject({ reason: 'CONNECTION' });
    const url = await serveRaw((socket) => socket.end('SSH-2.0-x\r\n\r\n'));
    expect(await failureOf(post(url))).toMatchObject({ reason: 'PROTOCOL' });
    const secure = url.replace('http', 'https');
    expect(await failureOf(post(secure))).toMatchObject({ reason: 'TLS' });
    expect(await failureOf(post('http://127.0.0.1:9/'))).toMatchObject({ reason: 'CONNECTION' });
  });
});

describe('a failure', () => {
  it('says when the request certainly was not carried out', async () => {
    const moved = await serve((_, response) => response.writeHead(302, { location: '/' }).end());
    for (const url of ['not a url', 'http://10.0.0.1/', 'http://127.0.0.1:9/', moved]) {
      expect(await failureOf(post(url))).toMatchObject({ neverArrived: true });
    }
  });

  it('does not say so when the answer was lost', async () => {
    const hangUp = await serve((request) => request.socket.destroy());
    expect(await failureOf(post(hangUp))).toMatchObject({ neverArrived: false });
    const silent = await serve(() => undefined);
    const late = await failureOf(post(silent, { deadlineMs: 150 }));
    expect(late).toMatchObject({ reason: 'TIMEOUT', neverArrived: false });
  });
});

describe('an informational answer', () => {
  const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
  const interim = (status: number) => `HTTP/1.1 ${status} Wait\r\nx-progress: a\r\n\r\n`;

  it.each([
    ['100', interim(100)],
    ['100 twice, then 103', interim(100) + interim(100) + interim(103)],
  ])('is skipped: %s', async (_, before) => {
    const together = await serveRaw((socket) => socket.write(before + OK));
    expect(await post(together)).toMatchObject({ status: 200, excerpt: 'ok' });
    const apart = await serveRaw((socket) => {
      socket.write(before);
      setTimeout(() => socket.write(OK), 20);
    });
    expect(await post(apart)).toMatchObject({ status: 200, excerpt: 'ok' });
  });

  it('does not stop the deadline, sent without end', async () => {
    const url = await serveRaw((socket) => {
      const timer = setInterval(() => socket.write(interim(103)), 5);
      socket.on('close', () => clearInterval(timer));
    });
    const failure = await failureOf(post(url, { deadlineMs: 150, bodyMs: 50 }));
    expect(failure).toMatchObject({ reason: 'TIMEOUT' });
  });

  it.each([
    ['with', 'connection: upgrade\r\nupgrade: websocket\r\n'],
    ['without', ''],
  ])('101 is a failure, %s the headers of an upgrade', async (_, headers) => {
    const url = await serveRaw((socket) => socket.write(`HTTP/1.1 101 Switch\r\n${headers}\r\n`));
    expect(await failureOf(post(url))).toMatchObject({ reason: 'PROTOCOL', status: 101 });
  });
});

describe('away from a developer’s machine', () => {
  it('every address on it is refused, and plain http', async () => {
    client = clientOf({ isLoopback: false });
    for (const [url, reason] of [
      ['https://127.0.0.1/', 'ADDRESS_REFUSED'],
      ['https://[::1]/', 'ADDRESS_REFUSED'],
      ['https://localhost/', 'ADDRESS_REFUSED'],
      ['http://127.0.0.1:9/', 'URL_REFUSED'],
    ]) {
      expect(await failureOf(post(url))).toMatchObject({ reason });
    }
  });
});
