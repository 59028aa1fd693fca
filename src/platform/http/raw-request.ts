import type { Request } from 'express';

/** A request as the platform's middleware leaves it: its exact bytes, unparsed, and its id. */
export interface RawRequest extends Request {
  rawBody: Buffer;
  requestId: string;
}
