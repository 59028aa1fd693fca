import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from './eventually.js';

/** A raw TCP client: the test decides what it writes, and when it disconnects. */
export class HeldConnection {
  private readonly chunks: Buffer[] = [];
  private closed = false;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => this.chunks.push(chunk));
    // It stays open after the service has closed its side.
    socket.on('error', () => undefined);
    for (const event of ['end', 'close']) socket.on(event, () => (this.closed = true));
  }

  static async open(baseUrl: string, bytes: string | Buffer = ''): Promise<HeldConnection> {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    await once(socket, 'connect');
    const connection = new HeldConnection(socket);
    if (bytes.length > 0) connection.write(bytes);
    return connection;
  }

  get received(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }

  get isClosed(): boolean {
    return this.closed;
  }

  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  write(bytes: string | Buffer): void {
    this.socket.write(bytes);
  }

  readNothing(): this {
    this.socket.pause();
    return this;
  }

  async answered(count: number): Promise<number[]> {
    await eventually(() => this.statuses.length >= count, { withinMs: 15_000 });
    return this.statuses;
  }

  async untilClosed(withinMs: number): Promise<void> {
    await eventually(() => this.closed, { withinMs });
  }

  reset(): void {
    this.socket.resetAndDestroy();
  }

  hangUp(): void {
    this.socket.destroy();
  }
}
