import { Injectable } from '@nestjs/common';
import { Database, Keyring, type Language } from '../../platform/index.js';

/** Which PDF: of a frozen statement, in one language. */
export interface FrozenPdf {
  readonly partnerId: string;
  /** SHA-256 (hex) of the statement's canonical JSON. */
  readonly contentHash: string;
  readonly language: Language;
}

/** The PDFs of frozen statements, sealed as the statements are: the bytes first drawn, for ever. */
@Injectable()
export class FrozenPdfsRepository {
  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  /** @throws Error when what is kept was altered, or is of another statement */
  async find({ partnerId, contentHash, language }: FrozenPdf): Promise<Buffer | null> {
    const [row] = await this.database.query<{ sealed: string }>(
      `SELECT pdf_sealed AS sealed FROM key_facts_pdfs
       WHERE content_hash = $1 AND language = $2 AND partner_id = $3`,
      [contentHash, language, partnerId],
    );
    return row ? this.keyring.openBytes(row.sealed, purposeOf(contentHash, language)) : null;
  }

  /** Keeps the PDF. Answers the one that is kept: another process may have been first. */
  async keep(which: FrozenPdf, pdf: Buffer): Promise<Buffer> {
    const { partnerId, contentHash, language } = which;
    const sealed = this.keyring.seal(pdf, purposeOf(contentHash, language));
    await this.database.query(
      `INSERT INTO key_facts_pdfs (content_hash, language, partner_id, pdf_sealed, drawn_at)
       VALUES ($1, $2, $3, $4, app_now()) ON CONFLICT DO NOTHING`,
      [contentHash, language, partnerId, sealed],
    );
    const kept = await this.find(which);
    if (!kept) throw new Error(`the PDF of ${contentHash} was not kept`);
    return kept;
  }
}

function purposeOf(contentHash: string, language: Language): string {
  return `key_facts_pdfs.pdf:${contentHash}.${language}`;
}
