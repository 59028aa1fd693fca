import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Language } from '../../platform/index.js';
import { Journey } from './journey.entity.js';

/**
 * What an applicant has agreed to: the exact text, its version, when and from where. A trigger has it join
 * the log of all consents.
 */
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

  /** Exactly what was agreed to. */
  @Column({ name: 'shown_text', type: 'text' })
  readonly shownText: string;

  /** SHA-256 (hex) of it. */
  @Column({ name: 'text_hash', type: 'text' })
  readonly textHash: string;

  /** Null once it is erased. */
  @Column({ name: 'client_address_sealed', type: 'text', nullable: true })
  readonly clientAddressSealed: string | null;

  /** Those that the text names. */
  @Column({ name: 'lender_codes', type: 'text', array: true })
  readonly lenderCodes: readonly string[];

  /** The hosted session that it was given in. */
  @Column({ name: 'session_id', type: 'text', nullable: true })
  readonly sessionId: string | null;

  @Column({ name: 'given_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly givenAt: Date;
}
