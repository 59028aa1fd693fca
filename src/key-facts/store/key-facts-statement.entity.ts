import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { type Language, NowColumn, NullableColumn, oneOf } from '../../platform/index.js';

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
  @PrimaryColumn('text')
  // Without a relation: offers are in a module above this one.
  @ForeignKey('Offer')
  readonly offerId: string;

  @Column('text')
  readonly partnerId: string;

  @Column('text')
  readonly journeyId: string;

  @Column('text')
  readonly templateVersion: string;

  @Column('text')
  readonly contentHash: string;

  @Column('text')
  readonly contentSealed: string;

  /** Compact JWS over the hash, if the lender signs. */
  @NullableColumn('text')
  readonly lenderSignature: string | null;

  @NowColumn
  readonly frozenAt: Date;

  /** Valid only for the statement with this hash. */
  @NullableColumn('text')
  readonly acknowledgedHash: string | null;

  @NullableColumn('timestamptz')
  readonly acknowledgedAt: Date | null;

  @NullableColumn('text')
  readonly acknowledgedBy: AcknowledgedBy | null;

  @NullableColumn('text')
  readonly acknowledgedLanguage: Language | null;
}

@Entity('key_facts_pdfs')
@Check('key_facts_pdfs_language', `language IN ('en', 'hi')`)
export class FrozenPdf {
  @PrimaryColumn('text')
  readonly contentHash: string;

  @PrimaryColumn('text')
  readonly language: Language;

  @Column('text')
  readonly partnerId: string;

  @Column('text')
  readonly pdfSealed: string;

  @NowColumn
  readonly drawnAt: Date;
}
