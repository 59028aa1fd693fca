import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

// Spread into each: TypeORM writes the type into the object that it is given.
const PRIMARY_KEY = { primaryKeyConstraintName: 'lead_counts_pkey' };

/** Leads of a day, without the pending deltas. */
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

/** A change not folded into the counts yet; written only by triggers. */
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
