import { createConnection, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

// PostgreSQL's frontend/backend protocol, https://www.postgresql.org/docs/current/protocol-message-formats.html
const QUERY = 0x51;
const SYNC = 0x53;
const TERMINATE = 0x58;
const READY_FOR_QUERY = 0x5a;
const IDLE = 0x49;
const AUTHENTICATION_OK = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const READY = Buffer.from([READY_FOR_QUERY, 0, 0, 0, 5, IDLE]);
const PARAMETERS = new Set(['user', 'database', 'client_encoding', 'application_name']);

interface ServerConnection {
  readonly socket: Socket;
  client?: ClientConnection;
}

interface ClientConnection {
  readonly socket: Socket;
  readonly startup: Buffer;
  server?: ServerConnection;
  waiting: Buffer[];
  open: number;
}

/**
 * Gives each transaction any of a few connections, as PgBouncer does in transaction mode. A client that relies on its
 * session gets another's.
 */
export class TransactionPooler {
  readonly url: string;
  changes = 0;
  private readonly sockets = new Set<Socket>();
  private readonly free: ServerConnection[] = [];
  private readonly queue: ClientConnection[] = [];
  private readonly server: Server;
  private readonly target: URL;
  private readonly size: number;
  private opened = 0;

  private constructor(server: Server, databaseUrl: string, size: number) {
    this.server = server;
    this.target = new URL(databaseUrl);
    this.size = size;
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.url = url.href;
    server.on('connection', (socket) => this.accept(socket));
  }

  static async before(databaseUrl: string, size = 4): Promise<TransactionPooler> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TransactionPooler(server, databaseUrl, size);
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private accept(socket: Socket): void {
    this.watch(socket);
    let client: ClientConnection | undefined;
    let rest = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      if (!client) {
        if (rest.length < 4 || rest.length < rest.readUInt32BE(0)) return;
        const startup = rest.subarray(0, rest.readUInt32BE(0));
        rest = rest.subarray(startup.length);
        client = { socket, startup, waiting: [], open: 0 };
        if (!welcome(socket, startup)) return;
      }
      const [messages, left] = messagesIn(rest);
      rest = left;
      for (const message of messages) this.fromClient(client, message);
    });
    socket.once('close', () => {
      // In the middle of a transaction no other client may have its connection.
      client?.server?.socket.destroy();
      const place = client ? this.queue.indexOf(client) : -1;
      if (place >= 0) this.queue.splice(place, 1);
    });
  }

  private fromClient(client: ClientConnection, message: Buffer): void {
    const [type] = message;
    if (type === TERMINATE) {
      client.socket.end();
      return;
    }
    if (type === QUERY || type === SYNC) client.open += 1;
    if (client.server) {
      client.server.socket.write(message);
      return;
    }
    if (client.waiting.length === 0) this.queue.push(client);
    client.waiting.push(message);
    this.serve(client.startup);
  }

  private serve(startup: Buffer): void {
    if (this.free.length === 0 && this.opened < this.size) this.open(startup);
    while (this.free.length > 0 && this.queue.length > 0) {
      const server = this.free.shift()!;
      const client = this.queue.shift()!;
      client.server = server;
      server.client = client;
      this.changes += 1;
      for (const message of client.waiting.splice(0)) server.socket.write(message);
    }
  }

  private open(startup: Buffer): void {
    this.opened += 1;
    const socket = createConnection(Number(this.target.port), this.target.hostname);
    this.watch(socket);
    socket.write(startup);
    const server: ServerConnection = { socket };
    let isStarted = false;
    let rest = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      const [messages, left] = messagesIn(Buffer.concat([rest, chunk]));
      rest = left;
      for (const message of messages) {
        if (isStarted) this.fromServer(server, message);
        else if (message[0] === READY_FOR_QUERY) {
          isStarted = true;
          this.release(server, startup);
        }
      }
    });
    socket.once('close', () => {
      this.opened -= 1;
      server.client?.socket.destroy();
      const place = this.free.indexOf(server);
      if (place >= 0) this.free.splice(place, 1);
    });
  }

  private fromServer(server: ServerConnection, message: Buffer): void {
    const { client } = server;
    // A message without a client, such as a notification, is lost here.
    if (!client) return;
    client.socket.write(message);
    if (message[0] !== READY_FOR_QUERY) return;
    client.open -= 1;
    if (client.open > 0 || message[5] !== IDLE) return;
    client.server = undefined;
    this.release(server, client.startup);
  }

  private release(server: ServerConnection, startup: Buffer): void {
    server.client = undefined;
    this.free.push(server);
    this.serve(startup);
  }

  private watch(socket: Socket): void {
    // Messages are written one by one; none waits for the response to the one before.
    socket.setNoDelay(true);
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.sockets.delete(socket));
  }
}

function messagesIn(bytes: Buffer<ArrayBuffer>): [Buffer[], Buffer<ArrayBuffer>] {
  const messages: Buffer[] = [];
  let at = 0;
  while (bytes.length >= at + 5) {
    const end = at + 1 + bytes.readUInt32BE(at + 1);
    if (bytes.length < end) break;
    messages.push(bytes.subarray(at, end));
    at = end;
  }
  return [messages, bytes.subarray(at)];
}

function welcome(socket: Socket, startup: Buffer): boolean {
  const names = startup
    .toString('latin1', 8)
    .split('\0')
    .filter((_, index) => index % 2 === 0);
  const strange = names.find((name) => name !== '' && !PARAMETERS.has(name));
  if (strange === undefined) {
    socket.write(Buffer.concat([AUTHENTICATION_OK, READY]));
    return true;
  }
  const fields = `SFATAL\0C08P01\0Munsupported startup parameter: ${strange}\0\0`;
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeUInt32BE(4 + fields.length, 1);
  socket.end(Buffer.concat([head, Buffer.from(fields, 'latin1')]));
  return false;
}
