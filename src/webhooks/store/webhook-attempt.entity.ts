import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OutboundFailureReason } from '../../platform/index.js';

/** One try at a delivery and what came of it. */
@Entity('webhook_attempts')
export class WebhookAttempt {
  @PrimaryColumn('text', {
    name: 'delivery_id',
    primaryKeyConstraintName: 'webhook_attempts_pkey',
  })
  readonly deliveryId: string;

  /** From 1. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'webhook_attempts_pkey' })
  readonly attempt: number;

  @Column('text', { name: 'partner_id' })
  readonly partnerId: string;

  @Column('timestamptz', { name: 'started_at' })
  readonly startedAt: Date;

  @Column('integer', { name: 'duration_ms' })
  readonly durationMs: number;

  /** Null when no answer came. */
  @Column('integer', { name: 'response_status', nullable: true })
  readonly responseStatus: number | null;

  /** The first kilobyte of the answer. */
  @Column('text', { name: 'response_excerpt', nullable: true })
  readonly responseExcerpt: string | null;

  /** Why no usable answer came; null when one came. */
  @Column('text', { nullable: true })
  readonly failure: OutboundFailureReason | null;
}
