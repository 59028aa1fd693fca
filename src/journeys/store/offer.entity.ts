import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Paise } from '../../loans/index.js';
import { paise } from '../../platform/index.js';
import type { LoanFigures } from '../domain/journey.js';
import type { OfferTerms } from '../../lenders/index.js';
import { Journey } from './journey.entity.js';

@Entity('journey_offers')
@Index('journey_offers_once', ['journeyId', 'round', 'lenderCode', 'lenderReference'], {
  unique: true,
})
export class Offer {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'journey_offers_pkey' })
  readonly id: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  @ForeignKey(() => Journey, 'id', { name: 'journey_offers_journey' })
  readonly journeyId: string;

  @Column({ type: 'integer' })
  readonly round: number;

  @Column({ name: 'lender_code', type: 'text' })
  readonly lenderCode: string;

  @Column({ name: 'lender_reference', type: 'text' })
  readonly lenderReference: string;

  @Column({ name: 'seller_name', type: 'text' })
  readonly sellerName: string;

  @Column({ type: 'bigint', transformer: paise })
  readonly principal: Paise;

  @Column({ name: 'minimum_amount', type: 'bigint', transformer: paise })
  readonly minimumAmount: Paise;

  @Column({ type: 'jsonb' })
  readonly figures: LoanFigures;

  @Column({ type: 'jsonb' })
  readonly terms: OfferTerms;

  @Column({ name: 'valid_until', type: 'timestamptz' })
  readonly validUntil: Date;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly createdAt: Date;
}
