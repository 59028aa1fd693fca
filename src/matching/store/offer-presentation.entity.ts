import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';
import type { IndianDay } from '../../loans/index.js';
import type { Language } from '../../platform/index.js';
import type { PresentationPlace } from '../presentation.js';

/** Append-only, without personal data. */
@Entity('offer_presentations')
@Check('offer_presentations_kind', `kind IN ('SHOWN', 'CHOSEN')`)
@Check('offer_presentations_place', `place IN ('PAGE', 'API')`)
@Check('offer_presentations_language', `language IN ('en', 'hi')`)
@Index('offer_presentations_once', ['subjectId', 'fingerprint'], { unique: true })
export class OfferPresentation {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'offer_presentations_pkey' })
  readonly id: string;

  @Column({ name: 'partner_id', type: 'text' })
  @ForeignKey(() => Partner, 'id', { name: 'offer_presentations_partner' })
  readonly partnerId: string;

  /** Id of a journey, or of an eligibility call. */
  @Column({ name: 'subject_id', type: 'text' })
  readonly subjectId: string;

  @Column({ type: 'integer' })
  readonly round: number;

  @Column({ type: 'text' })
  readonly kind: 'SHOWN' | 'CHOSEN';

  @Column({ type: 'text' })
  readonly place: PresentationPlace;

  @Column({ type: 'text', nullable: true })
  readonly language: Language | null;

  /** With its version. */
  @Column({ type: 'text' })
  readonly metric: string;

  /** JSON, as hashed. */
  @Column({ type: 'text' })
  readonly content: string;

  /** SHA-256 (hex). */
  @Column({ name: 'content_hash', type: 'text' })
  readonly contentHash: string;

  /** Date in India. */
  @Column({ type: 'date' })
  readonly day: IndianDay;

  /** SHA-256 (hex); equal presentations are recorded once a day. */
  @Column({ type: 'text' })
  readonly fingerprint: string;

  @Column({ name: 'recorded_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly recordedAt: Date;
}
