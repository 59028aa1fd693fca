// Isolated: starts other processes on the same database.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { PdfThread } from '../../../src/key-facts/pdf/key-facts-pdfs.js';
import { runAdmin } from '../../support/admin-command.js';
import { eventually } from '../../support/eventually.js';
import { startTwoReplicas, type TestService, type TwoReplicas } from '../../support/service.js';
import { JourneyBench, type TestJourney } from '../journeys/journey-bench.js';

let replicas: TwoReplicas;
let bench: JourneyBench;

beforeAll(async () => {
  replicas = await startTwoReplicas();
  bench = new JourneyBench(replicas.first);
});

afterEach(() => vi.restoreAllMocks());

afterAll(async () => {
  await bench?.close();
  await replicas?.close();
});

/** Another process, whose cache has no new statement, and a count of the PDFs that it draws. */
function anotherProcess(service: TestService = replicas.second) {
  return {
    draw: vi.spyOn(service.get<PdfThread>(PdfThread), 'draw'),
    pdfOf: (link: string, language = 'en') => pdfAt(service, link, language),
  };
}

async function pdfAt({ baseUrl }: TestService, link: string, language = 'en') {
  const response = await fetch(`${baseUrl}${new URL(link).pathname}.pdf?lang=${language}`);
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** A journey with a chosen offer, and the links to the statements of all offers. */
async function agreed(): Promise<{ journey: TestJourney; link: string; others: string[] }> {
  const journey = await bench.startWithOffers();
  const offers = await journey.offers();
  await journey.select({ offerId: offers[0].offerId });
  const link = (await journey.read()).selectedOffer!.kfsLink;
  return { journey, link, others: offers.slice(1).map(({ kfsLink }) => kfsLink) };
}

interface KeptRow {
  content_hash: string;
  language: string;
  pdf_sealed: string;
}

/** The stored PDFs of this journey's statement. */
function keptOf(journey: TestJourney): Promise<KeptRow[]> {
  return bench.query<KeptRow>(
    `SELECT * FROM key_facts_pdfs WHERE content_hash IN
       (SELECT content_hash FROM key_facts_statements WHERE journey_id = $1) ORDER BY language`,
    [journey.id],
  );
}

describe('the PDF of a statement that was agreed to', () => {
  it('is drawn once: another process answers the same bytes, sealed by fingerprint and language; it stays with its statement when the applicant is erased', async () => {
    const { journey, link } = await agreed();
    const languages = ['en', 'hi'];
    const allAt = (pdfOf: (language: string) => ReturnType<typeof pdfAt>) =>
      Promise.all(languages.map(pdfOf));
    const first = await allAt((language) => pdfAt(bench.service, link, language));
    expect(first[0].bytes.equals(first[1].bytes)).toBe(false);
    const later = anotherProcess();
    expect(await allAt((language) => later.pdfOf(link, language))).toEqual(first);
    const kept = await keptOf(journey);
    expect(kept.map(({ language }) => language)).toEqual(languages);
    for (const { pdf_sealed: sealed } of kept) {
      expect(sealed).toMatch(/^v1:test:/);
      expect(Buffer.from(sealed.slice('v1:test:'.length), 'base64url').toString()).not.toContain(
        '%PDF',
      );
    }
    const erase = ['applicants', 'erase', '--journey', journey.id, '--force'];
    expect((await runAdmin(bench.service.databaseUrl, ...erase)).code).toBe(0);
    expect(await later.pdfOf(link)).toEqual(first[0]);
    expect(later.draw).not.toHaveBeenCalled();
    expect(await keptOf(journey)).toEqual(kept);
  });

  it('does not open in the place of another', async () => {
    const [one, other] = [await agreed(), await agreed()];
    for (const { link } of [one, other]) await pdfAt(bench.service, link);
    const [{ content_hash: hash }] = await keptOf(one.journey);
    const [{ pdf_sealed: sealed }] = await keptOf(other.journey);
    await bench.query('UPDATE key_facts_pdfs SET pdf_sealed = $2 WHERE content_hash = $1', [
      hash,
      sealed,
    ]);
    const later = anotherProcess();
    expect((await later.pdfOf(one.link)).status).toBe(500);
    expect((await later.pdfOf(other.link)).status).toBe(200);
  });

  it('is the same for everybody when two processes draw it at the same moment, each its own way', async () => {
    const { journey, link } = await agreed();
    const processes = [anotherProcess(), anotherProcess(bench.service)];
    const gate = Promise.withResolvers<void>();
    for (const [number, { draw }] of processes.entries()) {
      draw.mockImplementation(() => gate.promise.then(() => Buffer.from(`pdf ${number}`)));
    }
    const answers = Promise.all(processes.map(({ pdfOf }) => pdfOf(link)));
    await eventually(() => processes.every(({ draw }) => draw.mock.calls.length === 1));
    gate.resolve();
    const [one, other] = await answers;
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(one.bytes.toString()).toMatch(/^pdf [01]$/);
    expect(other.bytes.equals(one.bytes)).toBe(true);
    expect(await keptOf(journey)).toHaveLength(1);
  });
});

describe('the PDF of a statement that is not agreed to', () => {
  it('is drawn by each process, and not kept', async () => {
    const [{ kfsLink }] = await (await bench.startWithOffers()).offers();
    const count = async () =>
      (await bench.query<{ count: string }>('SELECT count(*) FROM key_facts_pdfs'))[0].count;
    const before = await count();
    const first = await pdfAt(bench.service, kfsLink);
    const { draw, pdfOf } = anotherProcess();
    expect(await pdfOf(kfsLink)).toEqual(first);
    expect(draw).toHaveBeenCalledTimes(1);
    expect(await count()).toBe(before);
  });
});
