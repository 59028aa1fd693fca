import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';

@Entity('lender_questions')
@Check('lender_questions_payload', `payload_sealed IS NOT NULL OR status <> 'OPEN'`)
@Check('lender_questions_status', `status IN ('OPEN', 'ANSWERED', 'CLOSED')`)
@Index('lender_questions_once', ['subjectId', 'kind', 'reference', 'lenderCode'], { unique: true })
@Index('lender_questions_due', ['lenderCode', 'nextAttemptAt'], {
  where: `(status = 'OPEN'::text)`,
})
export class LenderQuestionRow {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'lender_questions_pkey' })
  id: string;

  @Column({ name: 'partner_id', type: 'text' })
  @ForeignKey(() => Partner, 'id', { name: 'lender_questions_partner' })
  partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  subjectId: string;

  @Column({ name: 'lender_code', type: 'text' })
  lenderCode: string;

  @Column({ type: 'text' })
  kind: string;

  @Column({ type: 'text' })
  reference: string;

  /** Null once it is erased. */
  @Column({ name: 'payload_sealed', type: 'text', nullable: true })
  payloadSealed: string | null;

  @Column({ type: 'text', default: 'OPEN' })
  status: 'OPEN' | 'ANSWERED' | 'CLOSED';

  @Column({ type: 'integer', default: 0 })
  attempts: number;

  @Column({ type: 'integer', default: 0 })
  failures: number;

  @Column({ name: 'last_failure', type: 'text', nullable: true })
  lastFailure: string | null;

  /** Of a redirect step: whether the provider, when last heard of, waited for the applicant. */
  @Column({ name: 'is_session_open', type: 'boolean', default: false })
  isSessionOpen: boolean;

  @Column({ name: 'next_attempt_at', type: 'timestamptz' })
  nextAttemptAt: Date;

  @Column({ name: 'lease_token', type: 'bigint', default: 0 })
  leaseToken: number;

  @Column({ name: 'lease_until', type: 'timestamptz', nullable: true })
  leaseUntil: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'closed_at', type: 'timestamptz', nullable: true })
  closedAt: Date | null;
}
