import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How often something was done in the span of time that goes on, or has ended. */
@Entity('hosted_limits')
@Index('hosted_limits_ending', ['endsAt'])
export class HostedLimitCount {
  /** What is counted: a `HostedLimit`. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'hosted_limits_pkey' })
  readonly kind: string;

  /** Of whom it is counted for. */
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
