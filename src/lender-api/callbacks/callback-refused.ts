import { ERRORS, type ProtocolErrorCode } from '../protocol/transport.js';

/** A rejected message of a known lender; the text reveals nothing about other lenders. */
export class CallbackRefused extends Error {
  readonly status: number;

  constructor(
    readonly code: ProtocolErrorCode,
    message: string = ERRORS[code].message,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'CallbackRefused';
    this.status = ERRORS[code].status;
  }
}

/** For what does not exist and for what this lender was not asked about: both look the same. */
export function notAsked(what: string): CallbackRefused {
  return new CallbackRefused('not_found', `This lender was not asked about this ${what}`);
}
