import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CountColumn, NowColumn, TextColumn, TextKeyColumn } from '../../platform/index.js';
import { Partner, PartnerColumn } from '../../auth/store/partner.entity.js';
import type { AlertName } from '../domain/webhook-events.js';

/** The key makes an alert unique across replicas. */
@Entity('webhook_alerts')
export class WebhookAlert {
  @ForeignKey(() => Partner)
  @TextKeyColumn
  readonly partnerId: string;

  @TextKeyColumn
  readonly name: AlertName;

  @TextKeyColumn
  readonly subjectId: string;

  /** If the condition ends and starts again, a new alert follows. */
  @PrimaryColumn('timestamptz')
  readonly since: Date;

  /** The alert's event, deleted for its age before this row. */
  @TextColumn
  readonly eventId: string;

  @NowColumn
  readonly createdAt: Date;
}

/** A queued alert e-mail; deleted once sent, or after a day of attempts. */
@Entity('webhook_alert_emails')
@Index('webhook_alert_emails_due', ['nextAttemptAt'])
export class WebhookAlertEmail {
  @TextKeyColumn
  readonly eventId: string;

  @PartnerColumn
  readonly partnerId: string;

  /** Started attempts. */
  @CountColumn
  readonly attempts: number;

  /** Rescheduled before each attempt, so that two replicas do not send at once. */
  @NowColumn
  readonly nextAttemptAt: Date;
}
