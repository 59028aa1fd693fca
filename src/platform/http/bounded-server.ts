import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections.js';
import { onAnswer } from './on-answer.js';
import { askForTarget } from './unreadable-requests.js';

const OPTIONS = {
  headersTimeout: 10_000,
  /** From a request's first byte to its last; 100 KB want 27 kbit/s. */
  requestTimeout: 30_000,
  /**
   * Longer than proxies keep an idle connection (nginx and the large clouds' balancers: 60 s). It has to be
   * the client that ends it: ended here, the client's next request may be on its way and is lost.
   */
  keepAliveTimeout: 75_000,
  /** How often late requests are looked for: often, so that thousands are not told in one go. */
  connectionsCheckingInterval: 250,
  // `requireHost` refuses what has none; Node's own refusal has no envelope.
  requireHostHeader: false,
};

export interface SilenceLimits {
  /** Node sees at its second check at the latest that no byte was taken: within 30 s. */
  readonly unreadMs: number;
  /** Longer than any request is worked on. */
  readonly unansweredMs: number;
}

const SILENCE: SilenceLimits = { unreadMs: 15_000, unansweredMs: 60_000 };

export type Express = (
  request: IncomingMessage,
  response: ServerResponse,
  onUnanswered?: () => void,
) => void;

/** A server that keeps its clients within bounds: of number, of time, and at the end. */
export function boundedServer(
  express: Express,
  connections: Connections,
  { unreadMs, unansweredMs } = SILENCE,
): Server {
  const server = createServer(OPTIONS, (request, response) => {
    if (!connections.begin(request, response)) return;
    // The time that making it took is not the client's.
    onAnswer(response, () => request.socket.setTimeout(server.timeout));
    express(request, response, () => askForTarget(express, request, response));
  });
  // Whoever waits for a word before the body gets it when the body is wanted.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  // An expectation that nobody knows may be passed over; Node's own refusal has no envelope.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // A client may close its side after the request and still wait for the answer. Node's types lack the field.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.setTimeout(unreadMs, (socket: Socket) => {
    const isUnread = socket.writableLength > 0;
    if (isUnread || socket.timeout !== unreadMs) socket.destroy();
    else socket.setTimeout(unansweredMs - unreadMs);
  });
  connections.watch(server);
  return server;
}
