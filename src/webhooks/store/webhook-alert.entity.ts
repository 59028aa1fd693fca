import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';
import type { AlertName } from '../domain/webhook-events.js';

/** That a partner has been told of a thing; its key has each told once, on any number of replicas. */
@Entity('webhook_alerts')
export class WebhookAlert {
  @ForeignKey(() => Partner, { name: 'webhook_alerts_partner' })
  @PrimaryColumn('text', { name: 'partner_id', primaryKeyConstraintName: 'webhook_alerts_pkey' })
  readonly partnerId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'webhook_alerts_pkey' })
  readonly name: AlertName;

  /** The subscription or the key. */
  @PrimaryColumn('text', {
    name: 'subject_id',
    primaryKeyConstraintName: 'webhook_alerts_pkey',
  })
  readonly subjectId: string;

  /** Since when it is so, to the millisecond: what ends and begins again is told again. */
  @PrimaryColumn('timestamptz', { primaryKeyConstraintName: 'webhook_alerts_pkey' })
  readonly since: Date;

  /** What tells of it; removed for its age before this row is. */
  @Column('text', { name: 'event_id' })
  readonly eventId: string;

  @Column('timestamptz', { name: 'created_at', default: () => 'app_now()' })
  readonly createdAt: Date;
}

/** An alert that is still to be e-mailed; removed when it has been, or after a day of tries. */
@Entity('webhook_alert_emails')
@Index('webhook_alert_emails_due', ['nextAttemptAt'])
export class WebhookAlertEmail {
  @PrimaryColumn('text', {
    name: 'event_id',
    primaryKeyConstraintName: 'webhook_alert_emails_pkey',
  })
  readonly eventId: string;

  @ForeignKey(() => Partner, { name: 'webhook_alert_emails_partner' })
  @Column('text', { name: 'partner_id' })
  readonly partnerId: string;

  /** Tries that were begun. */
  @Column('integer', { default: 0 })
  readonly attempts: number;

  /** From when on it may be tried; a try puts it off before it begins, so that two replicas do not try at once. */
  @Column('timestamptz', { name: 'next_attempt_at', default: () => 'app_now()' })
  readonly nextAttemptAt: Date;
}
