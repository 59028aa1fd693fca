import { pathToFileURL } from 'node:url';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import {
  type AnsweringThread,
  Fault,
  functionThread,
  type Language,
  projectPath,
  ThreadEnded,
  translate,
} from '../../platform/index.js';
import type { KeyFactsView } from '../domain/key-facts-view.js';
import type { KeyFactsDocument } from '../forms/key-facts-document.js';
import { keyFactsDocument } from '../forms/key-facts-forms.js';
import { FrozenPdfsRepository } from '../store/key-facts.repository.js';
import { DrawingQueue } from './drawing-queue.js';
import type { PdfJob } from './drawing/drawn-statement.js';
import type { KeyFactsPageTexts } from './drawing/key-facts-layout.js';

/** The built file: plain Node does not run the sources. */
const BUILT_FILE = pathToFileURL(projectPath('dist/src/key-facts/pdf/drawing/drawn-statement.js'));
/** A drawing takes a fraction of a second. */
const HANGS_AFTER_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

/** A thread, so that requests do not wait for long schedules. One job at a time. */
@Injectable()
export class PdfThread implements OnApplicationShutdown {
  private readonly thread: AnsweringThread<PdfJob, Uint8Array>;

  constructor(module = BUILT_FILE, hangsAfterMs = HANGS_AFTER_MS) {
    this.thread = functionThread({ name: 'statements', module, hangsAfterMs });
  }

  /**
   * @throws Fault service_unavailable when the thread hangs or dies
   * @throws Error when the job cannot be drawn
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

const MAX_KEPT_BYTES = 4 * 1024 * 1024;
const SHARES = { ofSubject: 3, ofPartner: 40, inAll: 400 };

/**
 * Drawing is CPU work for everyone with a link, so it is queued with shares and cached. Equal statement and language
 * give equal bytes. A frozen statement is drawn once and stored.
 */
@Injectable()
export class KeyFactsPdfs {
  private readonly kept = new LRUCache<string, Buffer>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ length }) => length,
  });
  private readonly underWay = new Map<string, Promise<Buffer>>();
  private readonly queue = new DrawingQueue(SHARES);

  constructor(
    private readonly thread: PdfThread,
    private readonly frozen: FrozenPdfsRepository,
  ) {}

  /**
   * @throws Fault service_unavailable when too many wait or the thread failed
   * @throws Unreadable when the stored PDF was altered
   */
  async pdfOf(shown: KeyFactsView, language: Language): Promise<Buffer> {
    // A cached draft is not the stored PDF of the frozen statement.
    const key = `${shown.contentHash}.${language}.${shown.isFrozen}`;
    const kept = this.kept.get(key);
    if (kept) return kept;
    const underWay = this.underWay.get(key);
    if (underWay) return underWay;
    const made = shown.isFrozen ? this.findOrDraw(shown, language) : this.draw(shown, language);
    this.underWay.set(key, made);
    try {
      const pdf = await made;
      this.kept.set(key, pdf);
      return pdf;
    } finally {
      this.underWay.delete(key);
    }
  }

  private async findOrDraw(shown: KeyFactsView, language: Language): Promise<Buffer> {
    const { contentHash, owner } = shown;
    const which = { partnerId: owner.partnerId, contentHash, language };
    const found = await this.frozen.find(which);
    return found ?? this.frozen.keep(which, await this.draw(shown, language));
  }

  private async draw(shown: KeyFactsView, language: Language): Promise<Buffer> {
    return this.queue.run(shown.owner, async () => this.thread.draw(jobOf(shown, language)));
  }
}

function jobOf(shown: KeyFactsView, language: Language): PdfJob {
  const { statement } = shown;
  const document = keyFactsDocument(
    statement,
    (key, values) => translate(language, key, values),
    language,
  );
  const title = `${document.heading} ${statement.part1.loanProposalNumber}`;
  const createdAt = new Date(statement.issuedAt);
  const pageTexts = pageTextsOf(document, shown, language);
  return { properties: { title, language, createdAt }, document, pageTexts };
}

function pageTextsOf(
  { heading, opening }: KeyFactsDocument,
  { statement, contentHash }: KeyFactsView,
  language: Language,
): KeyFactsPageTexts {
  const version = translate(language, 'kfs.page.form-version', {
    version: statement.templateVersion,
  });
  const validity = opening.at(-1);
  return {
    footer: [
      `${heading} · ${statement.part1.loanProposalNumber} · ${version}`,
      validity ? `${validity.label}: ${validity.value}` : '',
      `${translate(language, 'kfs.page.fingerprint')}: ${contentHash}`,
    ],
    // The layout fills these in.
    pageNumber: translate(language, 'kfs.pdf.page', { page: '{page}', pages: '{pages}' }),
    continued: translate(language, 'kfs.pdf.continued', { caption: '{caption}' }),
  };
}
