import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';
import { type Language, Leased } from '../../platform/index.js';
import type { SmsKind } from '../../settings/index.js';

/**
 * Only WAITING is open. REFUSED: by the gateway or the daily limit. GIVEN_UP: too many unknown outcomes. CANCELLED:
 * applicant erased, or news outdated.
 */
const SMS_STATUSES = [
  'WAITING',
  'HANDED_OVER',
  'REFUSED',
  'GIVEN_UP',
  'EXPIRED',
  'CANCELLED',
] as const;

export type SmsStatus = (typeof SMS_STATUSES)[number];

@Entity('sms_messages')
@Check(
  'sms_messages_status',
  `status IN ('WAITING', 'HANDED_OVER', 'REFUSED', 'GIVEN_UP', 'EXPIRED', 'CANCELLED')`,
)
@Check('sms_messages_language', `language IN ('en', 'hi')`)
@Check('sms_messages_content', `(content_sealed IS NOT NULL) = (status = 'WAITING')`)
@Index('sms_messages_due', ['nextAttemptAt'], { where: `(status = 'WAITING'::text)` })
@Index('sms_messages_expiring', ['expiresAt'], { where: `(status = 'WAITING'::text)` })
@Index('sms_messages_by_subject', ['subjectId'])
export class SmsMessage extends Leased {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'sms_messages_pkey' })
  readonly id: string;

  @Column({ name: 'partner_id', type: 'text' })
  @ForeignKey(() => Partner, 'id', { name: 'sms_messages_partner' })
  readonly partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId: string;

  @Column({ type: 'text' })
  readonly kind: SmsKind;

  @Column({ type: 'text' })
  readonly language: Language;

  /** Null once final. */
  @Column({ name: 'content_sealed', type: 'text', nullable: true })
  readonly contentSealed: string | null;

  @Column({ type: 'text', default: 'WAITING' })
  readonly status: SmsStatus;

  @Column({ type: 'integer', default: 0 })
  readonly attempts: number;

  /** Attempts with an unknown outcome. */
  @Column({ type: 'integer', default: 0 })
  readonly unknowns: number;

  @Column({ name: 'last_failure', type: 'text', nullable: true })
  readonly lastFailure: string | null;

  /** When it may be claimed; while claimed, the lease's end. */
  @Column({ name: 'next_attempt_at', type: 'timestamptz' })
  readonly nextAttemptAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  readonly expiresAt: Date;

  @Column({ type: 'text', nullable: true })
  readonly gateway: string | null;

  @Column({ name: 'gateway_message_id', type: 'text', nullable: true })
  readonly gatewayMessageId: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  readonly createdAt: Date;

  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  readonly finishedAt: Date | null;
}
