import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';

/** A partner's events in the order in which it reads them, by their positions; from its first read on. */
@Entity('webhook_streams')
@Check('webhook_streams_removed', 'removed_to <= placed_to')
export class WebhookStream {
  @ForeignKey(() => Partner, { name: 'webhook_streams_partner' })
  @PrimaryColumn('text', {
    name: 'partner_id',
    primaryKeyConstraintName: 'webhook_streams_pkey',
  })
  readonly partnerId: string;

  /** The last position that is taken; not every one before it has an event. */
  @Column('bigint', { name: 'placed_to', default: 0 })
  readonly placedTo: number;

  /** An event up to here was removed for its age: what has not been read by now is not whole. */
  @Column('bigint', { name: 'removed_to', default: 0 })
  readonly removedTo: number;
}
