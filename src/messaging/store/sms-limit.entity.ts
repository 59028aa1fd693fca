import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

@Entity('sms_limits')
@Index('sms_limits_ending', ['endsAt'])
export class SmsLimit {
  @PrimaryColumn({
    name: 'mobile_hash',
    type: 'text',
    primaryKeyConstraintName: 'sms_limits_pkey',
  })
  readonly mobileHash: string;

  @Column({ type: 'integer' })
  readonly count: number;

  @Column({ name: 'ends_at', type: 'timestamptz' })
  readonly endsAt: Date;
}
