import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

@Entity('lender_messages')
@Check('lender_messages_kind', `kind IN ('ANSWER', 'OFFER_REVISION', 'LOAN_EVENT', 'STATEMENT')`)
@Index('lender_messages_once', ['lenderCode', 'kind', 'messageId'], { unique: true })
@Index('lender_messages_of_subject', ['subjectId'], { where: '(subject_id IS NOT NULL)' })
export class LenderMessage {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'lender_messages_pkey',
  })
  readonly id: number;

  @Column({ name: 'lender_code', type: 'text' })
  readonly lenderCode: string;

  @Column({ type: 'text' })
  readonly kind: 'ANSWER' | 'OFFER_REVISION' | 'LOAN_EVENT' | 'STATEMENT';

  @Column({ name: 'message_id', type: 'text' })
  readonly messageId: string;

  /** Null for a statement, which is of many loans. */
  @Column({ name: 'partner_id', type: 'text', nullable: true })
  readonly partnerId: string | null;

  /** The journey or the instant loan; null for a statement. */
  @Column({ name: 'subject_id', type: 'text', nullable: true })
  readonly subjectId: string | null;

  /** A keyed hash: it reveals another message under the same id. */
  @Column({ name: 'body_hash', type: 'text' })
  readonly bodyHash: string;

  @Column({ name: 'body_sealed', type: 'text', nullable: true })
  readonly bodySealed: string | null;

  @Column({ name: 'received_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly receivedAt: Date;
}
