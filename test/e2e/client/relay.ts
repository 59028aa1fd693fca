import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to a request of the partner's client. */
export type Fate =
  /** The service processes the request, but the client gets no response. */
  'LOSE_ANSWER' | { status: number; headers?: Record<string, string>; body?: string };

/** A proxy between client and service that changes only requests with a fate. */
export class Relay {
  /** `METHOD /path?query` of each attempt. */
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

  /** Sets the fates of the next requests; later ones pass unchanged. */
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
