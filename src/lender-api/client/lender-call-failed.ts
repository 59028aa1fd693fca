import { LenderUnavailable } from '../../lenders/index.js';

/** Why a call told nothing: also the metric's outcome. */
export type CallFailure =
  /** Nothing was sent: too many calls, or the breaker is open. */
  | 'limited'
  | 'breaker_open'
  /** The question does not hold against the protocol: nothing was sent. */
  | 'invalid_question'
  /** No answer within the time, or no connection. */
  | 'timeout'
  | 'unreachable'
  | 'redirect'
  /** An answer that is no answer: too long, compressed, not JSON, not as the protocol says. */
  | 'too_large'
  | 'compressed'
  | 'invalid_answer'
  | 'signature_refused'
  /** 429, or 503 with Retry-After. */
  | 'asked_to_wait'
  /** Another status: 4xx, or anything else. */
  | 'refused'
  | 'error_status';

/** A call whose answer is unknown: the same question is put again. */
export class LenderCallFailed extends LenderUnavailable {
  /** Of the answer, when one came. */
  readonly status?: number;

  constructor(
    readonly failure: CallFailure,
    reason: string,
    options: { status?: number; askAgainInMs?: number; cause?: unknown } = {},
  ) {
    super(reason, { cause: options.cause, askAgainInMs: options.askAgainInMs });
    this.name = 'LenderCallFailed';
    this.status = options.status;
  }
}
