import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Language } from '../../platform/index.js';
import { Journey } from './journey.entity.js';

/** A trigger copies each row to the consent log. */
@Entity('consents')
@Check('consents_language', `language IN ('en', 'hi')`)
@Index('consents_once', ['journeyId', 'textVersion'], { unique: true })
export class Consent {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'consents_pkey' })
  readonly id: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  @ForeignKey(() => Journey, 'id', { name: 'consents_journey' })
  readonly journeyId: string;

  @Column({ name: 'text_version', type: 'text' })
  readonly textVersion: string;

  @Column({ type: 'text' })
  readonly language: Language;

  @Column({ name: 'shown_text', type: 'text' })
  readonly shownText: string;

  /** SHA-256 (hex) of `shownText`. */
  @Column({ name: 'text_hash', type: 'text' })
  readonly textHash: string;

  /** Null once erased. */
  @Column({ name: 'client_address_sealed', type: 'text', nullable: true })
  readonly clientAddressSealed: string | null;

  @Column({ name: 'lender_codes', type: 'text', array: true })
  readonly lenderCodes: readonly string[];

  @Column({ name: 'session_id', type: 'text', nullable: true })
  readonly sessionId: string | null;

  @Column({ name: 'given_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly givenAt: Date;
}
