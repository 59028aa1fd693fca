import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';
import type { Language } from '../../platform/index.js';
import type { SmsKind } from '../../settings/index.js';

/**
 * WAITING is open; the others are final. REFUSED: by the gateway for good, or by the limit of a day.
 * GIVEN_UP: so many tries with an unknown outcome that another might be the same message once too
 * often. CANCELLED: its applicant was erased, or what it tells holds no more.
 */
export const SMS_STATUSES = [
  'WAITING',
  'HANDED_OVER',
  'REFUSED',
  'GIVEN_UP',
  'EXPIRED',
  'CANCELLED',
] as const;

export type SmsStatus = (typeof SMS_STATUSES)[number];

/** A text message on its way to an applicant. */
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
export class SmsMessage {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'sms_messages_pkey' })
  readonly id: string;

  @Column({ name: 'partner_id', type: 'text' })
  @ForeignKey(() => Partner, 'id', { name: 'sms_messages_partner' })
  readonly partnerId: string;

  /** The journey or application that it belongs to. */
  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId: string;

  @Column({ type: 'text' })
  readonly kind: SmsKind;

  @Column({ type: 'text' })
  readonly language: Language;

  /** Number and values; null once the message is final, whatever became of it. */
  @Column({ name: 'content_sealed', type: 'text', nullable: true })
  readonly contentSealed: string | null;

  @Column({ type: 'text', default: 'WAITING' })
  readonly status: SmsStatus;

  /** Tries that were begun. */
  @Column({ type: 'integer', default: 0 })
  readonly attempts: number;

  /** Tries after which nobody knew whether the gateway had taken the message. */
  @Column({ type: 'integer', default: 0 })
  readonly unknowns: number;

  @Column({ name: 'last_failure', type: 'text', nullable: true })
  readonly lastFailure: string | null;

  /** From when on it may be claimed; while it is claimed, the end of the lease. */
  @Column({ name: 'next_attempt_at', type: 'timestamptz' })
  readonly nextAttemptAt: Date;

  /** From then on it is of no use and is not sent any more. */
  @Column({ name: 'expires_at', type: 'timestamptz' })
  readonly expiresAt: Date;

  /** Raised by every claim; a result reported under a lower one is void. */
  @Column({ name: 'lease_token', type: 'bigint', default: 0 })
  readonly leaseToken: number;

  @Column({ name: 'lease_until', type: 'timestamptz', nullable: true })
  readonly leaseUntil: Date | null;

  /** The kind of gateway that took it. */
  @Column({ type: 'text', nullable: true })
  readonly gateway: string | null;

  @Column({ name: 'gateway_message_id', type: 'text', nullable: true })
  readonly gatewayMessageId: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  readonly createdAt: Date;

  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  readonly finishedAt: Date | null;
}
