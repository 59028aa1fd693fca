import {
  type AddressInfo,
  createConnection,
  createServer,
  type Server,
  type Socket,
} from 'node:net';

interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * A proxy between a service and its PostgreSQL at a fixed address. A test can cut and refuse connections, or swallow
 * every byte.
 */
export class DatabaseProxy {
  readonly #pairs = new Map<Socket, Socket>();
  readonly #host: string;
  #server?: Server;
  #port: number;
  #isSilent = false;
  #target: URL;

  constructor(databaseUrl: string, { host, port }: Address) {
    this.#target = new URL(databaseUrl);
    this.#host = host;
    this.#port = port;
  }

  static async before<Proxy extends DatabaseProxy>(
    this: new (databaseUrl: string, at: Address) => Proxy,
    databaseUrl: string,
    at: Address = { host: '127.0.0.1', port: 0 },
  ): Promise<Proxy> {
    const proxy = new this(databaseUrl, at);
    await proxy.restore();
    return proxy;
  }

  get url(): string {
    const url = new URL(this.#target);
    url.host = `${this.#host}:${this.#port}`;
    return url.href;
  }

  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    const closed = new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
    this.hangUp();
    await closed;
  }

  stop(): Promise<void> {
    return this.cut();
  }

  async restore(databaseUrl: string = this.#target.href): Promise<void> {
    this.#target = new URL(databaseUrl);
    if (this.#server) return;
    const server = createServer((client) => this.#connect(client));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, this.#host, resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
  }

  fallSilent(): void {
    this.#isSilent = true;
    for (const [client, database] of this.#pairs) {
      client.unpipe(database);
      database.unpipe(client);
      client.resume();
      database.resume();
    }
  }

  hangUp(): void {
    for (const sockets of this.#pairs) sockets.forEach((socket) => socket.destroy());
  }

  speakAgain(): void {
    this.#isSilent = false;
  }

  /** Forwards bytes in both directions. */
  protected join(client: Socket, database: Socket): void {
    client.pipe(database);
    database.pipe(client);
  }

  #connect(client: Socket): void {
    const database = createConnection(Number(this.#target.port), this.#target.hostname);
    this.#pairs.set(client, database);
    for (const socket of [client, database]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        database.destroy();
        this.#pairs.delete(client);
      });
    }
    if (this.#isSilent) client.resume();
    else this.join(client, database);
  }
}

/** A message of PostgreSQL's protocol, https://www.postgresql.org/docs/current/protocol-message-formats.html */
export function postgresMessage(type: string, content: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(content)]);
}
