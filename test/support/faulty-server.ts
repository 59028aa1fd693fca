import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export type Mishap =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | { hangUp: true }
  | { loseAnswer: true }
  | { keepWaiting: true }
  | { stall: true };

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** A local server whose calls fail as the test orders; it records its requests. */
export abstract class FaultyServer {
  readonly calls: ReceivedCall[] = [];
  private readonly mishaps: { path: RegExp; mishap: Mishap }[] = [];
  private readonly server = createServer((request, response) => {
    void this.serve(request, response);
  });

  protected abstract answer(call: ReceivedCall): Reply;

  async start(): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(0, '127.0.0.1', resolve);
    });
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  failNext(path: RegExp, ...mishaps: Mishap[]): void {
    this.mishaps.push(...mishaps.map((mishap) => ({ path, mishap })));
  }

  recover(): void {
    this.mishaps.length = 0;
  }

  callsOf(method: string, path: RegExp, about = ''): ReceivedCall[] {
    return this.calls.filter(
      (call) =>
        call.method === method &&
        path.test(call.path) &&
        `${call.path}?${call.query.toString()} ${JSON.stringify(call.body)}`.includes(about),
    );
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', this.url);
    const text = Buffer.concat(chunks).toString('utf8');
    const call: ReceivedCall = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
    this.calls.push(call);
    const mishap = this.mishapFor(call);
    if (mishap && !isAfterTheDeed(mishap)) {
      goWrong(response, mishap);
      return;
    }
    const { status, body } = this.answer(call);
    if (!mishap) send(response, status, body);
    else if ('loseAnswer' in mishap) response.destroy();
  }

  private mishapFor({ method, path }: ReceivedCall): Mishap | undefined {
    const index = this.mishaps.findIndex((one) => one.path.test(`${method} ${path}`));
    return index < 0 ? undefined : this.mishaps.splice(index, 1)[0]?.mishap;
  }
}

type LostAnswer = { loseAnswer: true } | { keepWaiting: true };

function isAfterTheDeed(mishap: Mishap): mishap is LostAnswer {
  return 'loseAnswer' in mishap || 'keepWaiting' in mishap;
}

function goWrong(response: ServerResponse, mishap: Exclude<Mishap, LostAnswer>): void {
  if ('hangUp' in mishap) {
    response.destroy();
    return;
  }
  if ('stall' in mishap) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{');
    return;
  }
  send(response, mishap.status, mishap.body ?? '', mishap.headers);
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const isText = typeof body === 'string';
  const type = isText ? 'text/html' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(isText ? body : JSON.stringify(body));
}
