import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A count in the current or the last time window. */
@Entity('hosted_limits')
@Index('hosted_limits_ending', ['endsAt'])
export class HostedLimitCount {
  /** A `HostedLimit`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'hosted_limits_pkey' })
  readonly kind: string;

  @PrimaryColumn({
    name: 'subject_hash',
    type: 'text',
    primaryKeyConstraintName: 'hosted_limits_pkey',
  })
  readonly subjectHash: string;

  @Column({ type: 'integer' })
  readonly count: number;

  @Column({ name: 'ends_at', type: 'timestamptz' })
  readonly endsAt: Date;
}
