import { Column, Entity, PrimaryColumn } from 'typeorm';

// Spread into each: TypeORM writes the type into the object that it is given.
const PRIMARY_KEY = { primaryKeyConstraintName: 'lead_counts_pkey' };

/** How many leads of a partner, a type and a status were submitted on a day; pending deltas are not yet included. */
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
