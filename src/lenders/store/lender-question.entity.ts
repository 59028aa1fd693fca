import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { Leased } from '../../platform/index.js';
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
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'lender_questions_pkey' })
  readonly id: string;

  @Column({ name: 'partner_id', type: 'text' })
  @ForeignKey(() => Partner, 'id', { name: 'lender_questions_partner' })
  readonly partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId: string;

  @Column({ name: 'lender_code', type: 'text' })
  readonly lenderCode: string;

  @Column({ type: 'text' })
  readonly kind: QuestionKind;

  /** The offer request's number, or the redirect's id. */
  @Column({ type: 'text' })
  readonly reference: string;

  /** Sealed by `QuestionOutbox`; null once erased. */
  @Column({ name: 'payload_sealed', type: 'text', nullable: true })
  readonly payloadSealed: string | null;

  /** The sent body until there is a verdict; retries send it unchanged. */
  @Column({ name: 'sent_sealed', type: 'text', nullable: true })
  readonly sentSealed: string | null;

  @Column({ type: 'text', default: 'OPEN' })
  readonly status: 'OPEN' | 'ANSWERED' | 'CLOSED';

  @Column({ type: 'integer', default: 0 })
  readonly attempts: number;

  @Column({ type: 'integer', default: 0 })
  readonly failures: number;

  /** Start of the current failures; null after any answer. */
  @Column({ name: 'failing_since', type: 'timestamptz', nullable: true })
  readonly failingSince: Date | null;

  @Column({ name: 'flagged_at', type: 'timestamptz', nullable: true })
  readonly flaggedAt: Date | null;

  /** Null while the provider waits for the applicant. */
  @Column({ name: 'awaited_since', type: 'timestamptz', nullable: true })
  readonly awaitedSince: Date | null;

  @Column({ name: 'overdue_at', type: 'timestamptz', nullable: true })
  readonly overdueAt: Date | null;

  @Column({ name: 'last_failure', type: 'text', nullable: true })
  readonly lastFailure: string | null;

  /** Of a redirect step: the provider waits for the applicant. */
  @Column({ name: 'is_session_open', type: 'boolean', default: false })
  readonly isSessionOpen: boolean;

  /**
   * Calls to the lender were suspended and it has not responded since, so no applicant waits for it.
   */
  @Column({ name: 'is_unreachable', type: 'boolean', default: false })
  readonly isUnreachable: boolean;

  @Column({ name: 'next_attempt_at', type: 'timestamptz' })
  readonly nextAttemptAt: Date;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly createdAt: Date;

  @Column({ name: 'closed_at', type: 'timestamptz', nullable: true })
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
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'lender_inbox_pkey',
  })
  readonly id: number;

  @Column({ name: 'lender_code', type: 'text' })
  readonly lenderCode: string;

  /** The same for every delivery of one answer. */
  @Column({ name: 'answer_id', type: 'text' })
  readonly answerId: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId: string;

  @Column({ type: 'text' })
  readonly kind: QuestionKind;

  @Column({ type: 'text' })
  readonly reference: string;

  /** Sealed by `LenderInbox`; null once erased. */
  @Column({ name: 'answer_sealed', type: 'text', nullable: true })
  readonly answerSealed: string | null;

  @Column({ name: 'received_at', type: 'timestamptz' })
  readonly receivedAt: Date;

  @Column({ type: 'integer', default: 0 })
  readonly attempts: number;

  @Column({ name: 'next_attempt_at', type: 'timestamptz' })
  readonly nextAttemptAt: Date;

  @Column({ name: 'consumed_at', type: 'timestamptz', nullable: true })
  readonly consumedAt: Date | null;
}

@Entity('lender_references')
@Check('lender_references_kind', `kind IN ('APPLICATION', 'LOAN')`)
@Index('lender_references_of_application', ['applicationId'])
export class LenderReferenceRow {
  @PrimaryColumn({
    name: 'lender_code',
    type: 'text',
    primaryKeyConstraintName: 'lender_references_pkey',
  })
  readonly lenderCode: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'lender_references_pkey' })
  readonly kind: 'APPLICATION' | 'LOAN';

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'lender_references_pkey' })
  readonly reference: string;

  @PrimaryColumn({
    name: 'subject_id',
    type: 'text',
    primaryKeyConstraintName: 'lender_references_pkey',
  })
  readonly subjectId: string;

  @Column({ name: 'application_id', type: 'text' })
  readonly applicationId: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  /** False for an instant loan: its lender reports no payout. */
  @Column({ name: 'is_payout_told', type: 'boolean' })
  readonly isPayoutReported: boolean;
}
