import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Language } from '../../platform/index.js';
import type { SmsKind } from '../../settings/index.js';

/** A text message of the simulated gateway; empty in production. */
@Entity('sandbox_sms')
@Index('sandbox_sms_newest', ['receivedAt', 'id'])
@Index('sandbox_sms_by_mobile', ['mobileHash', 'receivedAt', 'id'])
@Index('sandbox_sms_by_subject', ['subjectId'])
export class SandboxSms {
  /** The message's own id, so that it is stored once. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'sandbox_sms_pkey' })
  readonly id: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId: string;

  @Column({ type: 'text' })
  readonly kind: SmsKind;

  @Column({ type: 'text' })
  readonly language: Language;

  @Column({ name: 'mobile_hash', type: 'text' })
  readonly mobileHash: string;

  @Column({ name: 'content_sealed', type: 'text' })
  readonly contentSealed: string;

  @Column({ name: 'received_at', type: 'timestamptz' })
  readonly receivedAt: Date;
}
