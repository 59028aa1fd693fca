import { Check, Column, Entity, Index } from 'typeorm';
import {
  CountColumn,
  FlagColumn,
  IdentityColumn,
  Leased,
  NowColumn,
  NullableTextColumn,
  NullableTimeColumn,
  TextColumn,
  TextKeyColumn,
  TimeColumn,
} from '../../platform/index.js';
import { PartnerColumn } from '../../auth/store/partner.entity.js';
import type { QuestionKind } from '../lender-port.js';

@Entity('lender_questions')
@Check('lender_questions_payload', `payload_sealed IS NOT NULL OR status <> 'OPEN'`)
@Check('lender_questions_status', `status IN ('OPEN', 'ANSWERED', 'CLOSED')`)
@Index('lender_questions_once', ['subjectId', 'kind', 'reference', 'lenderCode'], { unique: true })
@Index('lender_questions_due', ['lenderCode', 'nextAttemptAt'], {
  where: `(status = 'OPEN'::text)`,
})
export class LenderQuestionRow extends Leased {
  @TextKeyColumn
  readonly id: string;

  @PartnerColumn
  readonly partnerId: string;

  @TextColumn
  readonly subjectId: string;

  @TextColumn
  readonly lenderCode: string;

  @TextColumn
  readonly kind: QuestionKind;

  /** The offer request's number, or the redirect's id. */
  @TextColumn
  readonly reference: string;

  /** Sealed by `QuestionOutbox`; null once erased. */
  @NullableTextColumn
  readonly payloadSealed: string | null;

  /** The sent body until there is a verdict; retries send it unchanged. */
  @NullableTextColumn
  readonly sentSealed: string | null;

  @Column('text', { default: 'OPEN' })
  readonly status: 'OPEN' | 'ANSWERED' | 'CLOSED';

  @CountColumn
  readonly attempts: number;

  @CountColumn
  readonly failures: number;

  /** Start of the current failures; null after any answer. */
  @NullableTimeColumn
  readonly failingSince: Date | null;

  @NullableTimeColumn
  readonly flaggedAt: Date | null;

  /** Null while the provider waits for the applicant. */
  @NullableTimeColumn
  readonly awaitedSince: Date | null;

  @NullableTimeColumn
  readonly overdueAt: Date | null;

  @NullableTextColumn
  readonly lastFailure: string | null;

  /** Of a redirect step: the provider waits for the applicant. */
  @FlagColumn
  readonly isSessionOpen: boolean;

  /**
   * Calls to the lender were suspended and it has not responded since, so no applicant waits for it.
   */
  @FlagColumn
  readonly isUnreachable: boolean;

  @TimeColumn
  readonly nextAttemptAt: Date;

  @NowColumn
  readonly createdAt: Date;

  @NullableTimeColumn
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

  @TextColumn
  readonly lenderCode: string;

  /** The same for every delivery of one answer. */
  @TextColumn
  readonly answerId: string;

  @TextColumn
  readonly partnerId: string;

  @TextColumn
  readonly subjectId: string;

  @TextColumn
  readonly kind: QuestionKind;

  @TextColumn
  readonly reference: string;

  /** Sealed by `LenderInbox`; null once erased. */
  @NullableTextColumn
  readonly answerSealed: string | null;

  @TimeColumn
  readonly receivedAt: Date;

  @CountColumn
  readonly attempts: number;

  @TimeColumn
  readonly nextAttemptAt: Date;

  @NullableTimeColumn
  readonly consumedAt: Date | null;
}

@Entity('lender_references')
@Check('lender_references_kind', `kind IN ('APPLICATION', 'LOAN')`)
@Index('lender_references_of_application', ['applicationId'])
export class LenderReferenceRow {
  @TextKeyColumn
  readonly lenderCode: string;

  @TextKeyColumn
  readonly kind: 'APPLICATION' | 'LOAN';

  @TextKeyColumn
  readonly reference: string;

  @TextKeyColumn
  readonly subjectId: string;

  @TextColumn
  readonly applicationId: string;

  @TextColumn
  readonly partnerId: string;

  /** False for an instant loan: its lender reports no payout. */
  @Column('boolean', { name: 'is_payout_told' })
  readonly isPayoutReported: boolean;
}
