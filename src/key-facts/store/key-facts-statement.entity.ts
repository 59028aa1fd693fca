import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { type Language, oneOf } from '../../platform/index.js';

/** `SANDBOX_RETURN`: a return in place of a visit, in the sandbox only. */
const ACKNOWLEDGED_BY = ['CONFIRMATION', 'REDIRECT', 'SANDBOX_RETURN'] as const;
export type AcknowledgedBy = (typeof ACKNOWLEDGED_BY)[number];

@Entity('key_facts_statements')
@Check('key_facts_statements_acknowledged_by', oneOf('acknowledged_by', ACKNOWLEDGED_BY))
@Check('key_facts_statements_acknowledged_language', `acknowledged_language IN ('en', 'hi')`)
@Check(
  'key_facts_statements_acknowledged',
  'num_nonnulls(acknowledged_hash, acknowledged_at, acknowledged_by, acknowledged_language) IN (0, 4)',
)
export class KeyFactsStatementRow {
  @PrimaryColumn({
    name: 'offer_id',
    type: 'text',
    primaryKeyConstraintName: 'key_facts_statements_pkey',
  })
  // Without a relation: offers are in a module above this one.
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

  /** Compact JWS over the hash, if the lender signs. */
  @Column({ name: 'lender_signature', type: 'text', nullable: true })
  readonly lenderSignature: string | null;

  @Column({ name: 'frozen_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly frozenAt: Date;

  /** Valid only for the statement with this hash. */
  @Column({ name: 'acknowledged_hash', type: 'text', nullable: true })
  readonly acknowledgedHash: string | null;

  @Column({ name: 'acknowledged_at', type: 'timestamptz', nullable: true })
  readonly acknowledgedAt: Date | null;

  @Column({ name: 'acknowledged_by', type: 'text', nullable: true })
  readonly acknowledgedBy: AcknowledgedBy | null;

  @Column({ name: 'acknowledged_language', type: 'text', nullable: true })
  readonly acknowledgedLanguage: Language | null;
}

@Entity('key_facts_pdfs')
@Check('key_facts_pdfs_language', `language IN ('en', 'hi')`)
export class FrozenPdf {
  @PrimaryColumn({
    name: 'content_hash',
    type: 'text',
    primaryKeyConstraintName: 'key_facts_pdfs_pkey',
  })
  readonly contentHash: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'key_facts_pdfs_pkey' })
  readonly language: Language;

  @Column({ name: 'partner_id', type: 'text' })
  readonly partnerId: string;

  @Column({ name: 'pdf_sealed', type: 'text' })
  readonly pdfSealed: string;

  @Column({ name: 'drawn_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly drawnAt: Date;
}
