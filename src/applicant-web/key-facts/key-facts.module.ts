import { Module } from '@nestjs/common';
import { FrozenPdfsRepository } from '../store/frozen-pdfs.repository.js';
import { KeyFactsPdfs } from './key-facts-pdfs.js';
import { KeyFactsScreens } from './key-facts-screens.js';
import { PdfThread } from './pdf-thread.js';

/** Key Facts Statements as pages and PDFs, for every screen that shows one. */
@Module({
  providers: [
    { provide: PdfThread, useFactory: () => new PdfThread() },
    FrozenPdfsRepository,
    KeyFactsPdfs,
    KeyFactsScreens,
  ],
  exports: [KeyFactsScreens],
})
export class KeyFactsModule {}
