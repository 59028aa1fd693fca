import { Check, Column, Entity, Index } from 'typeorm';
import { PartnerColumn } from '../../auth/store/partner.entity.js';
import {
  CountColumn,
  type Language,
  Leased,
  NullableTextColumn,
  NullableTimeColumn,
  TextColumn,
  TextKeyColumn,
  TimeColumn,
} from '../../platform/index.js';
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
  @TextKeyColumn
  readonly id: string;

  @PartnerColumn
  readonly partnerId: string;

  @TextColumn
  readonly subjectId: string;

  @TextColumn
  readonly kind: SmsKind;

  @TextColumn
  readonly language: Language;

  /** Null once final. */
  @NullableTextColumn
  readonly contentSealed: string | null;

  @Column('text', { default: 'WAITING' })
  readonly status: SmsStatus;

  @CountColumn
  readonly attempts: number;

  /** Attempts with an unknown outcome. */
  @CountColumn
  readonly unknowns: number;

  @NullableTextColumn
  readonly lastFailure: string | null;

  /** When it may be claimed; while claimed, the lease's end. */
  @TimeColumn
  readonly nextAttemptAt: Date;

  @TimeColumn
  readonly expiresAt: Date;

  @NullableTextColumn
  readonly gateway: string | null;

  @NullableTextColumn
  readonly gatewayMessageId: string | null;

  @TimeColumn
  readonly createdAt: Date;

  @NullableTimeColumn
  readonly finishedAt: Date | null;
}
