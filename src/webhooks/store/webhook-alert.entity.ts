import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
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
