import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One try at a delivery and what came of it. */
@Entity('webhook_attempts')
export class WebhookAttempt {
  @PrimaryColumn('text', {
    name: 'delivery_id',
    primaryKeyConstraintName: 'webhook_attempts_pkey',
  })
  deliveryId: string;

  /** From 1. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'webhook_attempts_pkey' })
  attempt: number;

  @Column('text', { name: 'partner_id' })
  partnerId: string;

  @Column('timestamptz', { name: 'started_at' })
  startedAt: Date;

  @Column('integer', { name: 'duration_ms' })
  durationMs: number;

  /** Null when no answer came. */
  @Column('integer', { name: 'response_status', nullable: true })
  responseStatus: number | null;

  /** The first kilobyte of the answer. */
  @Column('text', { name: 'response_excerpt', nullable: true })
  responseExcerpt: string | null;

  /** Why no usable answer came, an `OutboundFailureReason`; null when one came. */
  @Column('text', { nullable: true })
  failure: string | null;
}
