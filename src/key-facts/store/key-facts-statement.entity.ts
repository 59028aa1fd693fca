import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A statement as it was agreed to; `KeyFactsRepository` reads it. */
@Entity('key_facts_statements')
export class KeyFactsStatementRow {
  @PrimaryColumn({
    name: 'offer_id',
    type: 'text',
    primaryKeyConstraintName: 'key_facts_statements_pkey',
  })
  // By name: the offers stand in a module above, which this one must not import.
  @ForeignKey('Offer', 'id', { name: 'key_facts_statements_offer' })
  readonly offerId: string;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'journey_id', type: 'text' })
  readonly journeyId: string;

  @Column({ name: 'template_version', type: 'text' })
  readonly templateVersion: string;

  @Column({ name: 'content_hash', type: 'text' })
  readonly contentHash: string;

  @Column({ name: 'content_sealed', type: 'text' })
  readonly contentSealed: string;

  @Column({ name: 'frozen_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly frozenAt: Date;
}
