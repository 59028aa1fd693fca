import { Module } from '@nestjs/common';
import { KeyFactsPdfs, PdfThread } from './pdf/key-facts-pdfs.js';
import { KeyFactsDrafts } from './forms/key-facts-forms.js';
import { FrozenPdfsRepository, KeyFactsRepository } from './store/key-facts.repository.js';

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
