import { LenderUnavailable } from '../../lenders/index.js';

/** Also the outcome in the metrics. */
export type CallFailure =
  /** Nothing was sent, for these and an invalid question. */
  | 'limited'
  | 'breaker_open'
  | 'invalid_question'
  | 'timeout'
  | 'unreachable'
  | 'redirect'
  /** Not an answer of the protocol. */
  | 'too_large'
  | 'compressed'
  | 'invalid_answer'
  | 'signature_refused'
  /** 429, or 503 with Retry-After. */
  | 'asked_to_wait'
  /** Any other status. */
  | 'refused'
  | 'error_status';

/** An unknown answer: the same question is put again. */
export class LenderCallFailed extends LenderUnavailable {
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
