/**
 * The thread that draws statements: it is sent a `PdfJob` and answers with a `PdfAnswer`, one after
 * the other. It imports nothing of the service but what it draws with.
 */
import { parentPort } from 'node:worker_threads';
import { layOutKeyFacts } from './key-facts-layout.js';
import type { PdfAnswer, PdfJob } from './pdf-job.js';
import { drawnPdf } from './pdf-drawing.js';

if (!parentPort) throw new Error('drawing-worker.js is run as a worker thread');
const port = parentPort;

port.on('message', (job: PdfJob) => {
  void answerTo(job).then((answer) => port.postMessage(answer));
});

async function answerTo({ properties, document, pageTexts }: PdfJob): Promise<PdfAnswer> {
  try {
    return {
      pdf: await drawnPdf(properties, (measure) => layOutKeyFacts(document, pageTexts, measure)),
    };
  } catch (error) {
    return { error };
  }
}
