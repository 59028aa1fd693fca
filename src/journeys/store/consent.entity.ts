import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { JourneyRow } from './journey.entity.js';

@Entity('consents')
@Check('consents_language', `language IN ('en', 'hi')`)
@Index('consents_once', ['journeyId', 'textVersion'], { unique: true })
export class ConsentRow {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'consents_pkey' })
  id: string;

  @Column({ name: 'partner_id', type: 'text' })
  partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  @ForeignKey(() => JourneyRow, 'id', { name: 'consents_journey' })
  journeyId: string;

  @Column({ name: 'text_version', type: 'text' })
  textVersion: string;

  @Column({ type: 'text' })
  language: string;

  /** Exactly what was agreed to. */
  @Column({ name: 'shown_text', type: 'text' })
  shownText: string;

  /** SHA-256 (hex) of it. */
  @Column({ name: 'text_hash', type: 'text' })
  textHash: string;

  /** Null once it is erased. */
  @Column({ name: 'client_address_sealed', type: 'text', nullable: true })
  clientAddressSealed: string | null;

  @Column({ name: 'given_at', type: 'timestamptz' })
  givenAt: Date;
}
