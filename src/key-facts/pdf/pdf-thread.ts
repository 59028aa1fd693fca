import { pathToFileURL } from 'node:url';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  type AnsweringThread,
  Fault,
  functionThread,
  projectPath,
  ThreadEnded,
} from '../../platform/index.js';
import type { PdfJob } from './drawing/pdf-job.js';

/** As it was built, whoever asks: a thread is run by plain Node, which does not read the sources. */
const BUILT_FILE = pathToFileURL(projectPath('dist/src/key-facts/pdf/drawing/drawn-statement.js'));
/** A drawing takes a fraction of a second. One that takes 15 seconds hangs: by then it was looked at twice. */
const HANGS_AFTER_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * A thread of its own for drawing, so that no other request waits for a long schedule. Its caller
 * sends it one job at a time.
 */
@Injectable()
export class PdfThread implements OnApplicationShutdown {
  private readonly thread: AnsweringThread<PdfJob, Uint8Array>;

  constructor(module = BUILT_FILE, hangsAfterMs = HANGS_AFTER_MS) {
    this.thread = functionThread({ name: 'statements', module, hangsAfterMs });
  }

  /**
   * @throws Fault service_unavailable when the thread hangs or dies; Error when the job cannot be drawn
   */
  async draw(job: PdfJob): Promise<Buffer> {
    try {
      const { buffer, byteOffset, byteLength } = await this.thread.ask(job);
      return Buffer.from(buffer, byteOffset, byteLength);
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      throw new Fault('service_unavailable', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: error,
      });
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.thread.end();
  }
}
