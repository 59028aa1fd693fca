/**
 * Clients that hold connections and keep the service waiting, in a separate process that gets its orders over IPC. A
 * closed connection is reopened as the same kind, at a limited rate, until the order to end.
 */
import { connect } from 'node:net';

export interface HoldOrder {
  readonly port: number;
  readonly connections: number;
}

/** Current numbers. */
export interface Held {
  readonly open: number;
  /** Total, reopened ones included. */
  readonly opened: number;
  /** Connections that could not be opened, with the last reason, such as a limit of open files. */
  readonly failed: number;
  readonly lastFailure: string | null;
}

/** 600 per second: closed connections are reopened soon, but not in one burst. */
const OPENED_A_TICK = 30;
const TICK_MS = 50;
const UNKNOWN_CALLER = {
  'x-api-key': 'rinpath_test_unknown',
  'x-nonce': '0f8fad5b-d9cb-469f-a165-70867728950e',
  'x-signature': 'a'.repeat(64),
};

/** Bytes of a body: the large ones exceed what the service keeps of unknown senders. */
const BODY = { small: 2_000, large: 99_000, largeEvery: 11 };

interface Kind {
  /** @param index among all connections */
  readonly bytes: (index: number) => string;
  /** Whether it reads the response. */
  readonly reads: boolean;
}

const KINDS: readonly Kind[] = [
  { bytes: () => '', reads: true },
  { bytes: () => 'GET /health/live HTTP/1.1\r\nHost: localhost\r\nx-more: half a he', reads: true },
  { bytes: halfABody, reads: true },
  { bytes: halfAForm, reads: true },
  // It reads nothing, and its responses exceed what the kernel buffers.
  { bytes: () => 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(16), reads: false },
];

let open = 0;
let opened = 0;
let failed = 0;
let lastFailure: string | null = null;

function halfABody(index: number): string {
  const headers = { ...UNKNOWN_CALLER, 'x-timestamp': String(Math.floor(Date.now() / 1_000)) };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const start = 'POST /api/v1/partner/journey/initiate HTTP/1.1\r\nHost: localhost\r\n';
  return `${start}Content-Length: 102400\r\n${lines.join('')}\r\n${'x'.repeat(sizeOf(index))}`;
}

function halfAForm(index: number): string {
  const start = 'POST /hosted/link HTTP/1.1\r\nHost: localhost\r\nContent-Length: 102400\r\n\r\n';
  return `${start}mobile=${'9'.repeat(sizeOf(index))}`;
}

function sizeOf(index: number): number {
  return index % BODY.largeEvery === 0 ? BODY.large : BODY.small;
}

function openOne(port: number, index: number, onClose: () => void): void {
  const kind = KINDS[index % KINDS.length];
  if (!kind) return;
  const socket = connect({ port, host: '127.0.0.1' });
  opened += 1;
  socket.on('connect', () => {
    open += 1;
    socket.once('close', () => (open -= 1));
    socket.write(kind.bytes(index));
  });
  if (kind.reads) socket.resume();
  else socket.pause();
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return;
    failed += 1;
    lastFailure = error.message;
  });
  socket.once('close', onClose);
}

function hold({ port, connections }: HoldOrder): void {
  const wanted = Array.from({ length: connections }, (_, index) => index);
  setInterval(() => {
    for (const index of wanted.splice(0, OPENED_A_TICK)) {
      openOne(port, index, () => wanted.push(index));
    }
  }, TICK_MS);
}

process.on('message', (message: HoldOrder | 'count') => {
  if (message === 'count') process.send?.({ open, opened, failed, lastFailure } satisfies Held);
  else hold(message);
});
process.on('disconnect', () => process.exit(0));
