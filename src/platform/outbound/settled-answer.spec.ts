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
