import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

const READY = Buffer.from([0x5a, 0, 0, 0, 5]);

/**
 * PostgreSQL through a proxy that delivers its closing error together with a response. A busy caller sees this when its
 * server is killed.
 */
export class DyingServer {
  private readonly sockets = new Set<Socket>();
  private answersLeft = Number.POSITIVE_INFINITY;

  private constructor(
    private readonly target: URL,
    private readonly server: Server,
  ) {}

  static async before(databaseUrl: string): Promise<DyingServer> {
    const server = createServer();
    const dying = new DyingServer(new URL(databaseUrl), server);
    server.on('connection', (client) => dying.connect(client));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return dying;
  }

  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return url.href;
  }

  endWithAnswer(count: number): void {
    this.answersLeft = count;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private connect(client: Socket): void {
    const database = connect(Number(this.target.port), this.target.hostname);
    for (const socket of [client, database]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => [client, database].forEach((one) => one.destroy()));
    }
    client.pipe(database);
    database.on('data', (bytes: Buffer) => {
      if (isAnswersEnd(bytes)) this.answersLeft -= 1;
      if (this.answersLeft > 0) return client.write(bytes);
      this.answersLeft = Number.POSITIVE_INFINITY;
      return client.end(Buffer.concat([bytes, lastWords()]));
    });
  }
}

function isAnswersEnd(bytes: Buffer): boolean {
  return bytes.subarray(-READY.length - 1, -1).equals(READY);
}

function lastWords(): Buffer {
  const message = 'terminating connection due to unexpected postmaster exit';
  const fields = Buffer.from(`SFATAL\0VFATAL\0C57P01\0M${message}\0\0`);
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
