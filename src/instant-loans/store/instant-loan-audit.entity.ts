import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

@Entity('instant_loan_audit')
@Index('instant_loan_audit_by_application', ['applicationId'])
export class InstantLoanAuditRow {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'instant_loan_audit_pkey',
  })
  id: number;

  @Column({ name: 'partner_id', type: 'text' })
  partnerId: string;

  @Column({ name: 'application_id', type: 'text' })
  applicationId: string;

  @Column({ type: 'text' })
  trigger: string;

  @Column({ name: 'from_status', type: 'text', nullable: true })
  fromStatus: string | null;

  @Column({ name: 'to_status', type: 'text' })
  toStatus: string;

  @Column({ type: 'jsonb' })
  detail: object;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
  createdAt: Date;
}
