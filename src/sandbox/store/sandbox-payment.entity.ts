import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What the simulated payment gateway knows of an order; production never writes here. */
@Entity('sandbox_payments')
@Check('sandbox_payments_outcome', `outcome IN ('PAID', 'FAILED')`)
@Index('sandbox_payments_by_subject', ['subjectId'])
@Index('sandbox_payments_due', ['nextCallbackAt'], { where: '(next_callback_at IS NOT NULL)' })
export class SandboxPaymentRow {
  @PrimaryColumn({
    name: 'order_id',
    type: 'text',
    primaryKeyConstraintName: 'sandbox_payments_pkey',
  })
  orderId: string;

  @Column({ name: 'partner_id', type: 'text' })
  partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  subjectId: string;

  @Column({ type: 'bigint' })
  amount: number;

  /** Null once it is erased. */
  @Column({ name: 'details_sealed', type: 'text', nullable: true })
  detailsSealed: string | null;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ type: 'text', nullable: true })
  outcome: string | null;

  @Column({ type: 'text', nullable: true })
  method: string | null;

  @Column({ name: 'payment_id', type: 'text', nullable: true })
  paymentId: string | null;

  /** From then on the outcome is true; it may lie ahead. */
  @Column({ name: 'decided_at', type: 'timestamptz', nullable: true })
  decidedAt: Date | null;

  @Column({ name: 'cancelled_at', type: 'timestamptz', nullable: true })
  cancelledAt: Date | null;

  @Column({ name: 'callbacks_left', type: 'integer', default: 0 })
  callbacksLeft: number;

  @Column({ name: 'callback_failures', type: 'integer', default: 0 })
  callbackFailures: number;

  @Column({ name: 'next_callback_at', type: 'timestamptz', nullable: true })
  nextCallbackAt: Date | null;

  @Column({ name: 'lease_token', type: 'bigint', default: 0 })
  leaseToken: number;

  @Column({ name: 'lease_until', type: 'timestamptz', nullable: true })
  leaseUntil: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
