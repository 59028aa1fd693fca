import express, { type NextFunction, type Request, type Response } from 'express';
import { Fault } from '../errors/fault.js';
import type { RawRequest } from './partner-request.js';

export const BODY_LIMIT = '100kb';

const readBytes = express.raw({ type: () => true, limit: BODY_LIMIT, inflate: false });

/**
 * Keeps the exact bytes of a body and parses nothing: a signature covers the bytes, and nobody
 * unauthenticated gets anything parsed.
 */
export function rawBody(request: Request, response: Response, next: NextFunction): void {
  readBytes(request, response, (error?: unknown) => {
    const raw = request as RawRequest;
    raw.rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    next(error === undefined ? undefined : bodyFault(error));
  });
}

function bodyFault(error: unknown): Fault {
  const type = (error as { type?: unknown }).type;
  if (type === 'entity.too.large') return new Fault('body_too_large');
  return new Fault('malformed_request', { cause: error });
}
