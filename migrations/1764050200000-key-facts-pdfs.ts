import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The PDFs of statements that were frozen, as they were first drawn. */
export class KeyFactsPdfs1764050200000 implements MigrationInterface {
  name = 'KeyFactsPdfs1764050200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE key_facts_pdfs (
        content_hash text NOT NULL,
        language text NOT NULL,
        partner_id text NOT NULL,
        pdf_sealed text NOT NULL,
        drawn_at timestamptz NOT NULL,
        CONSTRAINT key_facts_pdfs_pkey PRIMARY KEY (content_hash, language),
        CONSTRAINT key_facts_pdfs_language CHECK (language IN ('en', 'hi'))
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE key_facts_pdfs');
  }
}
