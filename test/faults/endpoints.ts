import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SeededRandom } from './seeded-random.ts';

/** How the receivers of a run behave until they are healed. */
export const ENDPOINTS = {
  healthy: 'answers at once',
  slow: 'takes its time',
  flaky: 'fails one time in three',
  dead: 'never succeeds, so its breaker opens',
  hanging: 'never answers',
  gone: 'answers 410, so it goes inactive',
} as const;

export interface Post {
  readonly digest: string;
  readonly isSigned: boolean;
  /** 0 without an answer. */
  status: number;
}

/** Receivers of every kind on one port: the path names the endpoint. */
export class Endpoints {
  isHealed = false;
  readonly maxAtOnce = new Map<string, number>();
  readonly secrets = new Map<string, string>();
  readonly #posts = new Map<string, Map<string, Post[]>>();
  readonly #open = new Map<string, number>();
  readonly #random: SeededRandom;
  /** An endpoint that never responds disconnects after this time; null: it waits for the sender's timeout. */
  readonly #hangsForMs: number | null;
  readonly #server = createServer((request, response) => void this.#take(request, response));

  constructor(seed: number, hangsForMs: number | null = null) {
    this.#random = new SeededRandom(seed);
    this.#hangsForMs = hangsForMs;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get openNow(): number {
    return [...this.#open.values()].reduce((sum, count) => sum + count, 0);
  }

  get received(): number {
    return [...this.#posts.values()].flatMap((events) => [...events.values()].flat()).length;
  }

  url(name: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${name}`;
  }

  postsOf(name: string, eventId: string): readonly Post[] {
    return this.#posts.get(name)?.get(eventId) ?? [];
  }

  /** The ids of the events that each endpoint received. */
  eventIds(): [endpoint: string, eventId: string][] {
    return [...this.#posts].flatMap(([name, events]) =>
      [...events.keys()].map((id): [string, string] => [name, id]),
    );
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = (request.url ?? '/').slice(1);
    this.#enter(name, response);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      // The sender was killed during the request, so the event was not received.
      return;
    }
    const post = this.#keep(name, request, Buffer.concat(chunks));
    const status = await this.#statusOf(name);
    if (status === 0 && this.#hangsForMs !== null) {
      setTimeout(() => response.destroy(), this.#hangsForMs).unref();
    }
    if (status === 0 || response.destroyed) return;
    post.status = status;
    response.writeHead(status).end();
  }

  #enter(name: string, response: ServerResponse): void {
    const count = (more: number) => {
      this.#open.set(name, (this.#open.get(name) ?? 0) + more);
      this.maxAtOnce.set(name, Math.max(this.maxAtOnce.get(name) ?? 0, this.#open.get(name)!));
    };
    count(1);
    response.once('close', () => count(-1)).on('error', () => undefined);
  }

  #keep(name: string, { headers }: IncomingMessage, body: Buffer): Post {
    const digest = createHash('sha256').update(body).digest('hex');
    const signature = createHmac('sha256', this.secrets.get(name) ?? '').update(body);
    const isSigned = headers['x-rinpath-signature'] === signature.digest('hex');
    const post = { digest, isSigned, status: 0 };
    const events = this.#posts.get(name) ?? new Map<string, Post[]>();
    this.#posts.set(name, events);
    const id = String(headers['webhook-id']);
    events.set(id, [...(events.get(id) ?? []), post]);
    return post;
  }

  async #statusOf(name: string): Promise<number> {
    if (this.isHealed) return 200;
    if (name === 'slow') await sleep(this.#random.between(10, 120));
    if (name === 'flaky') return this.#random.isTrue(1 / 3) ? 500 : 200;
    const answers: Record<string, number> = { dead: 503, hanging: 0, gone: 410 };
    return answers[name] ?? 200;
  }
}
