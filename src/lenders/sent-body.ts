/**
 * The words in which a question was put. A lender takes the same id with another body for a mistake, so
 * what may have arrived is sent again as it was, whatever has changed in between.
 */
export class SentBody {
  private sent: string | null = null;

  /** @param before what was sent before this time; null when nothing was, or nobody knows */
  constructor(readonly before: string | null = null) {}

  /** What is to be kept; null when nothing can have arrived, or it is kept already. */
  get toKeep(): string | null {
    return this.before === null ? this.sent : null;
  }

  sending(body: string): void {
    this.sent = body;
  }

  /** The lender has not taken it: it may be put otherwise the next time. */
  wasNotTaken(): void {
    this.sent = null;
  }
}
