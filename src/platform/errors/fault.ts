import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.js';

/** `field` is a dotted path from the body's root. */
export interface FieldProblem {
  field: string;
  message: string;
}

interface FaultOptions {
  /** Contains no secret and no personal data. */
  message?: string;
  details?: FieldProblem[];
  retryAfterSeconds?: number;
  allow?: readonly string[];
  /** Of `wrong_step`: where the journey is. */
  journey?: { readonly state: string; readonly nextAction: string };
  /** For sandbox callers only. */
  hint?: string;
  cause?: unknown;
}

/** All but `cause` is public. */
export class Fault extends Error {
  readonly status: number;
  readonly details?: FieldProblem[];
  readonly retryAfterSeconds?: number;
  readonly allow?: readonly string[];
  readonly hint?: string;
  readonly journey?: { readonly state: string; readonly nextAction: string };

  constructor(
    readonly code: ErrorCode,
    options: FaultOptions = {},
  ) {
    const { status, message } = ERROR_CATALOGUE[code];
    const maxFrames = Error.stackTraceLimit;
    // Client errors are not logged, and stack frames would cost more than the response.
    if (status < 500) Error.stackTraceLimit = 0;
    super(options.message ?? message, { cause: options.cause });
    Error.stackTraceLimit = maxFrames;
    this.name = 'Fault';
    this.status = status;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.allow = options.allow;
    this.hint = options.hint;
    this.journey = options.journey;
  }
}

export function isFault(error: unknown, code: ErrorCode): error is Fault {
  return error instanceof Fault && error.code === code;
}

export function validationFault(details: FieldProblem[]): Fault {
  return new Fault('validation_failed', { details });
}

/** For a host with several addresses Node's message is empty; its causes have it. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(messageOf).join('; ');
  }
  return error instanceof Error ? error.message : String(error);
}
