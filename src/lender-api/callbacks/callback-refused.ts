import { ERRORS, type ProtocolErrorCode } from '../protocol/transport.js';

/** A message of a known lender that is not taken; the text tells nothing about anybody else's. */
export class CallbackRefused extends Error {
  readonly status: number;

  constructor(
    readonly code: ProtocolErrorCode,
    message: string = ERRORS[code][1],
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'CallbackRefused';
    this.status = ERRORS[code][0];
  }
}

/** It speaks of something that this lender was not asked about, or that does not exist: both look the same. */
export function notAsked(what: string): CallbackRefused {
  return new CallbackRefused('not_found', `This lender was not asked about this ${what}`);
}
