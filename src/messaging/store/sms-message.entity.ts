import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';
import { CountColumn, type Language, Leased, NullableColumn } from '../../platform/index.js';
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
  @PrimaryColumn('text')
  readonly id: string;

  @Column('text')
  @ForeignKey(() => Partner)
  readonly partnerId: string;

  @Column('text')
  readonly subjectId: string;

  @Column('text')
  readonly kind: SmsKind;

  @Column('text')
  readonly language: Language;

  /** Null once final. */
  @NullableColumn('text')
  readonly contentSealed: string | null;

  @Column('text', { default: 'WAITING' })
  readonly status: SmsStatus;

  @CountColumn
  readonly attempts: number;

  /** Attempts with an unknown outcome. */
  @CountColumn
  readonly unknowns: number;

  @NullableColumn('text')
  readonly lastFailure: string | null;

  /** When it may be claimed; while claimed, the lease's end. */
  @Column('timestamptz')
  readonly nextAttemptAt: Date;

  @Column('timestamptz')
  readonly expiresAt: Date;

  @NullableColumn('text')
  readonly gateway: string | null;

  @NullableColumn('text')
  readonly gatewayMessageId: string | null;

  @Column('timestamptz')
  readonly createdAt: Date;

  @NullableColumn('timestamptz')
  readonly finishedAt: Date | null;
}
