import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';
import type { Paise } from '../../loans/index.js';
import { paise } from '../../platform/index.js';
import type { LoanAmountSource } from '../leads.dto.js';

/** Partners call it a lead. */
@Entity('applications')
@Index('applications_newest', ['partnerId', 'submittedAt', 'id'])
@Index('applications_by_status', ['partnerId', 'status', 'submittedAt', 'id'])
@Index('applications_by_type', ['partnerId', 'loanType', 'submittedAt', 'id'])
@Index('applications_by_type_and_status', ['partnerId', 'loanType', 'status', 'submittedAt', 'id'])
@Index('applications_by_journey', ['journeyId'])
@Index('applications_by_reference', ['partnerId', 'referenceHash', 'submittedAt', 'id'], {
  where: 'reference_hash IS NOT NULL',
})
@Index('applications_reference_once', ['partnerId', 'referenceHash'], {
  unique: true,
  where: 'is_reference_unique',
})
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

  /** For a journey, its state. */
  @Column('text')
  readonly status: string;

  /** Before the last write; may equal `status`. */
  @Column('text', { name: 'previous_status', nullable: true })
  readonly previousStatus: string | null;

  /** Counts the changes of the status. */
  @Column('integer', { name: 'status_changes', default: 0 })
  readonly statusChanges: number;

  @Column('text', { name: 'journey_id' })
  readonly journeyId: string;

  @Column('text', { name: 'reference_sealed', nullable: true })
  readonly referenceSealed: string | null;

  @Column('text', { name: 'reference_hash', nullable: true })
  readonly referenceHash: string | null;

  /** The key asked for references that are used once. */
  @Column('boolean', { name: 'is_reference_unique', default: false })
  readonly isReferenceUnique: boolean;

  @Column('timestamptz', { name: 'submitted_at' })
  readonly submittedAt: Date;

  /** When the status last changed. */
  @Column('timestamptz', { name: 'updated_at', default: () => 'app_now()' })
  readonly updatedAt: Date;
}

// Copied for each column: TypeORM modifies the object.
const PRIMARY_KEY = { primaryKeyConstraintName: 'lead_counts_pkey' };

/** Leads per day, without the pending deltas. */
@Entity('lead_counts')
export class LeadCount {
  @PrimaryColumn('text', { name: 'partner_id', ...PRIMARY_KEY })
  readonly partnerId: string;

  /** '' for every type. */
  @PrimaryColumn('text', { name: 'loan_type', ...PRIMARY_KEY })
  readonly loanType: string;

  /** '' for every status. */
  @PrimaryColumn('text', { ...PRIMARY_KEY })
  readonly status: string;

  /** In India. */
  @PrimaryColumn('date', { ...PRIMARY_KEY })
  readonly day: string;

  @Column('bigint')
  readonly leads: number;
}

const DELTA_PRIMARY_KEY = { primaryKeyConstraintName: 'lead_count_deltas_pkey' };

/** Not folded into the counts yet; written only by triggers. */
@Entity('lead_count_deltas')
export class LeadCountDelta {
  @PrimaryColumn('text', { name: 'partner_id', ...DELTA_PRIMARY_KEY })
  readonly partnerId: string;

  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    ...DELTA_PRIMARY_KEY,
  })
  readonly id: number;

  @Column('text', { name: 'loan_type' })
  readonly loanType: string;

  @Column('text')
  readonly status: string;

  /** Of the submission, in India. */
  @Column('date')
  readonly day: string;

  @Column('smallint')
  readonly change: 1 | -1;
}
