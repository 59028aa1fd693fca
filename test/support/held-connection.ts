import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from './eventually.js';

/** A client that writes what it likes, when it likes, and hangs up when it is told to. */
export class HeldConnection {
  private readonly chunks: Buffer[] = [];
  private closed = false;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => this.chunks.push(chunk));
    // It goes on holding on when the service has said all that it will say.
    socket.on('error', () => undefined);
    for (const event of ['end', 'close']) socket.on(event, () => (this.closed = true));
  }

  /** Connects and writes what is given, right or wrong. */
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

  /** Whether the other side has said that it is over. */
  get isClosed(): boolean {
    return this.closed;
  }

  /** The statuses of the answers so far. */
  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  write(bytes: string | Buffer): void {
    this.socket.write(bytes);
  }

  /** Reads nothing more until it hangs up. */
  readNothing(): this {
    this.socket.pause();
    return this;
  }

  /** Waits for so many answers, interim ones among them. */
  async answered(count: number): Promise<number[]> {
    await eventually(() => this.statuses.length >= count, { withinMs: 15_000 });
    return this.statuses;
  }

  /** Until the other side has said that it is over. */
  async untilClosed(withinMs: number): Promise<void> {
    await eventually(() => this.closed, { withinMs });
  }

  hangUp(): void {
    this.socket.destroy();
  }
}
