import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../seeded-random.ts';

/** How the receivers of a run behave until they are healed. */
export const ENDPOINTS = {
  healthy: 'answers at once',
  slow: 'takes its time',
  flaky: 'fails one time in three',
  dead: 'never succeeds, so its breaker opens',
  hanging: 'never answers',
  gone: 'answers 410, so it goes inactive',
} as const;

export type EndpointName = keyof typeof ENDPOINTS;

export interface Received {
  readonly posts: { digest: string; status: number }[];
}

const FLAKY_SHARE = 1 / 3;

/** All receivers on one port: the path names the endpoint. */
export class Endpoints {
  readonly received = new Map<string, Map<string, Received>>();
  readonly maxAtOnce = new Map<string, number>();
  isHealed = false;
  private readonly open = new Map<string, number>();
  private readonly random: SeededRandom;
  private readonly server = createServer((request, response) => {
    void this.take(request, response);
  });

  private readonly hangsForMs: number | null;

  private constructor(random: SeededRandom, hangsForMs: number | null) {
    this.random = random;
    this.hangsForMs = hangsForMs;
  }

  static async start(random: SeededRandom, hangsForMs: number | null): Promise<Endpoints> {
    const endpoints = new Endpoints(random, hangsForMs);
    await new Promise<void>((resolve) => {
      endpoints.server.listen(0, '127.0.0.1', resolve);
    });
    return endpoints;
  }

  get openNow(): number {
    return [...this.open.values()].reduce((sum, count) => sum + count, 0);
  }

  url(name: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${name}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = (request.url ?? '/').slice(1);
    this.enter(name, response);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      // The sender was killed while sending: nothing was received.
      return;
    }
    const digest = createHash('sha256').update(Buffer.concat(chunks)).digest('hex');
    const post = { digest, status: 0 };
    this.postsOf(name, String(request.headers['webhook-id'])).posts.push(post);
    const status = await this.statusOf(name);
    if (status === 0 && this.hangsForMs !== null) {
      setTimeout(() => response.destroy(), this.hangsForMs).unref();
    }
    if (status === 0 || response.destroyed) return;
    post.status = status;
    response.writeHead(status).end();
  }

  private enter(name: string, response: ServerResponse): void {
    const open = (this.open.get(name) ?? 0) + 1;
    this.open.set(name, open);
    this.maxAtOnce.set(name, Math.max(this.maxAtOnce.get(name) ?? 0, open));
    response.once('close', () => this.open.set(name, (this.open.get(name) ?? 0) - 1));
    response.on('error', () => undefined);
  }

  private async statusOf(name: string): Promise<number> {
    if (this.isHealed) return 200;
    if (name === 'slow') await sleep(this.random.between(10, 120));
    if (name === 'flaky') return this.random.isTrue(FLAKY_SHARE) ? 500 : 200;
    if (name === 'dead') return 503;
    if (name === 'hanging') return 0;
    return name === 'gone' ? 410 : 200;
  }

  private postsOf(name: string, eventId: string): Received {
    let events = this.received.get(name);
    if (!events) this.received.set(name, (events = new Map<string, Received>()));
    let received = events.get(eventId);
    if (!received) events.set(eventId, (received = { posts: [] }));
    return received;
  }
}
