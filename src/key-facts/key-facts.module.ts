import { Module } from '@nestjs/common';
import { KeyFactsPdfs } from './pdf/key-facts-pdfs.js';
import { PdfThread } from './pdf/pdf-thread.js';
import { FrozenPdfsRepository } from './store/frozen-pdfs.repository.js';
import { KeyFactsRepository } from './store/key-facts.repository.js';

/** Key Facts Statements: drawn up, put into words, frozen, and drawn as PDFs. */
@Module({
  providers: [
    KeyFactsRepository,
    FrozenPdfsRepository,
    { provide: PdfThread, useFactory: () => new PdfThread() },
    KeyFactsPdfs,
  ],
  exports: [KeyFactsRepository, KeyFactsPdfs],
})
export class KeyFactsModule {}
