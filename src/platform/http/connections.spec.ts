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

/** How many connections are open by the metrics, and how many were closed for each reason. */
async function counted(): Promise<[number, Record<string, number>]> {
  const [{ value }] = (await metrics.connections.get()).values;
  const { values } = await metrics.drivenOut.get();
  return [
    value,
    Object.fromEntries(values.map(({ labels, value: count }) => [labels.reason, count])),
  ];
}

const opened = async (...bytes: string[]) => {
  for (const each of bytes) await client(each);
};

describe('more connections than there may be', () => {
  it('drive out the one that has kept the service waiting for longest', async () => {
    await opened('', 'GET', '', '');
    await expect.poll(open).toEqual([false, true, true, true]);
    await opened('');
    await expect.poll(open).toEqual([false, false, true, true, true]);
    expect(await counted()).toEqual([3, { room: 2 }]);
    clients[4].destroy();
    await expect.poll(counted).toEqual([2, { room: 2 }]);
  });

  it('drive out no client that is being served, and count an answer as a sign of life', async () => {
    await opened(ASK, ASK, '', '');
    await expect.poll(open).toEqual([true, true, false, true]);
    asked[0].end();
    await expect.poll(() => asked[0].writableFinished).toBe(true);
    await opened('');
    await expect.poll(open).toEqual([true, true, false, false, true]);
  });

  it('are refused when all are being served', async () => {
    await opened(ASK, ASK, ASK, '');
    await expect.poll(open).toEqual([true, true, true, false]);
    expect(await counted()).toEqual([3, { refused: 1 }]);
  });

  it('and more requests ahead of the answers than there may be drive out their own', async () => {
    await opened('', '');
    const [modest, greedy] = clients;
    modest.write(ASK.repeat(4));
    await expect.poll(() => asked.length).toBe(4);
    greedy.write(ASK.repeat(9));
    await expect.poll(open).toEqual([true, false]);
    expect([asked.length, await counted()]).toEqual([8, [1, { ahead: 1 }]]);
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
