import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { QuestionKind } from '../lender-port.js';

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

  /** Opened by `LenderInbox`; null once erased. */
  @Column({ name: 'answer_sealed', type: 'text', nullable: true })
  readonly answerSealed: string | null;

  @Column({ name: 'received_at', type: 'timestamptz' })
  readonly receivedAt: Date;

  /** Failed attempts to process it. */
  @Column({ type: 'integer', default: 0 })
  readonly attempts: number;

  @Column({ name: 'next_attempt_at', type: 'timestamptz' })
  readonly nextAttemptAt: Date;

  @Column({ name: 'consumed_at', type: 'timestamptz', nullable: true })
  readonly consumedAt: Date | null;
}
