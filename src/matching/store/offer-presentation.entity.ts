import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Partner } from '../../auth/store/partner.entity.js';
import type { IndianDay } from '../../loans/index.js';
import { type Language, NowColumn, NullableColumn } from '../../platform/index.js';
import type { PresentationPlace } from '../presentation.js';

/** Append-only, without personal data. */
@Entity('offer_presentations')
@Check('offer_presentations_kind', `kind IN ('SHOWN', 'CHOSEN')`)
@Check('offer_presentations_place', `place IN ('PAGE', 'API')`)
@Check('offer_presentations_language', `language IN ('en', 'hi')`)
@Index('offer_presentations_once', ['subjectId', 'fingerprint'], { unique: true })
export class OfferPresentation {
  @PrimaryColumn('text')
  readonly id: string;

  @Column('text')
  @ForeignKey(() => Partner)
  readonly partnerId: string;

  /** Id of a journey, or of an eligibility call. */
  @Column('text')
  readonly subjectId: string;

  @Column('integer')
  readonly round: number;

  @Column('text')
  readonly kind: 'SHOWN' | 'CHOSEN';

  @Column('text')
  readonly place: PresentationPlace;

  @NullableColumn('text')
  readonly language: Language | null;

  /** With its version. */
  @Column('text')
  readonly metric: string;

  /** JSON, as hashed. */
  @Column('text')
  readonly content: string;

  /** SHA-256 (hex). */
  @Column('text')
  readonly contentHash: string;

  /** Date in India. */
  @Column('date')
  readonly day: IndianDay;

  /** SHA-256 (hex); equal presentations are recorded once a day. */
  @Column('text')
  readonly fingerprint: string;

  @NowColumn
  readonly recordedAt: Date;
}
