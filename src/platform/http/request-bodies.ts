import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Fault } from '../errors/fault.js';
import { Metrics } from '../metrics/metrics.js';
import { ArrivingBody } from './arriving-body.js';
import { onAnswer } from './on-answer.js';
import type { RawRequest } from './raw-request.js';
import { isLenderPath, isPartnerPath } from './partner-routes.js';

const MAX_BODY_BYTES = 100 * 1024;
/** A day's payouts are longer than any partner's body. */
const MAX_LENDER_BODY_BYTES = 256 * 1024;
/** For all unidentified senders together. */
const MAX_HELD_BYTES = 8 * 1024 * 1024;
const RETRY_SECONDS = 1;
const NOTHING = Buffer.alloc(0);

/**
 * Keeps the exact bytes, which the signature covers, and parses nothing. All bodies of unidentified
 * senders share one memory limit; at the limit, the longest-arriving body is given up.
 */
@Injectable()
export class RequestBodies {
  private heldBytes = 0;
  private readonly held = new WeakMap<Request, ArrivingBody>();
  /** The oldest first. */
  private readonly arriving = new Set<ArrivingBody>();

  constructor(private readonly metrics: Metrics) {}

  /**
   * Reads the body into `request.rawBody`.
   * @throws Fault body_too_large, malformed_request (compressed outside the partner API, or cut
   * off), request_timeout (given up), service_unavailable (limit reached)
   */
  async read(request: RawRequest, response: Response): Promise<void> {
    request.rawBody = NOTHING;
    if (!hasBody(request)) return;
    const encoding = request.headers['content-encoding'] ?? 'identity';
    // A partner's compressed body is refused with the reason after its signature check.
    if (encoding.toLowerCase() !== 'identity' && !isPartnerPath(request.path)) {
      throw new Fault('malformed_request');
    }
    if (isAwaitingWord(request)) response.writeContinue();
    const body = new ArrivingBody(maxBytesOf(request), (grown, bytes) => this.hold(grown, bytes));
    this.held.set(request, body);
    onAnswer(response, () => {
      this.release(request);
      // A disconnected client's body is kept for the log.
      if (!response.destroyed) request.rawBody = NOTHING;
    });
    this.arriving.add(body);
    try {
      request.rawBody = await body.of(request);
    } finally {
      this.arriving.delete(body);
    }
  }

  /** The sender is known: the key's own limits apply. */
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

/**
 * Reads unsigned bodies: forms and gateways' callbacks. The partner guard reads its own, after the
 * headers.
 */
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
function isAwaitingWord({ headers, httpVersion }: Request): boolean {
  return httpVersion === '1.1' && /\b100-continue\b/i.test(headers.expect ?? '');
}
