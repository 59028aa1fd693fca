import { afterAll, describe, expect, it, vi } from 'vitest';
import { keyFactsExample } from '../domain/key-facts-example.js';
import { keyFactsStatement } from '../domain/key-facts-statement.js';
import type { KeyFactsView } from '../domain/key-facts-view.js';
import { KeyFactsPdfs, PdfThread } from './key-facts-pdfs.js';

const threads: PdfThread[] = [];
const NO_RECORDS = undefined as never;

afterAll(() => Promise.all(threads.map((each) => each.onApplicationShutdown())));

function thread(): PdfThread {
  const started = new PdfThread();
  threads.push(started);
  return started;
}

function shown(contentHash: string): KeyFactsView {
  const statement = keyFactsStatement(keyFactsExample());
  const owner = { partnerId: 'demo', subjectId: contentHash };
  return { statement, contentHash, owner, isFrozen: false, isAgreed: false };
}

describe('the PDF of a statement', () => {
  it('is the same bytes each time that it is drawn, by whatever process', async () => {
    const draw = () => new KeyFactsPdfs(thread(), NO_RECORDS).pdfOf(shown('a'), 'en');
    const [one, other] = await Promise.all([draw(), draw()]);
    expect(one.equals(other)).toBe(true);
    expect(one.subarray(0, 8).toString()).toBe('%PDF-1.7');
  });

  it('is drawn once, however many ask for it', async () => {
    const drawer = thread();
    const drawn = vi.spyOn(drawer, 'draw');
    const pdfs = new KeyFactsPdfs(drawer, NO_RECORDS);
    const all = await Promise.all(Array.from({ length: 50 }, () => pdfs.pdfOf(shown('a'), 'en')));
    await pdfs.pdfOf(shown('a'), 'en');
    expect(drawn).toHaveBeenCalledTimes(1);
    expect(new Set(all).size).toBe(1);
  });

  it('stays in memory up to a total size, the longest unused one going first', async () => {
    const drawer = thread();
    const drawn = vi.spyOn(drawer, 'draw').mockResolvedValue(Buffer.alloc(1.5 * 1024 * 1024));
    const pdfs = new KeyFactsPdfs(drawer, NO_RECORDS);
    for (const hash of ['a', 'b', 'a', 'c', 'a']) await pdfs.pdfOf(shown(hash), 'en');
    expect(drawn).toHaveBeenCalledTimes(3);
    await pdfs.pdfOf(shown('b'), 'en');
    expect(drawn).toHaveBeenCalledTimes(4);
  });
});
