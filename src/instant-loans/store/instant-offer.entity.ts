import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { OfferTerms } from '../../lenders/index.js';
import type { Quote } from '../../loans/index.js';
import type { FeeOnDecline } from '../../settings/index.js';
import type { OfferContent } from '../domain/instant-offer.js';
import type { OfferStanding } from '../domain/offer-standing.js';
import { InstantLoan } from './instant-loan.entity.js';

/** Never changed after the choice. */
@Entity('instant_offers')
@Check(
  'instant_offers_standing',
  `standing IN ('OFFERED', 'DECLINED', 'OFFER_REFUSED', 'UNREACHABLE', 'NO_ANSWER')`,
)
@Check(
  'instant_offers_offered',
  `num_nonnulls(offer_reference, quote, terms, fee_on_decline, valid_until)
    = CASE WHEN standing = 'OFFERED' THEN 5 ELSE 0 END`,
)
@Index('instant_offers_once', ['applicationId', 'lenderCode'], { unique: true })
export class InstantOffer {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'instant_offers_pkey' })
  readonly id: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'application_id', type: 'text' })
  @ForeignKey(() => InstantLoan, 'id', { name: 'instant_offers_application' })
  readonly applicationId: string;

  @Column({ name: 'lender_code', type: 'text' })
  readonly lenderCode: string;

  @Column({ name: 'lender_name', type: 'text' })
  readonly lenderName: string;

  @Column({ type: 'text' })
  readonly standing: OfferStanding;

  @Column({ type: 'text', nullable: true })
  readonly reason: string | null;

  /** Of an offer, like all columns below. */
  @Column({ name: 'offer_reference', type: 'text', nullable: true })
  readonly offerReference: string | null;

  /** Recomputed here. */
  @Column({ type: 'jsonb', nullable: true })
  readonly quote: Quote | null;

  @Column({ type: 'jsonb', nullable: true })
  readonly terms: OfferTerms | null;

  /** The lender's terms on the fee after a decline. */
  @Column({ name: 'fee_on_decline', type: 'text', nullable: true })
  readonly feeOnDecline: FeeOnDecline | null;

  @Column({ name: 'valid_until', type: 'timestamptz', nullable: true })
  readonly validUntil: Date | null;

  @Column({ name: 'recorded_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly recordedAt: Date;
}

export type MadeOffer = InstantOffer & OfferContent;
