/**
 * The load: a process that sends requests over raw keep-alive sockets, one at a time on each. Requests are built and
 * signed before the clock starts. It reads orders as lines of JSON on standard input and prints one line for each. Its
 * own cost is small and the same for every server.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface DriveOrder {
  readonly port: number;
  /** Used in rotation, as behind a balancer. */
  readonly ports?: readonly number[];
  readonly connections: number;
  readonly requests: number;
  readonly method: 'GET' | 'POST';
  /** Used in rotation. */
  readonly targets: readonly string[];
  readonly body: string;
  /** Instead of the one body, used in rotation. */
  readonly bodies?: readonly string[];
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Used in rotation with the targets. */
  readonly headers: readonly Readonly<Record<string, string>>[];
}

/** Milliseconds, and requests per second; only successful requests count. */
export interface DriveResult {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  readonly failures: number;
  /** Failures with the status 503. */
  readonly unavailable: number;
  /** The first failed response. */
  readonly firstFailure: string | null;
}

function requestBytes(order: DriveOrder, index: number, timestamp: string): Buffer {
  const target = order.targets[index % order.targets.length] ?? '/';
  const body = order.bodies?.[index % order.bodies.length] ?? order.body;
  const nonce = randomUUID();
  const signature = createHmac('sha256', order.apiSecret)
    .update([order.method, target, timestamp, nonce, body].join('\n'))
    .digest('hex');
  const headers = {
    host: '127.0.0.1',
    'x-api-key': order.apiKey,
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    'x-signature': signature,
    ...order.headers[index % order.headers.length],
    ...(body && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${order.method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Reads responses from a socket, in order. */
class Answers {
  private buffered: Buffer = Buffer.alloc(0);
  private waiting?: (answer: string) => void;

  constructor(socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.buffered = this.buffered.length === 0 ? chunk : Buffer.concat([this.buffered, chunk]);
      this.tell();
    });
    socket.on('close', () => this.waiting?.('the connection was closed'));
    socket.on('error', () => undefined);
  }

  next(): Promise<string> {
    return new Promise((resolve) => {
      this.waiting = resolve;
      this.tell();
    });
  }

  private tell(): void {
    const headEnd = this.buffered.indexOf('\r\n\r\n');
    if (!this.waiting || headEnd < 0) return;
    const head = this.buffered.toString('latin1', 0, headEnd);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) throw new Error(`an answer without its length:\n${head}`);
    const end = headEnd + 4 + length;
    if (this.buffered.length < end) return;
    const answer = this.buffered.toString('utf8', 0, end);
    this.buffered = this.buffered.subarray(end);
    const resolve = this.waiting;
    this.waiting = undefined;
    resolve(answer);
  }
}

async function drive(order: DriveOrder): Promise<DriveResult> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const requests = Array.from({ length: order.requests }, (_, index) =>
    requestBytes(order, index, timestamp),
  );
  const ports = order.ports ?? [order.port];
  const sockets = await Promise.all(
    Array.from({ length: order.connections }, (_, index) => open(ports[index % ports.length] ?? 0)),
  );
  const times: number[] = [];
  let failures = 0;
  let unavailable = 0;
  let firstFailure: string | null = null;
  let next = 0;
  const startedAt = performance.now();
  const lane = async (socket: Socket): Promise<void> => {
    const answers = new Answers(socket);
    while (next < requests.length) {
      const bytes = requests[next] ?? Buffer.alloc(0);
      next += 1;
      const sentAt = performance.now();
      socket.write(bytes);
      const answer = await answers.next();
      if (answer.startsWith('HTTP/1.1 200')) {
        times.push(performance.now() - sentAt);
        continue;
      }
      failures += 1;
      if (answer.startsWith('HTTP/1.1 503')) unavailable += 1;
      firstFailure ??= answer.slice(0, 600);
      if (!answer.startsWith('HTTP/')) return;
    }
  };
  await Promise.all(sockets.map(lane));
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const socket of sockets) socket.destroy();
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return {
    rate: times.length / seconds,
    p50: at(0.5),
    p99: at(0.99),
    longest: at(1),
    failures,
    unavailable,
    firstFailure,
  };
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

if (process.argv[1]?.endsWith('drive.ts')) {
  for await (const line of createInterface({ input: process.stdin })) {
    const result = await drive(JSON.parse(line) as DriveOrder);
    process.stdout.write(`${JSON.stringify(result)}\n`);
  }
}
