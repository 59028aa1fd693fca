import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { JourneyRow } from './journey.entity.js';

@Entity('journey_redirects')
@Check('journey_redirects_step', `step IN ('KYC', 'MANDATE', 'ESIGN')`)
@Index('journey_redirects_once', ['journeyId', 'step', 'attempt'], { unique: true })
export class JourneyRedirectRow {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'journey_redirects_pkey' })
  id: string;

  @Column({ name: 'partner_id', type: 'text' })
  partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  @ForeignKey(() => JourneyRow, 'id', { name: 'journey_redirects_journey' })
  journeyId: string;

  @Column({ name: 'lender_code', type: 'text' })
  lenderCode: string;

  @Column({ type: 'text' })
  step: string;

  @Column({ type: 'integer' })
  attempt: number;

  @Column({ type: 'text', nullable: true })
  verdict: string | null;

  @Column({ name: 'visited_at', type: 'timestamptz', nullable: true })
  visitedAt: Date | null;

  @Column({ name: 'returned_at', type: 'timestamptz', nullable: true })
  returnedAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
