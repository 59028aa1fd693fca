import { Agent } from 'undici';
import { type AnswerHeaders, exchange } from './exchange.js';
import type { Network } from '../config/private-networks.js';
import { type ClientCertificate, guardedConnector } from './guarded-connector.js';
import { nameServerResolver } from './guarded-lookup.js';
import { asOutboundFailure, OutboundFailure } from './outbound-failure.js';
import { hasAllowedScheme } from './refused-address.js';
import { TooLate } from './too-late.js';

const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 4_000;
/** A crowd of calls to one host must not take all the file descriptors; the others wait for it. */
const MAX_CONNECTIONS_PER_ORIGIN = 64;
/** Made once: making one takes longer than reading a short answer with it. */
const UTF8 = new TextDecoder();

type Method = 'POST' | 'GET';

export interface OutboundQuery {
  readonly headers: Readonly<Record<string, string>>;
  /** For everything together: look-up, connection, handshake, headers and body. */
  readonly deadlineMs: number;
  /** Where the answer's body is cut; a longer one is not a failure. */
  readonly maxResponseBytes: number;
  /** By `machineMs`: a request that has not been started by then is not sent. */
  readonly notAfter?: number;
}

export interface OutboundRequest extends OutboundQuery {
  /** Sent as it is; text as UTF-8. */
  readonly body: string | Buffer;
}

export interface OutboundAnswer {
  /** Never a 3xx. */
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** The body up to `maxResponseBytes`, read as UTF-8. */
  readonly excerpt: string;
  readonly durationMs: number;
}

/** An answer with its body as it came: what is signed is checked byte for byte. */
export interface OutboundBytes extends OutboundAnswer {
  readonly body: Buffer;
}

/** What a client may be told beside where it may go. */
export interface GuardedClientOptions {
  /**
   * To one host; null where the calls are bounded already, so that one that hangs keeps no other at
   * the same host waiting.
   */
  readonly maxConnections?: number | null;
  /** Reached besides public addresses. */
  readonly privateNetworks?: readonly Network[];
  /** Shown to every host that asks for one. */
  readonly certificate?: ClientCertificate;
}

/**
 * The way out to addresses that somebody else has named. It reaches public addresses alone (on a
 * developer's machine its loopback, and plain http, too; and the private networks that it is told), follows no redirect, and is never kept
 * longer than the deadline nor fed more than the cap.
 */
export class GuardedClient {
  private readonly agent: Agent;

  /** @param isLoopback whether this is a developer's machine */
  constructor(
    private readonly isLoopback: boolean,
    {
      maxConnections = MAX_CONNECTIONS_PER_ORIGIN,
      privateNetworks,
      certificate,
    }: GuardedClientOptions = {},
  ) {
    this.agent = new Agent({
      connect: guardedConnector({
        resolve: nameServerResolver(),
        rule: { allowLoopback: isLoopback, privateNetworks },
        timeoutMs: CONNECT_TIMEOUT_MS,
        certificate,
      }),
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      connections: maxConnections,
      // The connector speaks HTTP/1.1 alone. Told here, too, a call does not wait for the handshake of
      // another in the hope that they can share a connection.
      allowH2: false,
      pipelining: 1,
    });
  }

  /** @throws OutboundFailure when no answer came that could be used; TooLate */
  post(url: string, request: OutboundRequest): Promise<OutboundBytes> {
    return this.call('POST', url, request);
  }

  /** @throws OutboundFailure when no answer came that could be used */
  get(url: string, query: OutboundQuery): Promise<OutboundBytes> {
    return this.call('GET', url, query);
  }

  /** Closes every connection; a call that is still under way fails. */
  async close(): Promise<void> {
    if (!this.agent.destroyed) await this.agent.destroy();
  }

  private async call(
    method: Method,
    url: string,
    request: OutboundQuery & { body?: string | Buffer },
  ): Promise<OutboundBytes> {
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    try {
      const { origin, pathname, search } = this.parse(url);
      const { headers, body } = request;
      const answer = await exchange(
        this.agent,
        { origin, path: pathname + search, method, headers: { ...headers }, body },
        {
          deadlineMs: request.deadlineMs,
          maxBytes: request.maxResponseBytes,
          notAfter: request.notAfter,
        },
      );
      return {
        status: answer.status,
        headers: answer.headers,
        excerpt: UTF8.decode(answer.body),
        body: answer.body,
        durationMs: elapsed(),
      };
    } catch (error) {
      throw error instanceof TooLate ? error : asOutboundFailure(error, elapsed());
    }
  }

  private parse(text: string): URL {
    const url = URL.parse(text);
    if (!url || !hasAllowedScheme(url, this.isLoopback)) throw new OutboundFailure('URL_REFUSED');
    return url;
  }
}
