import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';

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
