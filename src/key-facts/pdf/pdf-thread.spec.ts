import { Logger } from '@nestjs/common';
import { afterEach, describe, expect, it, vi } from 'vitest';
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

/** Never answers `spin`. */
const MOODY = `
  export default ({ properties: { title } }) => {
    if (title === 'spin') for (;;);
    return new TextEncoder().encode(title);
  };
`;

const titled = (title: string): PdfJob => ({ ...JOB, properties: { ...JOB.properties, title } });

describe('the thread that draws', () => {
  let thread: PdfThread;

  afterEach(() => thread.onApplicationShutdown());

  it('tells why a job cannot be drawn, and draws the next one, after its shutdown, too', async () => {
    thread = new PdfThread();
    const broken = thread.draw({ ...JOB, document: undefined } as unknown as PdfJob);
    await expect(broken).rejects.toThrow("Cannot read properties of undefined (reading 'heading')");
    await thread.onApplicationShutdown();
    expect((await thread.draw(JOB)).length).toBeGreaterThan(1_000);
  });

  it('that hangs is a service that is away for a moment, and is another one then', async () => {
    vi.spyOn(Logger.prototype, 'error').mockReturnValueOnce();
    const module = new URL(`data:text/javascript,${encodeURIComponent(MOODY)}`);
    thread = new PdfThread(module, 2_000);
    const failed: unknown = await thread.draw(titled('spin')).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Fault);
    expect(failed).toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 5 });
    expect((await thread.draw(titled('fine'))).toString()).toBe('fine');
    vi.restoreAllMocks();
  });
});
