import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('key_facts_pdfs')
@Check('key_facts_pdfs_language', `language IN ('en', 'hi')`)
export class FrozenPdfRow {
  @PrimaryColumn({
    name: 'content_hash',
    type: 'text',
    primaryKeyConstraintName: 'key_facts_pdfs_pkey',
  })
  contentHash: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'key_facts_pdfs_pkey' })
  language: 'en' | 'hi';

  @Column({ name: 'partner_id', type: 'text' })
  partnerId: string;

  @Column({ name: 'pdf_sealed', type: 'text' })
  pdfSealed: string;

  @Column({ name: 'drawn_at', type: 'timestamptz' })
  drawnAt: Date;
}
