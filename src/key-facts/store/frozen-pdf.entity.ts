import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Language } from '../../platform/index.js';

@Entity('key_facts_pdfs')
@Check('key_facts_pdfs_language', `language IN ('en', 'hi')`)
export class FrozenPdf {
  /** SHA-256 (hex) of the canonical JSON. */
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
