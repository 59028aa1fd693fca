import { Injectable } from '@nestjs/common';
import { Database, Keyring, type Language } from '../../platform/index.js';
import { FrozenPdf } from './frozen-pdf.entity.js';

type WhichPdf = Pick<FrozenPdf, 'partnerId' | 'contentHash' | 'language'>;

/** Sealed; the bytes first drawn, forever. */
@Injectable()
export class FrozenPdfsRepository {
  constructor(
    private readonly database: Database,
    private readonly keyring: Keyring,
  ) {}

  /** @throws Unreadable when it was altered, or belongs to another statement */
  async find({ partnerId, contentHash, language }: WhichPdf): Promise<Buffer | null> {
    const kept = await this.database.with(FrozenPdf, (pdfs) =>
      pdfs.findOneBy({ contentHash, language, partnerId }),
    );
    return kept ? this.keyring.openBytes(kept.pdfSealed, purposeOf(contentHash, language)) : null;
  }

  /** @returns the stored PDF: another process may have been first */
  async keep(which: WhichPdf, pdf: Buffer): Promise<Buffer> {
    const { partnerId, contentHash, language } = which;
    const pdfSealed = this.keyring.seal(pdf, purposeOf(contentHash, language));
    await this.database.with(FrozenPdf, (pdfs) =>
      pdfs
        .createQueryBuilder()
        .insert()
        .values({ contentHash, language, partnerId, pdfSealed })
        .orIgnore()
        .updateEntity(false)
        .execute(),
    );
    const kept = await this.find(which);
    if (!kept) throw new Error(`the PDF of ${contentHash} was not kept`);
    return kept;
  }
}

function purposeOf(contentHash: string, language: Language): string {
  return `key_facts_pdfs.pdf:${contentHash}.${language}`;
}
