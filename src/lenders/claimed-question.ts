import type { FlagKind } from '../operator-flags/index.js';
import type { LenderAnswer } from './lender-port.js';
import type { LenderQuestionRow } from './store/lender-question.entity.js';

/** What a worker is told of a question that it claims. */
export const CLAIMED = [
  'id',
  'partnerId',
  'subjectId',
  'lenderCode',
  'kind',
  'reference',
  'payloadSealed',
  'sentSealed',
  'attempts',
  'failures',
  'failingSince',
  'flaggedAt',
  'isUnreachable',
  'leaseToken',
  'createdAt',
] as const;

/** A question that this process has under a lease, as its row was at the claim. */
export type ClaimedQuestion = Pick<LenderQuestionRow, (typeof CLAIMED)[number]> & {
  /** Only what is open is claimed, and that is not erased. */
  readonly payloadSealed: string;
};

/** What came of putting a question; one without an answer is put again after a wait. */
export type QuestionOutcome =
  | { readonly kind: 'ANSWERED'; readonly answerId: string; readonly answer: LenderAnswer }
  | { readonly kind: 'PENDING'; readonly waitMs: number; readonly isSessionOpen: boolean }
  | {
      readonly kind: 'FAILED';
      readonly waitMs: number;
      readonly failure: string;
      /** Whether the lender is left alone for a while. */
      readonly isLeftAlone: boolean;
      /** What the operator is to be told of it, once. */
      readonly flag?: FailureFlag;
    }
  /** It is asked no more. */
  | { readonly kind: 'GIVEN_UP'; readonly failure: string };

export type FailureFlag = Extract<FlagKind, 'LENDER_SILENT' | 'INVALID_QUESTION'>;

/** A question that was put, and what came of it. */
export interface PutQuestion {
  readonly question: ClaimedQuestion;
  readonly outcome: QuestionOutcome;
  /** What was sent for the first time, sealed; null when there is nothing to keep. */
  readonly sentSealed?: string | null;
}
