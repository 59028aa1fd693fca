import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { Connections } from './connections.js';
import { onAnswer } from './response-headers.js';
import { askForTarget } from './unreadable-requests.js';

const OPTIONS = {
  headersTimeout: 10_000,
  /** 100 KB in 30 s needs 27 kbit/s. */
  requestTimeout: 30_000,
  /** Exceeds proxies' 60 s: if the server closed first, the next request could be lost. */
  keepAliveTimeout: 75_000,
  /** Frequent, so that thousands do not expire in one check. */
  connectionsCheckingInterval: 250,
  // Node's own response lacks the envelope; `requireHost` refuses instead.
  requireHostHeader: false,
};

interface SilenceLimits {
  /** Node checks twice, so it acts within 30 s. */
  readonly unreadMs: number;
  /** Longer than any request takes. */
  readonly unansweredMs: number;
}

const SILENCE: SilenceLimits = { unreadMs: 15_000, unansweredMs: 60_000 };

export type Express = (
  request: IncomingMessage,
  response: ServerResponse,
  onUnanswered?: () => void,
) => void;

export function boundedServer(
  express: Express,
  connections: Connections,
  { unreadMs, unansweredMs } = SILENCE,
): Server {
  const server = createServer(OPTIONS, (request, response) => {
    if (!connections.begin(request, response)) return;
    // Processing time does not count as the client's silence.
    onAnswer(response, () => request.socket.setTimeout(server.timeout));
    express(request, response, () => askForTarget(express, request, response));
  });
  // `RequestBodies` sends the 100 when it reads the body.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  // Ignores unknown expectations: Node's own refusal lacks the envelope.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // A client may half-close and still wait. Node's types lack the field.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.setTimeout(unreadMs, (socket: Socket) => {
    const isUnread = socket.writableLength > 0;
    if (isUnread || socket.timeout !== unreadMs) socket.destroy();
    else socket.setTimeout(unansweredMs - unreadMs);
  });
  connections.watch(server);
  return server;
}

/** An interceptor returns this after it has sent the response itself. */
export const ANSWERED = Symbol('answered');

export class HttpAdapter extends ExpressAdapter {
  readonly connections = new Connections();

  override initHttpServer(): void {
    this.httpServer = boundedServer(this.getInstance<Express>(), this.connections);
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (body === ANSWERED) return response;
    return super.reply(response, body, statusCode);
  }

  override beforeClose(): void {
    super.beforeClose();
    this.close().catch(() => undefined);
  }

  override close(): Promise<void> {
    return this.connections.drain(this.httpServer);
  }
}
