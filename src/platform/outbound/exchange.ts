import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { OutboundFailure } from './outbound-failure.js';
import { machineMs, TooLate } from './too-late.js';

const NOTHING = Buffer.alloc(0);

interface ExchangeLimits {
  /** For everything together, from now on. */
  readonly deadlineMs: number;
  /** Where the body is cut; a longer one is not a failure. */
  readonly maxBytes: number;
  /** By `machineMs`: nothing of the request is sent after that. */
  readonly notAfter?: number;
}

/** By their names in lower case. One that came more than once is a list, whichever header it is. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What came back; never a 3xx. */
interface Exchanged {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Up to the cap. */
  readonly body: Buffer;
}

/**
 * One request and its answer. The body is read as it comes and let go of at the cap, so that an
 * endless one costs neither memory nor time. A request that is still waiting for its connection at
 * the deadline is never sent.
 * @throws OutboundFailure TIMEOUT or REDIRECT; TooLate; else whatever the dispatcher throws
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(request, new ExchangeHandler(limits, resolve, reject));
  });
}

/** Listens to the dispatcher itself: a stream and a signal for each call would cost half as much again. */
class ExchangeHandler implements Dispatcher.DispatchHandler {
  private readonly timer: NodeJS.Timeout;
  private readonly maxBytes: number;
  private readonly notAfter: number;
  private controller?: Dispatcher.DispatchController;
  private isOver = false;
  private status = 0;
  private headers: AnswerHeaders = {};
  private body: Buffer = NOTHING;
  private length = 0;

  constructor(
    limits: ExchangeLimits,
    private readonly resolve: (exchanged: Exchanged) => void,
    private readonly reject: (error: Error) => void,
  ) {
    this.maxBytes = limits.maxBytes;
    this.notAfter = limits.notAfter ?? Number.POSITIVE_INFINITY;
    this.timer = setTimeout(() => this.fail(new OutboundFailure('TIMEOUT')), limits.deadlineMs);
  }

  /** It has its connection, and is about to be written. What is thrown here leaves the connection as it is. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isOver) controller.abort(new OutboundFailure('TIMEOUT'));
    else if (machineMs() > this.notAfter) throw new TooLate(true);
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // 100 and its like announce an answer.
    if (status < 200) return;
    if (status >= 300 && status < 400) this.fail(new OutboundFailure('REDIRECT', { status }));
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isOver) return;
    this.add(chunk);
    if (this.length < this.maxBytes) return;
    this.succeed();
    this.controller?.abort(new Error('the rest of the body is not wanted'));
  }

  onResponseEnd(): void {
    this.succeed();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  private succeed(): void {
    if (this.isOver) return;
    this.end();
    const body = this.body.subarray(0, Math.min(this.length, this.maxBytes));
    this.resolve({ status: this.status, headers: this.headers, body });
  }

  /**
   * One buffer that grows: a list of what arrived would let a body that comes byte by byte cost a
   * hundred times its size. Most answers come whole, and are taken as they are.
   */
  private add(chunk: Buffer): void {
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
  }

  private fail(error: Error): void {
    if (this.isOver) return;
    this.end();
    this.controller?.abort(error);
    this.reject(error);
  }

  private end(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }
}
