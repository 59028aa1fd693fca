import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { GuardedClient, type OutboundRequest } from './guarded-client.js';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const interim = (status: number) => `HTTP/1.1 ${status} Wait\r\nx-progress: a\r\n\r\n`;

const client = new GuardedClient(true);
const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server that runs this on each connection as soon as a request arrives on it. */
async function serve(answer: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).on('data', () => answer(socket));
    closers.push(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function post(url: string, limits: Partial<OutboundRequest> = {}) {
  const usual = { headers: {}, body: '{}', deadlineMs: 5_000, maxResponseBytes: 16 };
  return client.post(url, { ...usual, ...limits });
}

/** Writes this every few milliseconds until the socket is closed. */
function keepWriting(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 5);
  socket.on('close', () => clearInterval(timer));
}

describe('an informational answer', () => {
  it.each([
    ['100', interim(100)],
    ['100 twice, then 103', interim(100) + interim(100) + interim(103)],
  ])('is skipped: %s', async (_, before) => {
    const together = await serve((socket) => socket.write(before + OK));
    expect(await post(together)).toMatchObject({ status: 200, excerpt: 'ok' });
    const apart = await serve((socket) => {
      socket.write(before);
      setTimeout(() => socket.write(OK), 20);
    });
    expect(await post(apart)).toMatchObject({ status: 200, excerpt: 'ok' });
  });

  it.each([100, 103])('does not stop the deadline, sent without end: %d', async (status) => {
    const url = await serve((socket) => keepWriting(socket, interim(status)));
    const call = post(url, { deadlineMs: 150, bodyMs: 50 });
    await expect(call).rejects.toMatchObject({ reason: 'TIMEOUT' });
  });

  it.each([
    ['with', 'connection: upgrade\r\nupgrade: websocket\r\n'],
    ['without', ''],
  ])('101 is a failure, %s the headers of an upgrade', async (_, headers) => {
    const url = await serve((socket) => socket.write(`HTTP/1.1 101 Switch\r\n${headers}\r\n`));
    await expect(post(url)).rejects.toMatchObject({ reason: 'PROTOCOL', status: 101 });
  });
});

describe('an answer that is settled at its status', () => {
  const HEAD = 'content-type: text/plain\r\n';
  const BODIES: [string, (socket: Socket) => void, string][] = [
    ['does not come', (socket) => socket.write(`${HEAD}content-length: 9\r\n\r\n`), ''],
    ['stalls half way', (socket) => socket.write(`${HEAD}content-length: 9\r\n\r\nhalf`), 'half'],
    ['is cut', (socket) => socket.end(`${HEAD}content-length: 9\r\n\r\nhalf`), 'half'],
    [
      'breaks its own framing',
      (socket) => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n`);
        setTimeout(() => socket.write('xyz\r\n'), 10);
      },
      'half',
    ],
  ];

  it.each(
    [200, 204, 302, 410].flatMap((status) =>
      BODIES.map(([name, write, excerpt]) => [status, name, write, excerpt] as const),
    ),
  )('counts: %d whose body %s', async (status, _, write, excerpt) => {
    const url = await serve((socket) => {
      socket.write(`HTTP/1.1 ${status} So\r\n`);
      write(socket);
    });
    const answer: unknown = await post(url, { bodyMs: 50 }).catch((error: unknown) => error);
    const settled: Record<number, object> = { 204: { excerpt: '' }, 302: { reason: 'REDIRECT' } };
    expect(answer).toMatchObject({ status, ...(settled[status] ?? { excerpt }) });
  });

  it('is late only when its status is', async () => {
    const url = await serve((socket) => {
      setTimeout(() => {
        socket.write(`HTTP/1.1 200 OK\r\n${HEAD}content-length: 9\r\n\r\n`);
        setTimeout(() => socket.write('some text'), 1_000);
      }, 200);
    });
    const answer = await post(url, { deadlineMs: 1_000, bodyMs: 5_000 });
    expect(answer).toMatchObject({ status: 200, excerpt: 'some text' });
    // The time until the status, not until the end of the body.
    expect(answer.durationMs).toBeLessThan(1_000);
    await expect(post(url, { deadlineMs: 100, bodyMs: 5_000 })).rejects.toMatchObject({
      reason: 'TIMEOUT',
    });
  });
});
