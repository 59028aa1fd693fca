import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';

/** One application for a loan: what partners call a lead. */
@Entity('applications')
@Index('applications_newest', ['partnerId', 'submittedAt', 'id'])
@Index('applications_by_status', ['partnerId', 'status', 'submittedAt', 'id'])
@Index('applications_by_type', ['partnerId', 'loanType', 'submittedAt', 'id'])
@Index('applications_by_type_and_status', ['partnerId', 'loanType', 'status', 'submittedAt', 'id'])
export class Application {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'applications_pkey' })
  id: string;

  @ForeignKey(() => Partner, { name: 'applications_partner' })
  @Column('text', { name: 'partner_id' })
  partnerId: string;

  /** The product's code. */
  @Column('text', { name: 'loan_type' })
  loanType: string;

  /** Paise. */
  @Column('bigint', { name: 'loan_amount' })
  loanAmount: number;

  /** A text that its owner sets: of a journey, the journey's state. */
  @Column('text')
  status: string;

  @Column('text', { name: 'journey_id', nullable: true })
  journeyId: string | null;

  @Column('timestamptz', { name: 'submitted_at' })
  submittedAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}
