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

function drawingsOf(service: TestService) {
  return vi.spyOn(service.get<PdfThread>(PdfThread), 'draw');
}

async function pdfAt({ baseUrl }: TestService, link: string, language = 'en') {
  const response = await fetch(`${baseUrl}${new URL(link).pathname}.pdf?lang=${language}`);
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** A journey whose offer is chosen, and the link to its statement. */
async function agreed(): Promise<{ journey: TestJourney; link: string }> {
  const journey = await bench.startWithOffers();
  await journey.select();
  return { journey, link: (await journey.read()).selectedOffer!.kfsLink };
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
    const allAt = (service: TestService) =>
      Promise.all(languages.map((language) => pdfAt(service, link, language)));
    const first = await allAt(replicas.first);
    expect(first[0].bytes.equals(first[1].bytes)).toBe(false);
    // The second process has no cached PDF of a new statement.
    const draw = drawingsOf(replicas.second);
    expect(await allAt(replicas.second)).toEqual(first);
    const kept = await keptOf(journey);
    expect(kept.map(({ language }) => language)).toEqual(languages);
    for (const { pdf_sealed: sealed } of kept) {
      const [, bytes] = /^v1:test:(.+)$/.exec(sealed)!;
      expect(Buffer.from(bytes, 'base64url').toString()).not.toContain('%PDF');
    }
    const erase = ['applicants', 'erase', '--journey', journey.id, '--force'];
    expect((await runAdmin(bench.service.databaseUrl, ...erase)).code).toBe(0);
    expect(await pdfAt(replicas.second, link)).toEqual(first[0]);
    expect(draw).not.toHaveBeenCalled();
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
    expect((await pdfAt(replicas.second, one.link)).status).toBe(500);
    expect((await pdfAt(replicas.second, other.link)).status).toBe(200);
  });

  it('is the same for everybody when two processes draw it at the same moment, each its own way', async () => {
    const { journey, link } = await agreed();
    const gate = Promise.withResolvers<void>();
    const processes = [replicas.first, replicas.second];
    const draws = processes.map((service, number) =>
      drawingsOf(service).mockImplementation(() =>
        gate.promise.then(() => Buffer.from(`pdf ${number}`)),
      ),
    );
    const answers = Promise.all(processes.map((service) => pdfAt(service, link)));
    await eventually(() => draws.every(({ mock }) => mock.calls.length === 1));
    gate.resolve();
    const [one, other] = await answers;
    expect(one.bytes.toString()).toMatch(/^pdf [01]$/);
    expect(other).toEqual(one);
    expect(await keptOf(journey)).toHaveLength(1);
  });
});

describe('the PDF of a statement that is not agreed to', () => {
  it('is drawn by each process, and not kept', async () => {
    const [{ kfsLink }] = await (await bench.startWithOffers()).offers();
    const count = async () =>
      (await bench.query<{ count: string }>('SELECT count(*) FROM key_facts_pdfs'))[0].count;
    const before = await count();
    const first = await pdfAt(replicas.first, kfsLink);
    const draw = drawingsOf(replicas.second);
    expect(await pdfAt(replicas.second, kfsLink)).toEqual(first);
    expect(draw).toHaveBeenCalledTimes(1);
    expect(await count()).toBe(before);
  });
});
