import { Check, Entity, ForeignKey } from 'typeorm';
import {
  type Language,
  NowColumn,
  NullableTextColumn,
  NullableTimeColumn,
  oneOf,
  TextColumn,
  TextKeyColumn,
} from '../../platform/index.js';

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
  @TextKeyColumn
  // Without a relation: offers are in a module above this one.
  @ForeignKey('Offer')
  readonly offerId: string;

  @TextColumn
  readonly partnerId: string;

  @TextColumn
  readonly journeyId: string;

  @TextColumn
  readonly templateVersion: string;

  @TextColumn
  readonly contentHash: string;

  @TextColumn
  readonly contentSealed: string;

  /** Compact JWS over the hash, if the lender signs. */
  @NullableTextColumn
  readonly lenderSignature: string | null;

  @NowColumn
  readonly frozenAt: Date;

  /** Valid only for the statement with this hash. */
  @NullableTextColumn
  readonly acknowledgedHash: string | null;

  @NullableTimeColumn
  readonly acknowledgedAt: Date | null;

  @NullableTextColumn
  readonly acknowledgedBy: AcknowledgedBy | null;

  @NullableTextColumn
  readonly acknowledgedLanguage: Language | null;
}

@Entity('key_facts_pdfs')
@Check('key_facts_pdfs_language', `language IN ('en', 'hi')`)
export class FrozenPdf {
  @TextKeyColumn
  readonly contentHash: string;

  @TextKeyColumn
  readonly language: Language;

  @TextColumn
  readonly partnerId: string;

  @TextColumn
  readonly pdfSealed: string;

  @NowColumn
  readonly drawnAt: Date;
}
