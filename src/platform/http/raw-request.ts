import type { Request } from 'express';
import type { ErrorCode } from '../errors/error-catalogue.js';

/** A request as the platform's middleware leaves it: its exact bytes, unparsed, and its id. */
export interface RawRequest extends Request {
  rawBody: Buffer;
  requestId: string;
  /** What stands in `data` of the answer, once it is made. */
  answered?: object;
  /** The code of the failure that it was answered with. */
  failedWith?: ErrorCode;
}
