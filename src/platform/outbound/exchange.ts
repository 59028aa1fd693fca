import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
} from 'node:http';
import type { GuardedRequestOptions } from './guarded-agents.js';
import { OutboundFailure } from './outbound-failure.js';

const NOTHING = Buffer.alloc(0);

export interface ExchangeLimits {
  /** With `bodyMs`, only until the status. */
  readonly deadlineMs: number;
  /** Time for the body; exceeding it is no failure. Absent: part of the deadline. */
  readonly bodyMs?: number;
  /** A longer body is cut; that is no failure. */
  readonly maxResponseBytes: number;
  /** On the clock of `machineMs`. A connection that opens later sends nothing. */
  readonly notAfter?: number;
}

interface Exchanged {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Up to the limit. */
  readonly body: Buffer;
  /** By `performance.now`. */
  readonly answeredAt: number;
}

/** A request without a connection at the deadline is never sent. */
export class Exchange {
  /** Rejects with OutboundFailure, TooLate, or the connection's error. */
  readonly answered: Promise<Exchanged>;
  private readonly outcome = Promise.withResolvers<Exchanged>();
  private readonly request: ClientRequest;
  private timer: NodeJS.Timeout;
  private isOver = false;
  private response?: IncomingMessage;
  private answeredAt = 0;
  private body: Buffer = NOTHING;
  private length = 0;

  constructor(
    options: GuardedRequestOptions,
    content: string | Buffer | undefined,
    private readonly limits: ExchangeLimits,
  ) {
    this.answered = this.outcome.promise;
    const { notAfter, deadlineMs } = limits;
    const onConnection = notAfter === undefined ? undefined : () => this.startBefore(notAfter);
    this.request = request({ ...options, onConnection } as GuardedRequestOptions)
      .on('response', (response) => this.read(response))
      .on('upgrade', ({ statusCode }, socket) => {
        socket.destroy();
        this.fail(new OutboundFailure('PROTOCOL', { status: statusCode }));
      })
      .on('error', (error) => this.break(error));
    this.timer = setTimeout(() => this.fail(new OutboundFailure('TIMEOUT')), deadlineMs);
    this.request.end(content);
  }

  fail(error: Error): void {
    if (this.isOver) return;
    this.end();
    this.request.destroy(error);
    this.outcome.reject(error);
  }

  private startBefore(notAfter: number): void {
    if (machineMs() > notAfter) this.fail(new TooLate(true));
  }

  private read(response: IncomingMessage): void {
    const { statusCode: status = 0 } = response;
    this.response = response;
    this.answeredAt = performance.now();
    if (status < 200) this.fail(new OutboundFailure('PROTOCOL', { status }));
    else if (status >= 300 && status < 400) this.fail(new OutboundFailure('REDIRECT', { status }));
    else if (this.limits.bodyMs !== undefined) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.cut(), this.limits.bodyMs);
    }
    response
      .on('data', (chunk: Buffer) => this.add(chunk))
      .on('end', () => this.succeed())
      .on('error', (error) => this.break(error));
  }

  private break(error: Error): void {
    if (this.response && this.limits.bodyMs !== undefined) this.succeed();
    else this.fail(error);
  }

  private cut(): void {
    this.succeed();
    this.request.destroy();
  }

  private succeed(): void {
    if (this.isOver || !this.response) return;
    this.end();
    const { statusCode: status = 0, headers } = this.response;
    const body = this.body.subarray(0, Math.min(this.length, this.limits.maxResponseBytes));
    this.outcome.resolve({ status, headers, body, answeredAt: this.answeredAt });
  }

  /** One buffer: a list of single-byte chunks would cost a hundred times the size. */
  private add(chunk: Buffer): void {
    if (this.isOver) return;
    const length = this.length + chunk.length;
    if (this.length === 0) this.body = chunk;
    else {
      if (length > this.body.length) {
        const grown = Buffer.allocUnsafe(Math.max(length, 2 * this.body.length));
        this.body.copy(grown, 0, 0, this.length);
        this.body = grown;
      }
      chunk.copy(this.body, this.length);
    }
    this.length = length;
    if (length >= this.limits.maxResponseBytes) this.cut();
  }

  private end(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }
}

export class TooLate extends Error {
  constructor(readonly hasConnected: boolean) {
    super('too late to be sent');
    this.name = 'TooLate';
  }
}

/** Monotonic; `performance.now` differs by thread. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1_000_000;
}
