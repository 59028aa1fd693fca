import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

@Entity('payment_audit')
@Index('payment_audit_by_order', ['orderId'])
export class PaymentAuditRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'payment_audit_pkey',
  })
  id: number;

  @Column({ name: 'partner_id', type: 'text' })
  partnerId: string;

  @Column({ name: 'subject_id', type: 'text' })
  subjectId: string;

  @Column({ name: 'order_id', type: 'text' })
  orderId: string;

  @Column({ type: 'text' })
  trigger: string;

  @Column({ name: 'from_status', type: 'text', nullable: true })
  fromStatus: string | null;

  @Column({ name: 'to_status', type: 'text' })
  toStatus: string;

  @Column({ type: 'jsonb' })
  detail: object;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
