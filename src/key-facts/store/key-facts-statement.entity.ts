import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { type Language, oneOf } from '../../platform/index.js';

/**
 * Where the applicant acknowledged a statement: on the hosted page of confirmation, on the page before a
 * redirect link's provider, or, in the sandbox alone, by a return that stands for a visit.
 */
export const ACKNOWLEDGED_BY = ['CONFIRMATION', 'REDIRECT', 'SANDBOX_RETURN'] as const;
export type AcknowledgedBy = (typeof ACKNOWLEDGED_BY)[number];

/** A statement as it was frozen; `KeyFactsRepository` reads it. */
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

  /** The lender's compact JWS over the hash, if it signs. */
  @Column({ name: 'lender_signature', type: 'text', nullable: true })
  readonly lenderSignature: string | null;

  @Column({ name: 'frozen_at', type: 'timestamptz', default: () => 'app_now()' })
  readonly frozenAt: Date;

  /** Of the statement that the applicant has acknowledged: it stands for no other one. */
  @Column({ name: 'acknowledged_hash', type: 'text', nullable: true })
  readonly acknowledgedHash: string | null;

  @Column({ name: 'acknowledged_at', type: 'timestamptz', nullable: true })
  readonly acknowledgedAt: Date | null;

  @Column({ name: 'acknowledged_by', type: 'text', nullable: true })
  readonly acknowledgedBy: AcknowledgedBy | null;

  @Column({ name: 'acknowledged_language', type: 'text', nullable: true })
  readonly acknowledgedLanguage: Language | null;
}
