import { createConnection, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

interface Address {
  readonly host: string;
  readonly port: number;
}

const ANYWHERE: Address = { host: '127.0.0.1', port: 0 };

/**
 * A proxy between a service and its PostgreSQL at a fixed address. A test can cut and refuse connections, or swallow
 * every byte.
 */
export class DatabaseProxy {
  private readonly pairs = new Map<Socket, Socket>();
  private server?: Server;
  private readonly host: string;
  private port: number;
  private isSilent = false;
  private target: URL;

  private constructor(databaseUrl: string, { host, port }: Address) {
    this.target = new URL(databaseUrl);
    this.host = host;
    this.port = port;
  }

  static async before(databaseUrl: string, at: Address = ANYWHERE): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(databaseUrl, at);
    await proxy.listen();
    return proxy;
  }

  get url(): string {
    const url = new URL(this.target);
    url.host = `${this.host}:${this.port}`;
    return url.href;
  }

  async cut(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    const closed = new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
    this.destroyAll();
    await closed;
  }

  async restore(databaseUrl: string = this.target.href): Promise<void> {
    this.target = new URL(databaseUrl);
    if (!this.server) await this.listen();
  }

  fallSilent(): void {
    this.isSilent = true;
    for (const [client, database] of this.pairs) {
      client.unpipe(database);
      database.unpipe(client);
      client.resume();
      database.resume();
    }
  }

  hangUp(): void {
    this.destroyAll();
  }

  speakAgain(): void {
    this.isSilent = false;
  }

  private async listen(): Promise<void> {
    this.server = createServer((client) => this.connect(client));
    await new Promise<void>((resolve, reject) => {
      this.server?.once('error', reject);
      this.server?.listen(this.port, this.host, resolve);
    });
    this.port = (this.server.address() as AddressInfo).port;
  }

  private connect(client: Socket): void {
    const database = createConnection(Number(this.target.port), this.target.hostname);
    this.pairs.set(client, database);
    for (const socket of [client, database]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        client.destroy();
        database.destroy();
        this.pairs.delete(client);
      });
    }
    if (this.isSilent) {
      client.resume();
      return;
    }
    client.pipe(database);
    database.pipe(client);
  }

  private destroyAll(): void {
    for (const [client, database] of this.pairs) {
      client.destroy();
      database.destroy();
    }
  }
}
