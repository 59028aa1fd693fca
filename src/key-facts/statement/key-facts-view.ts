import type { KeyFactsStatement } from './key-facts-statement.js';

export interface StatementOwner {
  readonly partnerId: string;
  readonly subjectId: string;
}

export interface KeyFactsView {
  readonly statement: KeyFactsStatement;
  /** SHA-256 (hex) of the canonical JSON. */
  readonly contentHash: string;
  /** Whose share of the drawing queue is used. */
  readonly owner: StatementOwner;
  /** Whether its PDF is stored. */
  readonly isFrozen: boolean;
  readonly isAgreed: boolean;
  /** Whether its offer was not taken. */
  readonly isNotTaken?: boolean;
}
