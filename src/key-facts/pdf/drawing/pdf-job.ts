import type { KeyFactsDocument } from '../../forms/key-facts-document.js';
import type { KeyFactsPageTexts } from './key-facts-layout.js';
import type { PdfProperties } from './pdf-drawing.js';

/** All that a statement's PDF is made of: plain data, so that another thread can be sent it. */
export interface PdfJob {
  readonly properties: PdfProperties;
  readonly document: KeyFactsDocument;
  readonly pageTexts: KeyFactsPageTexts;
}
