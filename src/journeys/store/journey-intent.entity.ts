import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { JourneyRow } from './journey.entity.js';

@Entity('journey_intents')
@Check('journey_intents_payload', `payload_sealed IS NOT NULL OR status <> 'OPEN'`)
@Check('journey_intents_status', `status IN ('OPEN', 'COMPLETED', 'WITHDRAWN')`)
@Index('journey_intents_one_open', ['journeyId'], { unique: true, where: `status = 'OPEN'` })
export class JourneyIntentRow {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'journey_intents_pkey' })
  id: string;

  @Column({ name: 'partner_id', type: 'text' })
  partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  @ForeignKey(() => JourneyRow, 'id', { name: 'journey_intents_journey' })
  journeyId: string;

  @Column({ type: 'text' })
  kind: string;

  /** Null once it is erased. */
  @Column({ name: 'payload_sealed', type: 'text', nullable: true })
  payloadSealed: string | null;

  @Column({ type: 'text' })
  state: string;

  @Column({ type: 'bigint' })
  fence: number;

  @Column({ type: 'text', default: 'OPEN' })
  status: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'resolved_at', type: 'timestamptz', nullable: true })
  resolvedAt: Date | null;
}
