import { layOutKeyFacts } from './key-facts-layout.js';
import { drawnPdf } from './pdf-drawing.js';
import type { PdfJob } from './pdf-job.js';

/** Runs in the drawing thread. */
export default function drawnStatement({
  properties,
  document,
  pageTexts,
}: PdfJob): Promise<Uint8Array> {
  return drawnPdf(properties, (measure) => layOutKeyFacts(document, pageTexts, measure));
}
