import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { boundedServer, type Express } from './bounded-server.js';
import { Connections } from './connections.js';

/** Returned by an interceptor that has sent the response itself. */
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

  /** Background work and callers end in parallel. */
  override beforeClose(): void {
    super.beforeClose();
    // `close` reports the result.
    this.close().catch(() => undefined);
  }

  override close(): Promise<void> {
    return this.connections.drain(this.httpServer);
  }
}
