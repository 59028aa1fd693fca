import type { KeyFactsDocument } from '../../forms/key-facts-document.js';
import type { KeyFactsPageTexts } from './key-facts-layout.js';
import type { PdfProperties } from './pdf-drawing.js';

export interface PdfJob {
  readonly properties: PdfProperties;
  readonly document: KeyFactsDocument;
  readonly pageTexts: KeyFactsPageTexts;
}
