import { Check, Column, Entity, Index } from 'typeorm';
import { PartnerColumn } from '../../auth/store/partner.entity.js';
import {
  type Language,
  NowColumn,
  NullableTextColumn,
  TextColumn,
  TextKeyColumn,
  TimeColumn,
} from '../../platform/index.js';
import type { ConsentBasis } from '../partner-consent.js';

/** Append-only, without personal data. */
@Entity('consent_log')
@Check('consent_log_way', `way IN ('HOSTED', 'PARTNER')`)
@Check('consent_log_basis', `basis IN ('TEXT', 'TERMS_ACCEPTED', 'AGREEMENT')`)
@Check('consent_log_language', `language IN ('en', 'hi')`)
@Check(
  'consent_log_text',
  `num_nonnulls(text_version, language) = CASE WHEN basis = 'TEXT' THEN 2
    ELSE 2 * num_nonnulls(text_version) END
    AND num_nonnulls(shown_text, text_hash) = CASE WHEN basis = 'TEXT' THEN 2 ELSE 0 END`,
)
@Index('consent_log_of_subject', ['subjectId'])
export class ConsentLogEntry {
  @TextKeyColumn
  readonly id: string;

  @PartnerColumn
  readonly partnerId: string;

  /** Id of a journey or an instant loan. */
  @TextColumn
  readonly subjectId: string;

  /** `HOSTED`: the applicant, on our page. `PARTNER`: claimed by the partner. */
  @TextColumn
  readonly way: 'HOSTED' | 'PARTNER';

  @TextColumn
  readonly basis: ConsentBasis;

  /** A consent to calls has the text's version and `/CALLS`. Without named lenders it is the partner's claim. */
  @NullableTextColumn
  readonly textVersion: string | null;

  @NullableTextColumn
  readonly language: Language | null;

  /** Hosted: as shown. Partner: our text with the lenders that it reports. */
  @NullableTextColumn
  readonly shownText: string | null;

  /** SHA-256 (hex) of the shown text. */
  @NullableTextColumn
  readonly textHash: string | null;

  /** The lenders that the text names; otherwise those asked on the partner's claim. */
  @Column('text', { array: true })
  readonly lenderCodes: readonly string[];

  @TimeColumn
  readonly givenAt: Date;

  /** The hosted session, or the partner's key and nonce. */
  @NullableTextColumn
  readonly cameBy: string | null;

  @NowColumn
  readonly recordedAt: Date;
}
