/** A field of the body or of the query that breaks its rule. */
export interface InvalidField {
  /** A dotted path from the body's root. */
  readonly field: string;
  readonly message: string;
}

/** What a refusal is made of. */
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

/** The service answered, and refused the call. */
export class RinpathError extends Error {
  /** The HTTP status. */
  readonly status: number;
  /** Stable and meant for programs: docs/partners/errors.md lists them. `unreadable_answer` when a proxy answered. */
  readonly code: string;
  /** Every invalid field of a failed validation; else empty. */
  readonly details: readonly InvalidField[];
  /** In the sandbox, after a refused signature: what the server signed. */
  readonly hint: unknown;
  /** To be quoted when you ask the operator about a call. */
  readonly requestId: string | undefined;
  /** When the same call may be tried again, where the service said so. */
  readonly retryAfterSeconds: number | undefined;
  /** How far this machine's clock is ahead of the service's; a signature may be 300 seconds off. */
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
 * No answer came: the connection failed, broke or took too long. What the call should have done may be done.
 * A call with an idempotency key can be sent again with the same key; any other has to be looked up first.
 */
export class RinpathConnectionError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'RinpathConnectionError';
  }
}
