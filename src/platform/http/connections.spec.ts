import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Metrics } from '../metrics/metrics.js';
import { Connections } from './connections.js';

const ASK = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

const GRACE_MS = 200;

let server: Server;
let connections: Connections;
let metrics: Metrics;
let clients: Socket[];
let asked: ServerResponse[];

beforeEach(async () => {
  connections = new Connections({
    connections: 3,
    unanswered: 4,
    graceMs: GRACE_MS,
    longestMs: 600,
  });
  metrics = new Metrics();
  connections.reportTo(metrics);
  asked = [];
  clients = [];
  server = createServer((request, response) => {
    if (connections.begin(request, response)) asked.push(response);
  });
  connections.watch(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  vi.useRealTimers();
  for (const one of clients) one.destroy();
  await connections.drain(server).catch(() => undefined);
});

async function client(bytes = ''): Promise<Socket> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  clients.push(socket);
  socket.on('error', () => undefined).resume();
  const taken = once(server, 'connection');
  await once(socket, 'connect');
  await taken;
  const count = asked.length + (bytes === ASK ? 1 : 0);
  socket.write(bytes);
  await expect.poll(() => asked.length).toBe(count);
  return socket;
}

const open = () => clients.map(({ closed }) => !closed);

async function seen() {
  const [{ value: isOpen }] = (await metrics.connections.get()).values;
  const { values } = await metrics.drivenOut.get();
  const drivenOut = Object.fromEntries(values.map(({ labels, value }) => [labels.reason, value]));
  return { isOpen, drivenOut };
}

describe('more connections than there may be', () => {
  it('drive out the one that has kept the service waiting for longest', async () => {
    const [first] = [await client(), await client('GET'), await client()];
    await client();
    await expect.poll(() => first.closed).toBe(true);
    await client();
    await expect.poll(open).toEqual([false, false, true, true, true]);
    expect(await seen()).toEqual({ isOpen: 3, drivenOut: { room: 2 } });
    clients[4].destroy();
    await expect.poll(seen).toEqual({ isOpen: 2, drivenOut: { room: 2 } });
  });

  it('drive out no client that is being served, and count an answer as a sign of life', async () => {
    await client(ASK);
    await client(ASK);
    await client();
    await client();
    await expect.poll(open).toEqual([true, true, false, true]);
    asked[0].end();
    await expect.poll(() => asked[0].writableFinished).toBe(true);
    await client();
    await expect.poll(open).toEqual([true, true, false, false, true]);
  });

  it('are refused when all are being served', async () => {
    for (let i = 0; i < 3; i += 1) await client(ASK);
    const one = await client();
    await expect.poll(() => one.closed).toBe(true);
    expect(open()).toEqual([true, true, true, false]);
    expect(await seen()).toEqual({ isOpen: 3, drivenOut: { refused: 1 } });
  });

  it('and more requests ahead of the answers than there may be drive out their own', async () => {
    const [modest, greedy] = [await client(), await client()];
    modest.write(ASK.repeat(4));
    await expect.poll(() => asked.length).toBe(4);
    greedy.write(ASK.repeat(9));
    await expect.poll(() => greedy.closed).toBe(true);
    expect([modest.closed, asked.length]).toEqual([false, 8]);
    expect(await seen()).toEqual({ isOpen: 1, drivenOut: { ahead: 1 } });
  });
});

describe('the end', () => {
  it('waits for what is being served, and gives half a request the grace to become whole', async () => {
    await client(ASK);
    const half = await client('GET / HTTP/1.1\r\n');
    const never = await client('GET /');
    let isOver = false;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const drained = connections.drain(server).then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(GRACE_MS - 1);
    half.write('Host: a\r\n\r\n');
    await expect.poll(() => asked.length).toBe(2);
    expect(never.closed).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await expect.poll(() => never.closed).toBe(true);
    expect([half.closed, isOver]).toEqual([false, false]);
    for (const response of asked) {
      response.end('done');
      expect(response.getHeader('connection')).toBe('close');
    }
    await drained;
  });

  it('comes although an answer is never made, and tells of it', async () => {
    const one = await client(ASK);
    await expect(connections.drain(server)).rejects.toThrow('requests in flight were aborted');
    expect(asked[0].writableFinished).toBe(false);
    await expect.poll(() => one.closed).toBe(true);
  });
});
