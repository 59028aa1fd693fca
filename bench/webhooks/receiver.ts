/**
 * The receiver: a process that answers every request with 200 over raw sockets, so that its cost is small and always
 * the same. Paths that begin with `/hang` get no response, `/slow` only just in time, `/trickle` at once with an
 * endless body. Over IPC it receives the order to count, and returns the count.
 */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** An agent keeps separate connections for each port, as for different hosts. */
const PORTS = 50;
const ANSWER = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
const SLOW_MS = 4_900;
const TRICKLE_HEAD = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 10000\r\n\r\n');
const TRICKLE_MS = 100;
const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /content-length: (\d+)/i;

/** The count since the order. */
export interface Seen {
  readonly posts: number;
  /** For each post to `/timed`: microseconds since the time in its body. */
  readonly delays: readonly number[];
}

let posts = 0;
let delays: number[] = [];

function serve(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const headEnd = rest.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = rest.toString('latin1', 0, headEnd);
      const end = headEnd + HEAD_END.length + Number(LENGTH.exec(head)?.[1] ?? 0);
      if (rest.length < end) return;
      receive(socket, head, rest.subarray(headEnd + HEAD_END.length, end));
      rest = rest.subarray(end);
    }
  });
}

function receive(socket: Socket, head: string, body: Buffer): void {
  if (head.startsWith('POST /hang')) return;
  if (head.startsWith('POST /slow')) {
    setTimeout(() => socket.write(ANSWER), SLOW_MS);
    return;
  }
  if (head.startsWith('POST /trickle')) {
    socket.write(TRICKLE_HEAD);
    const timer = setInterval(() => socket.write('.'), TRICKLE_MS);
    socket.on('close', () => clearInterval(timer));
    return;
  }
  posts += 1;
  if (head.startsWith('POST /timed')) {
    const { createdAt } = JSON.parse(body.toString('utf8')) as { createdAt: string };
    delays.push((Date.now() - Date.parse(createdAt)) * 1_000);
  }
  socket.write(ANSWER);
}

process.on('message', (order) => {
  if (order === 'begin') {
    posts = 0;
    delays = [];
  }
  const seen: Seen = { posts, delays };
  process.send?.(seen);
});

const ports: number[] = [];
for (let count = 0; count < PORTS; count += 1) {
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ports.push((server.address() as { port: number }).port);
}
process.send?.({ ports });
