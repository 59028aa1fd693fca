import type { KeyFactsDocument } from '../../forms/key-facts-document.js';
import { type KeyFactsPageTexts, layOutKeyFacts } from './key-facts-layout.js';
import { drawnPdf, type PdfProperties } from './pdf-drawing.js';

export interface PdfJob {
  readonly properties: PdfProperties;
  readonly document: KeyFactsDocument;
  readonly pageTexts: KeyFactsPageTexts;
}

/** Runs in the drawing thread. */
export default function drawnStatement({
  properties,
  document,
  pageTexts,
}: PdfJob): Promise<Uint8Array> {
  return drawnPdf(properties, (measure) => layOutKeyFacts(document, pageTexts, measure));
}
