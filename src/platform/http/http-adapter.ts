import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { boundedServer, type Express } from './bounded-server.js';
import { Connections } from './connections.js';

/** What an interceptor returns that has sent the answer itself. */
export const ANSWERED = Symbol('answered');

/** Express on a server that keeps its clients within bounds. */
export class HttpAdapter extends ExpressAdapter {
  readonly connections = new Connections();

  override initHttpServer(): void {
    this.httpServer = boundedServer(this.getInstance<Express>(), this.connections);
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (body === ANSWERED) return response;
    return super.reply(response, body, statusCode);
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
