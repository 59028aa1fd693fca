import { Column, Entity, PrimaryColumn } from 'typeorm';

// Spread into each: TypeORM writes the type into the object that it is given.
const PRIMARY_KEY = { primaryKeyConstraintName: 'lead_counts_pkey' };

/**
 * How many leads of one of a partner's lists lie in one stretch of it. The whole scheme is told
 * where the table is made, in the migration.
 */
@Entity('lead_counts')
export class LeadCount {
  @PrimaryColumn('text', { name: 'partner_id', ...PRIMARY_KEY })
  readonly partnerId: string;

  /** 0: a chunk; 1: a span of chunks; 2: the whole list. */
  @PrimaryColumn('smallint', { ...PRIMARY_KEY })
  readonly level: 0 | 1 | 2;

  /** '' for every type. */
  @PrimaryColumn('text', { name: 'loan_type', ...PRIMARY_KEY })
  readonly loanType: string;

  /** '' for every status. */
  @PrimaryColumn('text', { ...PRIMARY_KEY })
  readonly status: string;

  /** Where the stretch starts, with `startsId`: at this lead or right after where it would be. */
  @PrimaryColumn('timestamptz', { name: 'starts_at', ...PRIMARY_KEY })
  readonly startsAt: Date;

  @PrimaryColumn('text', { name: 'starts_id', ...PRIMARY_KEY })
  readonly startsId: string;

  @Column('bigint')
  readonly leads: number;
}
