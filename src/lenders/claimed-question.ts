import type { FlagKind } from '../operator-flags/index.js';
import type { LenderAnswer } from './lender-port.js';
import type { LenderQuestionRow } from './store/lender-question.entity.js';

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

export type ClaimedQuestion = Pick<LenderQuestionRow, (typeof CLAIMED)[number]> & {
  /** Not null: erasure also closes a question, so it cannot be claimed. */
  readonly payloadSealed: string;
};

export type QuestionOutcome =
  | { readonly kind: 'ANSWERED'; readonly answerId: string; readonly answer: LenderAnswer }
  | { readonly kind: 'PENDING'; readonly waitMs: number; readonly isSessionOpen: boolean }
  | {
      readonly kind: 'FAILED';
      readonly waitMs: number;
      readonly failure: string;
      readonly isSuspended: boolean;
      readonly flag?: FailureFlag;
    }
  | { readonly kind: 'GIVEN_UP'; readonly failure: string };

export type FailureFlag = Extract<FlagKind, 'LENDER_SILENT' | 'INVALID_QUESTION'>;

export interface PutQuestion {
  readonly question: ClaimedQuestion;
  readonly outcome: QuestionOutcome;
  /** The body as first sent; null when there is nothing to store. */
  readonly sentSealed?: string | null;
}
