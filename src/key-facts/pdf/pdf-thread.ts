import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Fault, logFailure, projectPath } from '../../platform/index.js';
import type { PdfAnswer, PdfJob } from './drawing/pdf-job.js';

/** As it was built, whoever asks: a thread is run by plain Node, which does not read the sources. */
const BUILT_FILE = projectPath('dist/src/key-facts/pdf/drawing/drawing-worker.js');
/** Drawing takes a fraction of a second; this is for a thread that hangs. */
const TIMEOUT_MS = 15_000;
const RETRY_AFTER_SECONDS = 5;
const MAX_MEGABYTES = 256;

/**
 * A thread of its own for drawing, so that no other request waits for a long schedule. It is started
 * when it is first needed, and again after one that hung or died. Its caller sends it one job at a time.
 */
@Injectable()
export class PdfThread implements OnApplicationShutdown {
  private readonly logger = new Logger(PdfThread.name);
  private worker?: Worker;

  constructor(
    private readonly file: string | URL = BUILT_FILE,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /**
   * @throws Fault service_unavailable when the thread hangs or dies; Error when the job cannot be drawn
   */
  async draw(job: PdfJob): Promise<Buffer> {
    const worker = (this.worker ??= this.started());
    const answer = await this.answerOf(worker, job);
    if ('error' in answer) throw answer.error;
    return Buffer.from(answer.pdf.buffer, answer.pdf.byteOffset, answer.pdf.byteLength);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.worker?.terminate();
  }

  private async answerOf(worker: Worker, job: PdfJob): Promise<PdfAnswer> {
    const over = new AbortController();
    const { signal } = over;
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(this.timeoutMs)]);
    try {
      worker.postMessage(job, []);
      const [answer] = await Promise.race([
        once(worker, 'message', { signal: inTime }) as Promise<[PdfAnswer]>,
        once(worker, 'exit', { signal }).then(() => Promise.reject(new Error('the thread ended'))),
      ]);
      return answer;
    } catch (error) {
      logFailure(this.logger, error);
      this.forget(worker);
      await worker.terminate();
      throw new Fault('service_unavailable', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: error,
      });
    } finally {
      over.abort();
    }
  }

  private started(): Worker {
    const worker = new Worker(this.file, {
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
    });
    // Nobody need wait for it at the end of the process.
    worker.unref();
    // Whoever waits for it hears of it, too; an error that nobody hears would end the process.
    worker.on('error', () => this.forget(worker));
    worker.on('exit', () => this.forget(worker));
    return worker;
  }

  private forget(worker: Worker): void {
    if (this.worker === worker) this.worker = undefined;
  }
}
