import { pathToFileURL } from 'node:url';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  type AnsweringThread,
  Fault,
  functionThread,
  projectPath,
  ThreadEnded,
} from '../../platform/index.js';
import type { PdfJob } from './drawing/drawn-statement.js';

/** Always the built file: plain Node does not run the sources. */
const BUILT_FILE = pathToFileURL(projectPath('dist/src/key-facts/pdf/drawing/drawn-statement.js'));
/** A drawing takes a fraction of a second. */
const HANGS_AFTER_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

/** Draws in a thread, so that requests do not wait for long schedules. One job at a time. */
@Injectable()
export class PdfThread implements OnApplicationShutdown {
  private readonly thread: AnsweringThread<PdfJob, Uint8Array>;

  constructor(module = BUILT_FILE, hangsAfterMs = HANGS_AFTER_MS) {
    this.thread = functionThread({ name: 'statements', module, hangsAfterMs });
  }

  /**
   * @throws Fault service_unavailable when the thread hangs or dies; Error when the job cannot be
   * drawn
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
