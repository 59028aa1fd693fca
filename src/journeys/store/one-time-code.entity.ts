import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Journey } from './journey.entity.js';

@Entity('one_time_codes')
@Index('one_time_codes_newest', ['journeyId', 'createdAt', 'id'])
@Index('one_time_codes_expiring', ['expiresAt'])
export class OneTimeCode {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'one_time_codes_pkey' })
  readonly id: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  @ForeignKey(() => Journey, 'id', { name: 'one_time_codes_journey' })
  readonly journeyId: string;

  @Column({ name: 'session_id', type: 'text' })
  readonly sessionId: string;

  @Column({ name: 'code_hash', type: 'text' })
  readonly codeHash: string;

  @Column({ type: 'integer', default: 0 })
  readonly tries: number;

  @Column({ name: 'sms_id', type: 'text' })
  readonly smsId: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  readonly createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  readonly expiresAt: Date;

  @Column({ name: 'used_at', type: 'timestamptz', nullable: true })
  readonly usedAt: Date | null;
}
