import { once } from 'node:events';
import {
  type ClientRequest,
  get,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { boundedServer } from './bounded-server.js';
import { Connections } from './connections.js';

/** How long nginx keeps an idle connection to its upstream by default. */
const PROXY_KEEPS_SECONDS = 60;
const ASK = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const TIMES = { unreadMs: 1_000, unansweredMs: 2_500 };
/** More than the kernel buffers of both sides take. */
const LARGE = Buffer.alloc(32 * 1024 * 1024);

let server: Server;
let connections: Connections;
let clients: (Socket | ClientRequest)[];
let asked: ServerResponse[];

beforeEach(async () => {
  clients = [];
  asked = [];
  connections = new Connections();
  server = boundedServer((_, response) => asked.push(response), connections, TIMES);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  for (const one of clients) one.destroy();
  server.closeAllConnections();
  await connections.drain(server);
});

const port = () => (server.address() as AddressInfo).port;

async function client(bytes: string, requests: number): Promise<Socket> {
  const socket = connect({ port: port(), host: '127.0.0.1', allowHalfOpen: true });
  clients.push(socket);
  socket.on('error', () => undefined);
  socket.write(bytes);
  const expected = asked.length + requests;
  await expect.poll(() => asked.length).toBe(expected);
  return socket;
}

async function halfClosed(bytes: string, requests: number): Promise<Socket> {
  const socket = await client(bytes, requests);
  const ended = once(asked.at(-requests)!.req.socket, 'end');
  socket.end();
  await ended;
  return socket;
}

describe('an idle connection', () => {
  it('is promised to a client for longer than a proxy keeps it', async () => {
    const request = get({ port: port(), headers: { connection: 'keep-alive' } });
    clients.push(request);
    await expect.poll(() => asked.length).toBe(1);
    asked[0].end('{}');
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    answer.resume();
    const promised = /timeout=(\d+)/.exec(String(answer.headers['keep-alive']))?.[1];
    expect(Number(promised)).toBeGreaterThan(PROXY_KEEPS_SECONDS);
  });
});

describe('a client that has closed its side after the request', () => {
  it('gets the answer, and then the connection ends', async () => {
    const socket = await halfClosed(ASK, 1);
    asked[0].end('carried out');
    expect(await text(socket)).toContain('carried out');
    await expect.poll(() => asked[0].destroyed).toBe(true);
  });
});

describe('a client that reads nothing', () => {
  it('is disconnected', async () => {
    await client(ASK, 1);
    asked[0].end(LARGE);
    await expect.poll(() => asked[0].destroyed, { timeout: 10_000 }).toBe(true);
    expect(asked[0].writableFinished).toBe(false);
  });
});
