import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { JourneyRow } from './journey.entity.js';

@Entity('one_time_codes')
@Index('one_time_codes_newest', ['journeyId', 'createdAt', 'id'])
@Index('one_time_codes_expiring', ['expiresAt'])
export class OneTimeCodeRow {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'one_time_codes_pkey' })
  id: string;

  @Column({ name: 'partner_id', type: 'text' })
  partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  @ForeignKey(() => JourneyRow, 'id', { name: 'one_time_codes_journey' })
  journeyId: string;

  /** The session that it was sent for. */
  @Column({ name: 'session_id', type: 'text' })
  sessionId: string;

  @Column({ name: 'code_hash', type: 'text' })
  codeHash: string;

  @Column({ type: 'integer', default: 0 })
  tries: number;

  @Column({ name: 'sms_id', type: 'text' })
  smsId: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ name: 'used_at', type: 'timestamptz', nullable: true })
  usedAt: Date | null;
}
