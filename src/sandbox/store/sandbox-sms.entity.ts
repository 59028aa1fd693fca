import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A text message as the simulated gateway took it; production has the table and no row. */
@Entity('sandbox_sms')
@Index('sandbox_sms_newest', ['receivedAt', 'id'])
@Index('sandbox_sms_by_mobile', ['mobileHash', 'receivedAt', 'id'])
@Index('sandbox_sms_by_subject', ['subjectId'])
export class SandboxSmsRow {
  /** The message's own id, so that the same message taken twice stands here once. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'sandbox_sms_pkey' })
  id: string;

  @Column({ name: 'partner_id', type: 'text' })
  partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  subjectId: string;

  @Column({ type: 'text' })
  kind: string;

  @Column({ type: 'text' })
  language: 'en' | 'hi';

  @Column({ name: 'mobile_hash', type: 'text' })
  mobileHash: string;

  @Column({ name: 'content_sealed', type: 'text' })
  contentSealed: string;

  @Column({ name: 'received_at', type: 'timestamptz' })
  receivedAt: Date;
}
