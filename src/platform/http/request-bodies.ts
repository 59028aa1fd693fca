import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Fault } from '../errors/fault.js';
import { Metrics } from '../metrics/metrics.js';
import { ArrivingBody } from './arriving-body.js';
import { onAnswer } from './on-answer.js';
import type { RawRequest } from './raw-request.js';
import { isLenderPath, isPartnerPath } from './partner-routes.js';

const MAX_BODY_BYTES = 100 * 1024;
/** What lenders send: a day's payouts are longer than anything of a partner's. */
const MAX_LENDER_BODY_BYTES = 256 * 1024;
/** Of all bodies together whose senders are not known. */
const MAX_HELD_BYTES = 8 * 1024 * 1024;
const RETRY_SECONDS = 1;
const NOTHING = Buffer.alloc(0);

/**
 * Keeps the exact bytes of bodies and parses nothing: a signature covers the bytes, and nobody
 * unauthenticated gets anything parsed. What is held for senders who are not known yet has a bound
 * for all of them together. At the bound the body that has been arriving for longest is given up: a
 * caller who means it has sent everything in a moment.
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
   * @throws Fault body_too_large, malformed_request (packed outside the partner API, or cut off), request_timeout (given up
   *   for the sake of others), service_unavailable (the bound is used up)
   */
  async read(request: RawRequest, response: Response): Promise<void> {
    request.rawBody = NOTHING;
    if (!hasBody(request)) return;
    const encoding = request.headers['content-encoding'] ?? 'identity';
    // A partner's compressed body is refused after its signature was checked, with the reason.
    if (encoding.toLowerCase() !== 'identity' && !isPartnerPath(request.path)) {
      throw new Fault('malformed_request');
    }
    if (isAwaitingWord(request)) response.writeContinue();
    const body = new ArrivingBody(maxBytesOf(request), (grown, bytes) => this.hold(grown, bytes));
    this.held.set(request, body);
    onAnswer(response, () => {
      this.release(request);
      // A client that is gone does not change what it sent.
      if (!response.destroyed) request.rawBody = NOTHING;
    });
    this.arriving.add(body);
    try {
      request.rawBody = await body.of(request);
    } finally {
      this.arriving.delete(body);
    }
  }

  /** The sender is known: what the body holds is the business of the key's own limits. */
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
 * Reads the bodies of what nobody signs: forms, and what gateways call back with. A partner's call
 * is read by its guard, which looks at the headers first.
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

/** Whether the client sends no body before it is told to (RFC 9110, section 10.1.1). */
function isAwaitingWord({ headers, httpVersion }: Request): boolean {
  return httpVersion === '1.1' && /\b100-continue\b/i.test(headers.expect ?? '');
}
