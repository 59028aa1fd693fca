import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';
import type { Paise } from '../../loans/index.js';
import { paise } from '../../platform/index.js';
import type { LoanAmountSource } from '../loan-amount-source.js';

/** What partners call a lead. */
@Entity('applications')
@Index('applications_newest', ['partnerId', 'submittedAt', 'id'])
@Index('applications_by_status', ['partnerId', 'status', 'submittedAt', 'id'])
@Index('applications_by_type', ['partnerId', 'loanType', 'submittedAt', 'id'])
@Index('applications_by_type_and_status', ['partnerId', 'loanType', 'status', 'submittedAt', 'id'])
@Index('applications_by_journey', ['journeyId'])
export class Application {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'applications_pkey' })
  readonly id: string;

  @ForeignKey(() => Partner, { name: 'applications_partner' })
  @Column('text', { name: 'partner_id' })
  readonly partnerId: string;

  /** The product's code. */
  @Column('text', { name: 'loan_type' })
  readonly loanType: string;

  @Column('bigint', { name: 'loan_amount', transformer: paise })
  readonly loanAmount: Paise;

  @Column('text', { name: 'loan_amount_source' })
  readonly loanAmountSource: LoanAmountSource;

  /** Of a journey, its state. */
  @Column('text')
  readonly status: string;

  @Column('text', { name: 'journey_id' })
  readonly journeyId: string;

  @Column('timestamptz', { name: 'submitted_at' })
  readonly submittedAt: Date;

  @Column('timestamptz', { name: 'updated_at', default: () => 'app_now()' })
  readonly updatedAt: Date;
}
