import type { IncomingHttpHeaders } from 'node:http';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Environment, InjectEnvironment } from '../config/environment.js';
import type { Network } from '../config/networks.js';
import { Exchange, type ExchangeLimits, TooLate } from './exchange.js';
import {
  type ClientCertificate,
  type GuardedAgents,
  guardedAgents,
  nameServerResolver,
  type OnServerCertificate,
} from './guarded-agents.js';
import { asOutboundFailure, OutboundFailure } from './outbound-failure.js';
import { hasAllowedScheme } from './refused-address.js';

/** Limits file descriptors; further calls wait. */
const MAX_CONNECTIONS_PER_ORIGIN = 64;
/** Creating a decoder costs more than decoding a short response. */
const UTF8 = new TextDecoder();

const BRACKETS = /^\[|\]$/g;

type Method = 'POST' | 'GET';
type AllowedUrl = URL & { readonly protocol: keyof GuardedAgents };

interface OutboundQuery extends ExchangeLimits {
  readonly headers: Readonly<Record<string, string>>;
}

export interface OutboundRequest extends OutboundQuery {
  /** Text is sent as UTF-8. */
  readonly body: string | Buffer;
}

export interface OutboundAnswer {
  /** Never 1xx or 3xx. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Up to `maxResponseBytes`, as UTF-8. */
  readonly excerpt: string;
  /** Until the status. */
  readonly durationMs: number;
}

/** The raw body, for signatures. */
export interface OutboundBytes extends OutboundAnswer {
  readonly body: Buffer;
}

interface GuardedClientOptions {
  /** Per host; null where calls are already limited. */
  readonly maxConnections?: number | null;
  /** Allowed besides public addresses. */
  readonly privateNetworks?: readonly Network[];
  readonly certificate?: ClientCertificate;
  readonly onServerCertificate?: OnServerCertificate;
}

/** For addresses that outsiders chose. Follows no redirects; limits time and size. */
export class GuardedClient {
  private readonly agents: GuardedAgents;
  private readonly underWay = new Set<Exchange>();
  private isClosed = false;

  constructor(
    private readonly isLoopback: boolean,
    {
      maxConnections = MAX_CONNECTIONS_PER_ORIGIN,
      privateNetworks,
      certificate,
      onServerCertificate,
    }: GuardedClientOptions = {},
  ) {
    this.agents = guardedAgents({
      resolve: nameServerResolver(),
      rule: { allowLoopback: isLoopback, privateNetworks },
      maxConnections: maxConnections ?? Number.POSITIVE_INFINITY,
      certificate,
      onServerCertificate,
    });
  }

  /** @throws OutboundFailure without a usable response; TooLate */
  post(url: string, request: OutboundRequest): Promise<OutboundBytes> {
    return this.call('POST', url, request);
  }

  /** @throws OutboundFailure without a usable response */
  get(url: string, query: OutboundQuery): Promise<OutboundBytes> {
    return this.call('GET', url, query);
  }

  close(): Promise<void> {
    this.isClosed = true;
    for (const exchange of this.underWay) exchange.fail(new OutboundFailure('CONNECTION'));
    for (const agent of Object.values(this.agents)) agent.destroy();
    return Promise.resolve();
  }

  private async call(
    method: Method,
    url: string,
    request: OutboundQuery & { body?: string | Buffer },
  ): Promise<OutboundBytes> {
    const startedAt = performance.now();
    const elapsed = (until = performance.now()) => Math.round(until - startedAt);
    try {
      const exchange = this.start(method, this.parse(url), request);
      const { answeredAt, ...answer } = await exchange.answered.finally(() =>
        this.underWay.delete(exchange),
      );
      return { ...answer, excerpt: UTF8.decode(answer.body), durationMs: elapsed(answeredAt) };
    } catch (error) {
      throw error instanceof TooLate ? error : asOutboundFailure(error, elapsed());
    }
  }

  private start(
    method: Method,
    { protocol, hostname, port, pathname, search }: AllowedUrl,
    { headers, body, ...limits }: OutboundQuery & { body?: string | Buffer },
  ): Exchange {
    if (this.isClosed) throw new OutboundFailure('CONNECTION');
    const options = {
      method,
      protocol,
      host: hostname.replace(BRACKETS, ''),
      port,
      path: pathname + search,
      headers,
      agent: this.agents[protocol],
    };
    const exchange = new Exchange(options, body, limits);
    this.underWay.add(exchange);
    return exchange;
  }

  private parse(text: string): AllowedUrl {
    const url = URL.parse(text);
    if (!url || !hasAllowedScheme(url, this.isLoopback)) throw new OutboundFailure('URL_REFUSED');
    return url as AllowedUrl;
  }
}

/** For all calls except those of `OutboundThread`. */
@Injectable()
export class OutboundClient extends GuardedClient implements OnApplicationShutdown {
  constructor(@InjectEnvironment { isLoopback, privateNetworks }: Environment) {
    super(isLoopback, { privateNetworks });
  }

  // The last hook: callers have finished by then.
  async onApplicationShutdown(): Promise<void> {
    await this.close();
  }
}
