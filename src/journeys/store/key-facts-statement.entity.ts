import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { JourneyOfferRow } from './journey-offer.entity.js';

@Entity('key_facts_statements')
export class KeyFactsStatementRow {
  @PrimaryColumn({
    name: 'offer_id',
    type: 'text',
    primaryKeyConstraintName: 'key_facts_statements_pkey',
  })
  @ForeignKey(() => JourneyOfferRow, 'id', { name: 'key_facts_statements_offer' })
  offerId: string;

  @Column({ name: 'partner_id', type: 'text' })
  partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  journeyId: string;

  @Column({ name: 'template_version', type: 'text' })
  templateVersion: string;

  @Column({ name: 'content_hash', type: 'text' })
  contentHash: string;

  @Column({ name: 'content_sealed', type: 'text' })
  contentSealed: string;

  @Column({ name: 'frozen_at', type: 'timestamptz' })
  frozenAt: Date;
}
