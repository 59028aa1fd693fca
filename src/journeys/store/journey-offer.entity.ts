import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { JourneyRow } from './journey.entity.js';

@Entity('journey_offers')
@Index('journey_offers_once', ['journeyId', 'round', 'lenderCode', 'lenderReference'], {
  unique: true,
})
export class JourneyOfferRow {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'journey_offers_pkey' })
  id: string;

  @Column({ name: 'partner_id', type: 'text' })
  partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  @ForeignKey(() => JourneyRow, 'id', { name: 'journey_offers_journey' })
  journeyId: string;

  @Column({ type: 'integer' })
  round: number;

  @Column({ name: 'lender_code', type: 'text' })
  lenderCode: string;

  @Column({ name: 'lender_reference', type: 'text' })
  lenderReference: string;

  @Column({ name: 'seller_name', type: 'text' })
  sellerName: string;

  @Column({ type: 'bigint' })
  principal: number;

  @Column({ name: 'minimum_amount', type: 'bigint' })
  minimumAmount: number;

  @Column({ type: 'jsonb' })
  figures: object;

  @Column({ type: 'jsonb' })
  terms: object;

  @Column({ name: 'valid_until', type: 'timestamptz' })
  validUntil: Date;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
