import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of a request that a partner's client sends. */
export type Fate =
  /** The service does what it is asked, and the client gets no response. */
  'LOSE_ANSWER' | { status: number; headers?: Record<string, string>; body?: string };

/** A proxy between a client and the service, byte for byte, but for the requests whose fate is given. */
export class Relay {
  /** `METHOD /path?query`, one for each attempt. */
  readonly seen: string[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  private readonly fates: Fate[] = [];
  private readonly server = createServer((incoming, answer) => this.pass(incoming, answer));

  private constructor(private readonly target: string) {}

  static async before(target: string): Promise<Relay> {
    const relay = new Relay(target);
    await new Promise<void>((resolve) => relay.server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The next requests have these fates; whatever comes after them arrives. */
  next(...fates: Fate[]): void {
    this.fates.push(...fates);
  }

  forget(): void {
    this.seen.length = 0;
    this.headers.length = 0;
    this.fates.length = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private pass(incoming: IncomingMessage, answer: ServerResponse): void {
    this.seen.push(`${incoming.method} ${incoming.url}`);
    this.headers.push(incoming.headers);
    const fate = this.fates.shift();
    if (typeof fate === 'object') {
      answer.writeHead(fate.status, fate.headers).end(fate.body);
      return;
    }
    const { method = '', url = '', headers } = incoming;
    const host = new URL(this.target).host;
    const onward = request(
      this.target + url,
      { method, headers: { ...headers, host }, agent: false },
      (reply) => {
        if (fate === 'LOSE_ANSWER') {
          reply.resume().once('end', () => incoming.socket.destroy());
          return;
        }
        answer.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(answer);
      },
    );
    onward.once('error', () => incoming.socket.destroy());
    incoming.pipe(onward);
  }
}
