import { layOutKeyFacts } from './key-facts-layout.js';
import { drawnPdf } from './pdf-drawing.js';
import type { PdfJob } from './pdf-job.js';

/**
 * What the thread that draws does with a job. It imports nothing of the service but what it draws with.
 * @returns the PDF's bytes
 */
export default function drawnStatement({
  properties,
  document,
  pageTexts,
}: PdfJob): Promise<Uint8Array> {
  return drawnPdf(properties, (measure) => layOutKeyFacts(document, pageTexts, measure));
}
