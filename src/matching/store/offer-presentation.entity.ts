import { Check, Column, Entity, Index } from 'typeorm';
import { PartnerColumn } from '../../auth/store/partner.entity.js';
import type { IndianDay } from '../../loans/index.js';
import {
  IntegerColumn,
  type Language,
  NowColumn,
  NullableTextColumn,
  TextColumn,
  TextKeyColumn,
} from '../../platform/index.js';
import type { PresentationPlace } from '../presentation.js';

/** Append-only, without personal data. */
@Entity('offer_presentations')
@Check('offer_presentations_kind', `kind IN ('SHOWN', 'CHOSEN')`)
@Check('offer_presentations_place', `place IN ('PAGE', 'API')`)
@Check('offer_presentations_language', `language IN ('en', 'hi')`)
@Index('offer_presentations_once', ['subjectId', 'fingerprint'], { unique: true })
export class OfferPresentation {
  @TextKeyColumn
  readonly id: string;

  @PartnerColumn
  readonly partnerId: string;

  /** Id of a journey, or of an eligibility call. */
  @TextColumn
  readonly subjectId: string;

  @IntegerColumn
  readonly round: number;

  @TextColumn
  readonly kind: 'SHOWN' | 'CHOSEN';

  @TextColumn
  readonly place: PresentationPlace;

  @NullableTextColumn
  readonly language: Language | null;

  /** With its version. */
  @TextColumn
  readonly metric: string;

  /** JSON, as hashed. */
  @TextColumn
  readonly content: string;

  /** SHA-256 (hex). */
  @TextColumn
  readonly contentHash: string;

  /** Date in India. */
  @Column('date')
  readonly day: IndianDay;

  /** SHA-256 (hex); equal presentations are recorded once a day. */
  @TextColumn
  readonly fingerprint: string;

  @NowColumn
  readonly recordedAt: Date;
}
