/**
 * Clients that hold connections and keep the service waiting: a process of its own, told over IPC what
 * to hold. Whatever is hung up is opened again, at most so many a second, until it is told to end.
 */
import { connect, type Socket } from 'node:net';

export interface HoldOrder {
  readonly port: number;
  readonly connections: number;
}

/** Of this moment. */
export interface Held {
  readonly open: number;
  /** Connections that could not be opened, with the last reason: a limit of open files, say. */
  readonly failed: number;
  readonly lastFailure: string | null;
}

const OPENED_A_TICK = 100;
const TICK_MS = 50;
const NOBODY = {
  'x-api-key': 'rinpath_test_nobody',
  'x-nonce': '0f8fad5b-d9cb-469f-a165-70867728950e',
  'x-signature': 'a'.repeat(64),
};

const held = new Set<Socket>();
let failed = 0;
let lastFailure: string | null = null;

/** What each kind sends, and whether it reads what comes back. */
const KINDS: readonly { readonly bytes: () => string; readonly reads: boolean }[] = [
  { bytes: () => '', reads: true },
  { bytes: () => 'GET /health/live HTTP/1.1\r\nHost: localhost\r\nx-more: half a he', reads: true },
  { bytes: halfABody, reads: true },
  { bytes: halfAForm, reads: true },
  { bytes: () => 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(20), reads: false },
];

function halfABody(): string {
  const headers = { ...NOBODY, 'x-timestamp': String(Math.floor(Date.now() / 1_000)) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const start = 'POST /api/v1/partner/journey/initiate HTTP/1.1\r\nHost: localhost\r\n';
  return `${start}Content-Length: 102400\r\n${lines.join('')}\r\n${'x'.repeat(99_000)}`;
}

function halfAForm(): string {
  const start = 'POST /hosted/link HTTP/1.1\r\nHost: localhost\r\nContent-Length: 102400\r\n\r\n';
  return `${start}mobile=${'9'.repeat(99_000)}`;
}

function open(port: number, place: number): void {
  const kind = KINDS[place % KINDS.length];
  if (!kind) return;
  const socket = connect({ port, host: '127.0.0.1' });
  held.add(socket);
  socket.on('connect', () => socket.write(kind.bytes()));
  if (kind.reads) socket.resume();
  else socket.pause();
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return;
    failed += 1;
    lastFailure = error.message;
  });
  socket.on('close', () => held.delete(socket));
}

function hold({ port, connections }: HoldOrder): void {
  let place = 0;
  setInterval(() => {
    for (let i = 0; i < OPENED_A_TICK && held.size < connections; i += 1) open(port, place++);
  }, TICK_MS);
}

process.on('message', (message: HoldOrder | 'count') => {
  if (message === 'count') process.send?.({ open: held.size, failed, lastFailure } satisfies Held);
  else hold(message);
});
process.on('disconnect', () => process.exit(0));
