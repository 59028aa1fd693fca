import { Module } from '@nestjs/common';
import { KeyFactsPdfs } from './pdf/key-facts-pdfs.js';
import { PdfThread } from './pdf/pdf-thread.js';
import { KeyFactsDrafts } from './statement/key-facts-drafts.js';
import { FrozenPdfsRepository } from './store/frozen-pdfs.repository.js';
import { KeyFactsRepository } from './store/key-facts.repository.js';

@Module({
  providers: [
    KeyFactsDrafts,
    KeyFactsRepository,
    FrozenPdfsRepository,
    // A factory: Nest would try to inject the constructor's defaults.
    { provide: PdfThread, useFactory: () => new PdfThread() },
    KeyFactsPdfs,
  ],
  exports: [KeyFactsDrafts, KeyFactsRepository, KeyFactsPdfs],
})
export class KeyFactsModule {}
