/** No answer, or none in time: unknown, not a refusal. */
export class LenderUnavailable extends Error {
  /** When the lender may be asked again. */
  readonly askAgainInMs?: number;
  /** Whether calls to the lender are suspended. */
  isLeftAlone = false;
  /** Whether the question was invalid and not sent. */
  isOwnMistake = false;

  constructor(reason: string, options: ErrorOptions & { askAgainInMs?: number } = {}) {
    super(reason, { cause: options.cause });
    this.name = 'LenderUnavailable';
    this.askAgainInMs = options.askAgainInMs;
  }
}

export class AnswerPending extends LenderUnavailable {
  constructor(askAgainInMs: number) {
    super('not known yet', { askAgainInMs });
    this.name = 'AnswerPending';
  }
}

/** A session at a host that the configuration does not name for the step; no applicant is sent there. */
export class SessionElsewhere extends LenderUnavailable {
  /**
   * @param origin without the path, which may hold a token
   * @param host null when no host is named, or none would do
   */
  constructor(
    readonly origin: string,
    readonly host: string | null,
    reason = 'the session is not at the host of its provider',
  ) {
    super(reason);
    this.name = 'SessionElsewhere';
  }
}
