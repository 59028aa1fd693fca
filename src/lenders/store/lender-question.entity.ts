import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import {
  CountColumn,
  IdentityColumn,
  Leased,
  NowColumn,
  NullableColumn,
} from '../../platform/index.js';
import { Partner } from '../../auth/store/partner.entity.js';
import type { QuestionKind } from '../lender-port.js';

@Entity('lender_questions')
@Check('lender_questions_payload', `payload_sealed IS NOT NULL OR status <> 'OPEN'`)
@Check('lender_questions_status', `status IN ('OPEN', 'ANSWERED', 'CLOSED')`)
@Index('lender_questions_once', ['subjectId', 'kind', 'reference', 'lenderCode'], { unique: true })
@Index('lender_questions_due', ['lenderCode', 'nextAttemptAt'], {
  where: `(status = 'OPEN'::text)`,
})
export class LenderQuestionRow extends Leased {
  @PrimaryColumn('text')
  readonly id: string;

  @Column('text')
  @ForeignKey(() => Partner)
  readonly partnerId: string;

  @Column('text')
  readonly subjectId: string;

  @Column('text')
  readonly lenderCode: string;

  @Column('text')
  readonly kind: QuestionKind;

  /** The offer request's number, or the redirect's id. */
  @Column('text')
  readonly reference: string;

  /** Sealed by `QuestionOutbox`; null once erased. */
  @NullableColumn('text')
  readonly payloadSealed: string | null;

  /** The sent body until there is a verdict; retries send it unchanged. */
  @NullableColumn('text')
  readonly sentSealed: string | null;

  @Column('text', { default: 'OPEN' })
  readonly status: 'OPEN' | 'ANSWERED' | 'CLOSED';

  @CountColumn
  readonly attempts: number;

  @CountColumn
  readonly failures: number;

  /** Start of the current failures; null after any answer. */
  @NullableColumn('timestamptz')
  readonly failingSince: Date | null;

  @NullableColumn('timestamptz')
  readonly flaggedAt: Date | null;

  /** Null while the provider waits for the applicant. */
  @NullableColumn('timestamptz')
  readonly awaitedSince: Date | null;

  @NullableColumn('timestamptz')
  readonly overdueAt: Date | null;

  @NullableColumn('text')
  readonly lastFailure: string | null;

  /** Of a redirect step: the provider waits for the applicant. */
  @Column('boolean', { default: false })
  readonly isSessionOpen: boolean;

  /**
   * Calls to the lender were suspended and it has not responded since, so no applicant waits for it.
   */
  @Column('boolean', { default: false })
  readonly isUnreachable: boolean;

  @Column('timestamptz')
  readonly nextAttemptAt: Date;

  @NowColumn
  readonly createdAt: Date;

  @NullableColumn('timestamptz')
  readonly closedAt: Date | null;
}

@Entity('lender_inbox')
@Check('lender_inbox_answer', `answer_sealed IS NOT NULL OR consumed_at IS NOT NULL`)
@Index('lender_inbox_once', ['lenderCode', 'answerId'], { unique: true })
@Index('lender_inbox_of_subject', ['subjectId'])
@Index('lender_inbox_waiting', ['kind', 'nextAttemptAt', 'id'], {
  where: '(consumed_at IS NULL)',
})
export class LenderInboxRow {
  @IdentityColumn
  readonly id: number;

  @Column('text')
  readonly lenderCode: string;

  /** The same for every delivery of one answer. */
  @Column('text')
  readonly answerId: string;

  @Column('text')
  readonly partnerId: string;

  @Column('text')
  readonly subjectId: string;

  @Column('text')
  readonly kind: QuestionKind;

  @Column('text')
  readonly reference: string;

  /** Sealed by `LenderInbox`; null once erased. */
  @NullableColumn('text')
  readonly answerSealed: string | null;

  @Column('timestamptz')
  readonly receivedAt: Date;

  @CountColumn
  readonly attempts: number;

  @Column('timestamptz')
  readonly nextAttemptAt: Date;

  @NullableColumn('timestamptz')
  readonly consumedAt: Date | null;
}

@Entity('lender_references')
@Check('lender_references_kind', `kind IN ('APPLICATION', 'LOAN')`)
@Index('lender_references_of_application', ['applicationId'])
export class LenderReferenceRow {
  @PrimaryColumn('text')
  readonly lenderCode: string;

  @PrimaryColumn('text')
  readonly kind: 'APPLICATION' | 'LOAN';

  @PrimaryColumn('text')
  readonly reference: string;

  @PrimaryColumn('text')
  readonly subjectId: string;

  @Column('text')
  readonly applicationId: string;

  @Column('text')
  readonly partnerId: string;

  /** False for an instant loan: its lender reports no payout. */
  @Column('boolean', { name: 'is_payout_told' })
  readonly isPayoutReported: boolean;
}
