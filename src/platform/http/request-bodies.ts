import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Fault } from '../errors/fault.js';
import { Metrics } from '../metrics/metrics.js';
import { isLenderPath, isPartnerPath, type RawRequest } from './partner-routes.js';
import { onAnswer } from './response-headers.js';

const NO_BYTES: Buffer = Buffer.alloc(0);

/** Many large bodies outside the heap would trigger full garbage collections. */
function free({ buffer, length }: Buffer): void {
  // Small buffers may share memory.
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === length;
  if (isOwn && length > 0) buffer.transfer(0);
}

/** One growing buffer: a list of single-byte chunks would cost a hundred times the size. */
class ArrivingBody {
  private bytes = NO_BYTES;
  private length = 0;
  private end: (fault: Fault) => void = () => undefined;

  constructor(
    private readonly maxBytes: number,
    private readonly onGrowth: (body: ArrivingBody, bytes: number) => void,
  ) {}

  get heldBytes(): number {
    return this.bytes.length;
  }

  /**
   * @throws Fault body_too_large, malformed_request when the client disconnects, or the fault of
   * `giveUp`
   */
  of(request: IncomingMessage): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const onData = (chunk: Buffer) => this.add(chunk);
      const onEnd = () => {
        stop();
        resolve(this.bytes.subarray(0, this.length));
      };
      const onClose = () => this.end(new Fault('malformed_request'));
      const stop = () => {
        request.off('data', onData).off('end', onEnd).off('close', onClose);
        this.end = () => undefined;
      };
      this.end = (fault) => {
        stop();
        request.resume();
        reject(fault);
      };
      if (request.destroyed) onClose();
      else request.on('data', onData).on('end', onEnd).on('close', onClose);
    });
  }

  giveUp(fault: Fault): void {
    free(this.bytes);
    this.bytes = NO_BYTES;
    this.end(fault);
  }

  private add(chunk: Buffer): void {
    const length = this.length + chunk.length;
    if (length > this.maxBytes) {
      this.end(new Fault('body_too_large'));
      return;
    }
    const before = this.bytes.length;
    if (before === 0) this.bytes = chunk;
    else if (length > before) {
      const grown = Buffer.allocUnsafeSlow(Math.min(this.maxBytes, Math.max(length, 2 * before)));
      this.bytes.copy(grown, 0, 0, this.length);
      free(this.bytes);
      this.bytes = grown;
    }
    if (before > 0) {
      chunk.copy(this.bytes, this.length);
      free(chunk);
    }
    this.length = length;
    if (this.bytes.length > before) this.onGrowth(this, this.bytes.length - before);
  }
}

const MAX_BODY_BYTES = 100 * 1024;
/** A day's payouts exceed any partner's body. */
const MAX_LENDER_BODY_BYTES = 256 * 1024;
/** Shared by all unidentified senders. */
const MAX_HELD_BYTES = 8 * 1024 * 1024;
const RETRY_SECONDS = 1;
const NOTHING = Buffer.alloc(0);

/**
 * Keeps the exact bytes, which the signature covers. At the shared limit, the longest-arriving body
 * is abandoned.
 */
@Injectable()
export class RequestBodies {
  private heldBytes = 0;
  private readonly held = new WeakMap<Request, ArrivingBody>();
  /** Oldest first. */
  private readonly arriving = new Set<ArrivingBody>();

  constructor(private readonly metrics: Metrics) {}

  /**
   * @throws Fault body_too_large, malformed_request (compressed, cut off), request_timeout
   * (abandoned), service_unavailable (limit)
   */
  async read(request: RawRequest, response: Response): Promise<void> {
    request.rawBody = NOTHING;
    if (!hasBody(request)) return;
    const encoding = request.headers['content-encoding'] ?? 'identity';
    // The partner guard refuses a compressed body after its signature check.
    if (encoding.toLowerCase() !== 'identity' && !isPartnerPath(request.path)) {
      throw new Fault('malformed_request');
    }
    if (expectsContinue(request)) response.writeContinue();
    const body = new ArrivingBody(maxBytesOf(request), (grown, bytes) => this.hold(grown, bytes));
    this.held.set(request, body);
    onAnswer(response, () => {
      this.release(request);
      // The log needs a disconnected client's body.
      if (!response.destroyed) request.rawBody = NOTHING;
    });
    this.arriving.add(body);
    try {
      request.rawBody = await body.of(request);
    } finally {
      this.arriving.delete(body);
    }
  }

  release(request: Request): void {
    const body = this.held.get(request);
    this.held.delete(request);
    if (body) this.heldBytes -= body.heldBytes;
  }

  private hold(newest: ArrivingBody, bytes: number): void {
    this.heldBytes += bytes;
    for (const body of this.arriving) {
      if (this.heldBytes <= MAX_HELD_BYTES) return;
      if (body !== newest) this.giveUp(body, new Fault('request_timeout'));
    }
    if (this.heldBytes <= MAX_HELD_BYTES) return;
    this.giveUp(newest, new Fault('service_unavailable', { retryAfterSeconds: RETRY_SECONDS }));
  }

  private giveUp(body: ArrivingBody, fault: Fault): void {
    this.arriving.delete(body);
    this.heldBytes -= body.heldBytes;
    this.metrics.bodiesGivenUp.inc();
    body.giveUp(fault);
  }
}

/** The partner guard reads its own body, after the headers. */
export function readUnsignedBodies(bodies: RequestBodies) {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (Number(request.headers['content-length']) > maxBytesOf(request)) {
      next(new Fault('body_too_large'));
      return;
    }
    if (isPartnerPath(request.path)) {
      next();
      return;
    }
    bodies.read(request as RawRequest, response).then(() => next(), next);
  };
}

function maxBytesOf({ path }: Request): number {
  return isLenderPath(path) ? MAX_LENDER_BODY_BYTES : MAX_BODY_BYTES;
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** RFC 9110, section 10.1.1 */
function expectsContinue({ headers, httpVersion }: Request): boolean {
  return httpVersion === '1.1' && /\b100-continue\b/i.test(headers.expect ?? '');
}
