import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('hosted_limits')
@Index('hosted_limits_ending', ['endsAt'])
export class HostedLimitRow {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'hosted_limits_pkey' })
  kind: string;

  @PrimaryColumn({
    name: 'subject_hash',
    type: 'text',
    primaryKeyConstraintName: 'hosted_limits_pkey',
  })
  subjectHash: string;

  @Column({ type: 'integer' })
  count: number;

  @Column({ name: 'ends_at', type: 'timestamptz' })
  endsAt: Date;
}
