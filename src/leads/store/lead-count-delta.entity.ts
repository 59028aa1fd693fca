import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

const PRIMARY_KEY = { primaryKeyConstraintName: 'lead_count_deltas_pkey' };

/** A change of the counts that has not been folded into them yet; written by triggers alone. */
@Entity('lead_count_deltas')
export class LeadCountDelta {
  @PrimaryColumn('text', { name: 'partner_id', ...PRIMARY_KEY })
  readonly partnerId: string;

  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    ...PRIMARY_KEY,
  })
  readonly id: number;

  @Column('text', { name: 'loan_type' })
  readonly loanType: string;

  @Column('text')
  readonly status: string;

  /** Of the submission, in India. */
  @Column('date')
  readonly day: string;

  /** 1 for a lead that has come into the list, -1 for one that has left it. */
  @Column('smallint')
  readonly change: 1 | -1;
}
