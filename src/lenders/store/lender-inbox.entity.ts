import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

@Entity('lender_inbox')
@Check('lender_inbox_answer', `answer_sealed IS NOT NULL OR consumed_at IS NOT NULL`)
@Index('lender_inbox_once', ['lenderCode', 'answerId'], { unique: true })
@Index('lender_inbox_waiting', ['kind', 'nextAttemptAt', 'id'], {
  where: '(consumed_at IS NULL)',
})
export class LenderInboxRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'lender_inbox_pkey',
  })
  id: number;

  @Column({ name: 'lender_code', type: 'text' })
  lenderCode: string;

  @Column({ name: 'answer_id', type: 'text' })
  answerId: string;

  @Column({ name: 'partner_id', type: 'text' })
  partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  subjectId: string;

  @Column({ type: 'text' })
  kind: string;

  @Column({ type: 'text' })
  reference: string;

  /** Null once it is erased. */
  @Column({ name: 'answer_sealed', type: 'text', nullable: true })
  answerSealed: string | null;

  @Column({ name: 'received_at', type: 'timestamptz' })
  receivedAt: Date;

  @Column({ type: 'integer', default: 0 })
  attempts: number;

  @Column({ name: 'next_attempt_at', type: 'timestamptz' })
  nextAttemptAt: Date;

  @Column({ name: 'consumed_at', type: 'timestamptz', nullable: true })
  consumedAt: Date | null;
}
