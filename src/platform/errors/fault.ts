import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.js';

/** One bad field of a request: a path dotted from the body's root, and what would be right. */
export interface FieldProblem {
  field: string;
  message: string;
}

interface FaultOptions {
  /** Replaces the catalogue's public sentence; it must hold no secret and no personal data. */
  message?: string;
  details?: FieldProblem[];
  retryAfterSeconds?: number;
  /** The methods that the address takes. */
  allow?: readonly string[];
  /** Shown to sandbox callers only, beside the error. */
  hint?: string;
  cause?: unknown;
}

/** A failure that the caller is told about; everything in it but `cause` is public. */
export class Fault extends Error {
  readonly status: number;
  readonly details?: FieldProblem[];
  readonly retryAfterSeconds?: number;
  readonly allow?: readonly string[];
  readonly hint?: string;

  constructor(
    readonly code: ErrorCode,
    options: FaultOptions = {},
  ) {
    const { status, message } = ERROR_CATALOGUE[code];
    const maxFrames = Error.stackTraceLimit;
    // What a caller did wrong is logged nowhere, and the frames would cost more than the answer.
    if (status < 500) Error.stackTraceLimit = 0;
    super(options.message ?? message, { cause: options.cause });
    Error.stackTraceLimit = maxFrames;
    this.name = 'Fault';
    this.status = status;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.allow = options.allow;
    this.hint = options.hint;
  }
}

/** The failure of a body or of parameters that break a rule, every bad field named. */
export function validationFault(details: FieldProblem[]): Fault {
  return new Fault('validation_failed', { details });
}

/**
 * What an error says, for a person. Where a name has several addresses and nobody answers at any of
 * them, Node's error says nothing itself: its causes do.
 */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(messageOf).join('; ');
  }
  return error instanceof Error ? error.message : String(error);
}
