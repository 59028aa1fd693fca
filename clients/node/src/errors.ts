/** An invalid field of the body or of the query. */
export interface InvalidField {
  /** A dotted path from the body's root. */
  readonly field: string;
  readonly message: string;
}

/** The parts of a refusal. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: readonly InvalidField[];
  readonly hint: unknown;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly clockOffsetSeconds: number | undefined;
}

/** The service refused the call. */
export class RinpathError extends Error {
  /** The HTTP status. */
  readonly status: number;
  /** Stable, for programs: docs/partners/errors.md lists the codes. `unreadable_answer` when a proxy responded. */
  readonly code: string;
  /** Every invalid field of a failed validation; else empty. */
  readonly details: readonly InvalidField[];
  /** In the sandbox, after a refused signature: what the server signed. */
  readonly hint: unknown;
  /** Quote it when you ask the operator about a call. */
  readonly requestId: string | undefined;
  /** When to retry, if the service said so. */
  readonly retryAfterSeconds: number | undefined;
  /** Seconds that this machine's clock is ahead of the service's; a signature may be 300 seconds off. */
  readonly clockOffsetSeconds: number | undefined;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = 'RinpathError';
    this.status = refusal.status;
    this.code = refusal.code;
    this.details = refusal.details;
    this.hint = refusal.hint;
    this.requestId = refusal.requestId;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
    this.clockOffsetSeconds = refusal.clockOffsetSeconds;
  }
}

/**
 * No response: the connection failed, broke or took too long. The call may have succeeded. Retry a call with an
 * idempotency key under the same key; for any other call, first read the state.
 */
export class RinpathConnectionError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'RinpathConnectionError';
  }
}
