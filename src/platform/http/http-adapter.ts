import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { Connections } from './connections.js';
import { askForTarget } from './unreadable-requests.js';

const OPTIONS = {
  headersTimeout: 10_000,
  /** From a request's first byte to its last; 100 KB want 27 kbit/s. */
  requestTimeout: 30_000,
  /** How often late requests are looked for. */
  connectionsCheckingInterval: 5_000,
  // `requireHost` refuses what has none; Node's own refusal has no envelope.
  requireHostHeader: false,
};
/** Without a byte in either direction; longer than any request is worked on. */
const SILENCE_MS = 60_000;

/** Express on a server that keeps its clients within bounds: of number, of time, and at the end. */
export class HttpAdapter extends ExpressAdapter {
  private readonly connections = new Connections();

  override initHttpServer(): void {
    const express = this.getInstance() as (
      request: IncomingMessage,
      response: ServerResponse,
      onUnanswered?: () => void,
    ) => void;
    const serve = (request: IncomingMessage, response: ServerResponse) => {
      if (!this.connections.begin(request, response)) return;
      express(request, response, () => askForTarget(express, request, response));
    };
    const server = createServer(OPTIONS, serve);
    // Whoever waits for a word before the body gets it when the body is wanted.
    server.on('checkContinue', (request, response) => server.emit('request', request, response));
    // An expectation that nobody knows may be passed over; Node's own refusal has no envelope.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
    server.setTimeout(SILENCE_MS);
    this.connections.watch(server);
    this.httpServer = server;
  }

  /** The end begins here: background work and callers come to theirs side by side. */
  override beforeClose(): void {
    super.beforeClose();
    // How it went is told by `close`.
    this.close().catch(() => undefined);
  }

  override close(): Promise<void> {
    return this.connections.drain(this.httpServer);
  }
}
