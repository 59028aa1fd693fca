import { afterEach, describe, expect, it } from 'vitest';
import { Fault } from '../../platform/index.js';
import type { PdfJob } from './drawing/drawn-statement.js';
import { PdfThread } from './key-facts-pdfs.js';

const JOB: PdfJob = {
  properties: { title: 'Statement', language: 'en', createdAt: new Date('2026-11-20T19:00:00Z') },
  document: {
    heading: 'Statement',
    opening: [{ label: 'Lender', value: 'Example Finance Limited' }],
    summary: { title: 'In short', figures: [{ label: 'APR', value: '13%' }], sentences: [] },
    sections: [],
    colophon: 'A form',
  },
  pageTexts: { footer: ['one', 'two', 'three'], pageNumber: '{page}', continued: '{caption}' },
};

const BROKEN = { ...JOB, document: undefined } as unknown as PdfJob;

/** Never answers `spin`, crashes on `die`, exits on `end`. */
const MOODY = `
  export default async ({ properties: { title } }) => {
    if (title === 'die') setImmediate(() => { throw new Error('of this'); });
    else if (title === 'end') process.exit(0);
    else if (title === 'spin') for (;;);
    else return new TextEncoder().encode(title);
    await new Promise(() => undefined);
  };
`;

let thread: PdfThread;

afterEach(() => thread.onApplicationShutdown());

function moody(hangsAfterMs: number): PdfThread {
  return new PdfThread(new URL(`data:text/javascript,${encodeURIComponent(MOODY)}`), hangsAfterMs);
}

const titled = (title: string): PdfJob => ({ ...JOB, properties: { ...JOB.properties, title } });

describe('the thread that draws', () => {
  it('tells why a job cannot be drawn, and draws the next one', async () => {
    thread = new PdfThread();
    await expect(thread.draw(BROKEN)).rejects.toThrow(
      "Cannot read properties of undefined (reading 'heading')",
    );
    expect((await thread.draw(JOB)).length).toBeGreaterThan(1_000);
  });

  it.each(['spin', 'die', 'end'])('is another one after a %s', async (mood) => {
    thread = moody(mood === 'spin' ? 3_000 : 20_000);
    const failed: unknown = await thread.draw(titled(mood)).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Fault);
    expect(failed).toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 5 });
    expect((await thread.draw(titled('fine'))).toString()).toBe('fine');
  });

  it('ends at the shutdown, and without a job there is none to end', async () => {
    thread = moody(20_000);
    await thread.onApplicationShutdown();
    expect((await thread.draw(titled('fine'))).toString()).toBe('fine');
    await thread.onApplicationShutdown();
    expect((await thread.draw(titled('again'))).toString()).toBe('again');
  });
});
