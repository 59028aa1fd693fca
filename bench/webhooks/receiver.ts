/**
 * The receiver: a process of its own that answers every request with 200 over raw sockets, so that it
 * costs little and the same for everyone. Requests to a path that begins with `/hang` are never
 * answered, those to `/slow` only just in time, and those to `/trickle` at once, with a body that never ends. It is told over IPC to begin a count, and answers what it has seen since.
 */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** An agent keeps the connections to each of them apart, as to different hosts. */
const PORTS = 50;
const ANSWER = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
const SLOW_MS = 4_900;
const TRICKLE_HEAD = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 10000\r\n\r\n');
const TRICKLE_MS = 100;
const HEAD_END = Buffer.from('\r\n\r\n');
const LENGTH = /content-length: (\d+)/i;

/** What the receiver has seen since it was asked to begin. */
export interface Seen {
  readonly posts: number;
  /** For each post to `/timed`: microseconds since the moment that its body names. */
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
