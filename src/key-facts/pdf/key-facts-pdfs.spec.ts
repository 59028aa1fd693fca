import { afterAll, describe, expect, it, vi } from 'vitest';
import { quoteLoan, repaymentSchedule } from '../../loans/index.js';
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

function shown(contentHash: string, tenureMonths = 3, subjectId = contentHash): KeyFactsView {
  const statement = keyFactsStatement({
    offerId: 'off_1',
    templateVersion: '5',
    issuedAt: '2026-11-20T19:00:00.000Z',
    validUntil: '2026-11-26T13:00:00.000Z',
    lenderLegalName: 'Example & Sons Finance Limited',
    lspName: 'Rinpath',
    grievanceOfficer: { name: 'Asha Rao', phone: '+91 80 0000 0000', email: 'a@lender.example' },
    loanType: 'Personal loan',
    quote: quoteLoan({ principal: 20_000_00, annualRatePercent: 15, tenureMonths, fees: [] }),
    schedule: repaymentSchedule(20_000_00, 15, tenureMonths),
    contingentCharges: [],
    coolingOffDays: 3,
    recoveryAgentsClause: 'Clause 11',
    grievanceRedressalClause: 'Clause 14',
    mayBeTransferred: true,
    recoveryAgentLsp: null,
    texts: {},
  });
  const owner = { partnerId: 'demo', subjectId };
  return { statement, contentHash, owner, isFrozen: false, isAgreed: false };
}

describe('the PDF of a statement', () => {
  it('is the same bytes each time that it is drawn, by whatever process', async () => {
    const [one, other] = await Promise.all([
      new KeyFactsPdfs(thread(), NO_RECORDS).pdfOf(shown('a'), 'en'),
      new KeyFactsPdfs(thread(), NO_RECORDS).pdfOf(shown('a'), 'en'),
    ]);
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

  it('does not keep the others waiting when one cannot be drawn', async () => {
    const pdfs = new KeyFactsPdfs(thread(), NO_RECORDS);
    const { statement } = shown('a');
    const unknown = { ...shown('a'), statement: { ...statement, templateVersion: '99' } };
    const [broken, next] = await Promise.allSettled([
      pdfs.pdfOf(unknown, 'en'),
      pdfs.pdfOf(shown('b'), 'en'),
    ]);
    expect([broken.status, next.status]).toEqual(['rejected', 'fulfilled']);
  });
});
