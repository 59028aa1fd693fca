import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_MS = 30_000;

export interface Delivery {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  json(): WebhookBody;
  readonly receivedAtMs: number;
}

export interface WebhookBody {
  id: string;
  event: string;
  createdAt: string;
  apiVersion: string;
  sequence: number;
  journeyId: string;
  applicationId: string;
  data: Record<string, unknown>;
}

export type ScriptedAnswer =
  | number
  | {
      status?: number;
      headers?: Record<string, string>;
      body?: string | Buffer;
      delayMs?: number;
      after?: Promise<unknown>;
      stall?: boolean;
      hangUp?: boolean;
    };

/** A real HTTP server that records its requests and answers by a script; 200 after its end. */
export class WebhookReceiver {
  readonly deliveries: Delivery[] = [];
  private script: ScriptedAnswer[] = [];
  private always: ScriptedAnswer = 200;
  private readonly byPath = new Map<string, ScriptedAnswer>();
  private readonly arrivals = new Set<() => void>();
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      this.deliveries.push({
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body,
        json: () => JSON.parse(body.toString('utf8')) as WebhookBody,
        receivedAtMs: performance.now(),
      });
      const ofPath = this.byPath.get(request.url ?? '');
      void answer(response, this.script.shift() ?? ofPath ?? this.always);
      for (const arrived of this.arrivals) arrived();
    });
    request.on('error', () => undefined);
  });

  private constructor() {}

  static async start(port = 0): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    await new Promise<void>((resolve, reject) => {
      receiver.server.once('error', reject);
      receiver.server.listen(port, '127.0.0.1', resolve);
    });
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path = '/hooks'): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  answerNext(...answers: ScriptedAnswer[]): void {
    this.script.push(...answers);
  }

  get isScripted(): boolean {
    return this.script.length > 0;
  }

  answerAlways(given: ScriptedAnswer): void {
    this.always = given;
  }

  answerAt(path: string, given: ScriptedAnswer): void {
    this.byPath.set(path, given);
  }

  reset(): void {
    this.deliveries.length = 0;
    this.script = [];
    this.byPath.clear();
    this.always = 200;
  }

  async waitFor(predicate: (delivery: Delivery) => boolean, ms = WAIT_MS): Promise<Delivery> {
    await this.waitUntil(() => this.deliveries.some(predicate), ms);
    return this.deliveries.find(predicate)!;
  }

  async waitForCount(
    count: number,
    ms = WAIT_MS,
    predicate: (delivery: Delivery) => boolean = () => true,
  ): Promise<Delivery[]> {
    await this.waitUntil(() => this.deliveries.filter(predicate).length >= count, ms);
    return this.deliveries.filter(predicate);
  }

  waitForEvent(event: string, ms = WAIT_MS): Promise<Delivery> {
    return this.waitFor((delivery) => delivery.json().event === event, ms);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private waitUntil(isTrue: () => boolean, ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!isTrue()) return;
        end();
        resolve();
      };
      const timer = setTimeout(() => {
        end();
        reject(new Error(`not within ${ms} ms; received so far: ${this.summary()}`));
      }, ms);
      const end = () => {
        clearTimeout(timer);
        this.arrivals.delete(look);
      };
      this.arrivals.add(look);
      look();
    });
  }

  private summary(): string {
    const lines = this.deliveries.map(({ path, body }) => {
      return `${path} ${body.toString('utf8').slice(0, 120)}`;
    });
    return lines.length === 0 ? 'nothing' : lines.join('\n');
  }
}

async function answer(response: ServerResponse, scripted: ScriptedAnswer): Promise<void> {
  const how = typeof scripted === 'number' ? { status: scripted } : scripted;
  response.on('error', () => undefined);
  await how.after;
  if (how.delayMs) await sleep(how.delayMs, undefined, { ref: false });
  if (how.hangUp) {
    response.destroy();
    return;
  }
  response.writeHead(how.status ?? 200, how.headers);
  if (how.stall) response.write(how.body ?? 'a');
  else response.end(how.body);
}
