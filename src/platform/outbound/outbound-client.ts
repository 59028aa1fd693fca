import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent } from 'undici';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { readCapped } from './capped-body.js';
import { guardedConnector } from './guarded-connector.js';
import { nameServerResolver } from './guarded-lookup.js';
import { asOutboundFailure, OutboundFailure } from './outbound-failure.js';

const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 4_000;

type Method = 'POST' | 'GET';

export interface OutboundQuery {
  readonly headers: Readonly<Record<string, string>>;
  /** For everything together: look-up, connection, handshake, headers and body. */
  readonly deadlineMs: number;
  /** Where the answer's body is cut; a longer one is no failure. */
  readonly maxResponseBytes: number;
}

export interface OutboundRequest extends OutboundQuery {
  /** Sent as it is; text as UTF-8. */
  readonly body: string | Buffer;
}

export interface OutboundAnswer {
  /** Never a 3xx. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body up to `maxResponseBytes`, read as UTF-8. */
  readonly excerpt: string;
  readonly durationMs: number;
}

/**
 * The one way out to addresses that somebody else has named. It reaches public addresses alone (on
 * a developer's machine its loopback, and plain http, too), follows no redirect, and is never kept
 * longer than the deadline nor fed more than the cap.
 */
@Injectable()
export class OutboundClient implements OnApplicationShutdown {
  private readonly agent: Agent;
  private readonly isLoopback: boolean;

  constructor(@Inject(ENVIRONMENT) environment: Environment) {
    this.isLoopback = environment.isLoopback;
    this.agent = new Agent({
      connect: guardedConnector({
        resolve: nameServerResolver(),
        rule: { allowLoopback: environment.isLoopback },
        timeoutMs: CONNECT_TIMEOUT_MS,
      }),
      keepAliveTimeout: KEEP_ALIVE_MS,
      pipelining: 1,
    });
  }

  /** @throws OutboundFailure when no answer came that could be used */
  post(url: string, request: OutboundRequest): Promise<OutboundAnswer> {
    return this.call('POST', url, request);
  }

  /** @throws OutboundFailure when no answer came that could be used */
  get(url: string, query: OutboundQuery): Promise<OutboundAnswer> {
    return this.call('GET', url, query);
  }

  /** Closes every connection; a call that is still under way fails. */
  async close(): Promise<void> {
    if (!this.agent.destroyed) await this.agent.destroy();
  }

  // The last of the hooks: whoever calls out has finished in an earlier one.
  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }

  private async call(
    method: Method,
    url: string,
    request: OutboundQuery & { body?: string | Buffer },
  ): Promise<OutboundAnswer> {
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    const deadline = new Deadline(request.deadlineMs);
    try {
      // Undici looks at the signal only once a connection is there, hence the race.
      const exchange = this.exchange(method, this.parse(url), request, deadline.signal);
      const answer = await Promise.race([exchange, deadline.passed]);
      return { ...answer, durationMs: elapsed() };
    } catch (error) {
      throw asOutboundFailure(error, elapsed());
    } finally {
      deadline.clear();
    }
  }

  private parse(text: string): URL {
    const url = URL.parse(text);
    const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && this.isLoopback);
    if (!url || !isAllowed) throw new OutboundFailure('URL_REFUSED');
    return url;
  }

  private async exchange(
    method: Method,
    url: URL,
    request: OutboundQuery & { body?: string | Buffer },
    signal: AbortSignal,
  ): Promise<Omit<OutboundAnswer, 'durationMs'>> {
    const { statusCode, headers, body } = await this.agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method,
      headers: { ...request.headers },
      body: request.body,
      signal,
    });
    if (statusCode >= 300 && statusCode < 400) {
      body.on('error', () => undefined).destroy();
      throw new OutboundFailure('REDIRECT', { status: statusCode });
    }
    const bytes = await readCapped(body, request.maxResponseBytes);
    return { status: statusCode, headers, excerpt: new TextDecoder().decode(bytes) };
  }
}

/** One timer over a whole call: it aborts what is under way, and tells whoever waits. */
class Deadline {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  readonly passed: Promise<never>;

  constructor(milliseconds: number) {
    let reject: (failure: OutboundFailure) => void;
    this.passed = new Promise((_, refuse) => {
      reject = refuse;
    });
    this.timer = setTimeout(() => {
      const failure = new OutboundFailure('TIMEOUT');
      this.controller.abort(failure);
      reject(failure);
    }, milliseconds);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  clear(): void {
    clearTimeout(this.timer);
  }
}
