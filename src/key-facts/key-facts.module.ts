import { Module } from '@nestjs/common';
import { KeyFactsPdfs } from './pdf/key-facts-pdfs.js';
import { PdfThread } from './pdf/pdf-thread.js';
import { KeyFactsDrafts } from './statement/key-facts-drafts.js';
import { FrozenPdfsRepository } from './store/frozen-pdfs.repository.js';
import { KeyFactsRepository } from './store/key-facts.repository.js';

/** Key Facts Statements: drawn up, frozen, and drawn as PDFs. */
@Module({
  providers: [
    KeyFactsDrafts,
    KeyFactsRepository,
    FrozenPdfsRepository,
    // A factory, since Nest would take the constructor's defaults for things to inject.
    { provide: PdfThread, useFactory: () => new PdfThread() },
    KeyFactsPdfs,
  ],
  exports: [KeyFactsDrafts, KeyFactsRepository, KeyFactsPdfs],
})
export class KeyFactsModule {}
