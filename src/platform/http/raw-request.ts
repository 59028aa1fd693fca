import type { Request } from 'express';
import type { ErrorCode } from '../errors/error-catalogue.js';

/** A request after the platform's middleware. */
export interface RawRequest extends Request {
  rawBody: Buffer;
  requestId: string;
  /** `data` of the response. */
  answered?: object;
  failedWith?: ErrorCode;
}
