import type { KeyFactsStatement } from './key-facts-statement.js';

/** Whose statement it is. */
export interface StatementOwner {
  readonly partnerId: string;
  /** The journey or application. */
  readonly subjectId: string;
}

/** A statement as it is to be shown, as a page or as a PDF. */
export interface KeyFactsView {
  readonly statement: KeyFactsStatement;
  /** SHA-256 (hex) of its canonical JSON. */
  readonly contentHash: string;
  /** In whose turn, and out of whose share, its PDF is drawn. */
  readonly owner: StatementOwner;
  /** Whether it never changes any more, so that its PDF is kept for good. */
  readonly isFrozen: boolean;
  /** Whether the applicant has agreed to it. */
  readonly isAgreed: boolean;
  /** Whether its offer was not taken, and is shown for comparison alone. */
  readonly isNotTaken?: boolean;
}
