import type { LenderAnswer, QuestionKind } from './lender-port.js';

/** A question that this process has under a lease, as its row was at the claim. */
export interface ClaimedQuestion {
  readonly id: string;
  readonly partner_id: string;
  readonly subject_id: string;
  readonly lender_code: string;
  readonly kind: QuestionKind;
  readonly reference: string;
  readonly payload_sealed: string;
  readonly attempts: number;
  readonly failures: number;
  /** The fencing token: what comes under an older one changes nothing of the question. */
  readonly lease_token: number;
  readonly created_at: Date;
}

/** What came of putting a question; one without an answer is put again after a wait. */
export type QuestionOutcome =
  | { readonly kind: 'ANSWERED'; readonly answerId: string; readonly answer: LenderAnswer }
  | { readonly kind: 'PENDING'; readonly waitMs: number; readonly isSessionOpen: boolean }
  | { readonly kind: 'FAILED'; readonly waitMs: number; readonly failure: string };
