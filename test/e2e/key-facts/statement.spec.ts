import { describe, expect, it, vi } from 'vitest';
import { PdfThread } from '../../../src/key-facts/pdf/key-facts-pdfs.js';
import { canonicalJson, Fault, Keyring, sha256 } from '../../../src/platform/index.js';
import { runAdmin } from '../../support/admin-command.js';
import { withoutSandboxTime } from '../../support/without-sandbox-time.ts';
import { DAY, journeyBench, type TestJourney } from '../journeys/journey-bench.js';
import { type ReadPdf, readPdf } from './read-pdf.js';

const bench = journeyBench({ isOneLender: true });

async function get(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString() };
}

async function pdfOf(link: string): Promise<ReadPdf> {
  return readPdf((await get(`${link}.pdf?lang=en`)).bytes);
}

function expectSaid(text: string, ...said: string[]): void {
  expect(said.filter((one) => !text.includes(one))).toEqual([]);
}

/** A journey with a chosen offer, and the link to its statement. */
async function agreed(): Promise<{ journey: TestJourney; link: string }> {
  const journey = await bench.startWithOffers();
  await journey.select({ loanAmount: 150_000 });
  return { journey, link: (await journey.read()).selectedOffer!.kfsLink };
}

let once: ReturnType<typeof agreed> | undefined;

/** For tests that only read its statement. */
const agreedOnce = () => (once ??= agreed());

/** The journey's frozen statement, decrypted, and its hash. */
async function frozen(journey: TestJourney): Promise<{ hash: string; data: { issuedAt: string } }> {
  const [{ hash, sealed }] = await bench.query<{ hash: string; sealed: string }>(
    `SELECT content_hash AS hash, content_sealed AS sealed FROM key_facts_statements
     WHERE journey_id = $1`,
    [journey.id],
  );
  const keyring = bench.service.get<Keyring>(Keyring);
  return { hash, data: JSON.parse(keyring.open(sealed, 'key_facts_statements.content')) };
}

describe('the fingerprint of a statement', () => {
  it('is that of its canonical JSON, on the page, in the PDF and in the records', async () => {
    const { journey, link } = await agreedOnce();
    const { hash, data } = await frozen(journey);
    expect(sha256(canonicalJson(data))).toBe(hash);
    expect(data).toMatchObject({ templateVersion: '5', part1: { sanctionedAmount: 150_000_00 } });
    expect((await get(link)).text).toContain(hash);
    for (const page of (await pdfOf(link)).pages)
      expect(page).toContain(`Document code (SHA-256): ${hash}`);
  });

  it('is shown before the choice, too, and that nothing is agreed yet', async () => {
    const journey = await bench.startWithOffers();
    const [{ kfsLink }] = await journey.offers();
    const { text } = await get(kfsLink);
    expect(text).toMatch(/[0-9a-f]{64}/);
    const unagreed = 'Nothing is agreed until you choose it';
    expectSaid(text, unagreed, 'You are bound only when you sign the loan agreement.');
    await journey.select();
    expectSaid((await get(kfsLink)).text, unagreed);
    await journey.providerPage();
    expect((await get(kfsLink)).text).toContain('You agreed to this statement');
  });

  it('tells when what is kept is not what was agreed to: it is not shown then', async () => {
    const { journey, link } = await agreed();
    await bench.query(
      `UPDATE key_facts_statements SET content_hash = repeat('0', 64) WHERE journey_id = $1`,
      [journey.id],
    );
    expect((await get(link)).status).toBe(500);
  });
});

const PARTS = [
  'Part 1: interest rate and fees or charges',
  'Part 2: other information',
  'Annex B: computation of the APR',
  'Annex C: repayment schedule',
];

describe('the page', () => {
  const ENGLISH = [
    'Personal loan',
    'Stamp duty',
    'Late payment',
    'Clause 19 of the loan agreement',
  ];
  const HINDI = ['पर्सनल लोन', 'स्टांप शुल्क', 'किस्त देर से चुकाना', 'लोन समझौते का खंड 19'];

  it('speaks Hindi to a browser that asks for it, with the same figures, in the words of lender and product as they were frozen', async () => {
    const { journey, link } = await agreedOnce();
    const [english, hindi] = [await get(link), await get(link, { 'accept-language': 'hi-IN,hi' })];
    expectSaid(english.text, '<html lang="en">', ...ENGLISH);
    expectSaid(hindi.text, '<html lang="hi">', 'मुख्य तथ्य विवरण', 'चुकौती अनुसूची', ...HINDI);
    expect(ENGLISH.filter((text) => hindi.text.includes(text))).toEqual([]);
    const amounts = (text: string) => text.match(/₹\d+(?:,\d+)*/g)?.toSorted();
    expect(amounts(hindi.text)).toEqual(amounts(english.text));
    expect((await frozen(journey)).data).toMatchObject({
      texts: { hi: Object.fromEntries(ENGLISH.map((text, place) => [text, HINDI[place]])) },
    });
    const { pathname } = new URL(link);
    for (const [language, { text }] of Object.entries({ en: english, hi: hindi }))
      expect(text.replaceAll('&#x3D;', '=')).toContain(`href="${pathname}.pdf?lang=${language}"`);
  });

  it('shows every part with its validity, and every table with a caption', async () => {
    const { journey, link } = await agreedOnce();
    const { text } = await get(link);
    expectSaid(text, ...PARTS, 'Valid until');
    expect(text.split('<caption').length).toBe(text.split('<table').length);
    const { tenure } = (await journey.read()).selectedOffer!;
    expect(text.match(/<tr><th scope="row">\d+<\/th>/g)).toHaveLength(tenure);
  });

  it('escapes what a lender wrote', async () => {
    const name = `<img src=x onerror=alert(1)>`;
    const [{ name: before }] = await bench.query<{ name: string }>(
      `SELECT name FROM lenders WHERE code = 'navdhara'`,
    );
    const rename = (to: string) =>
      bench.configure(`UPDATE lenders SET name = $1 WHERE code = 'navdhara'`, [to]);
    await rename(name);
    const { link } = await agreed();
    await rename(before);
    expect((await get(link)).text).not.toContain('<img src');
    expect((await pdfOf(link)).pages[0]).toContain(name);
  });
});

describe('the PDF', () => {
  it('says everything that the page says, repeats the head of a table that goes on, and numbers its pages', async () => {
    const { journey, link } = await agreedOnce();
    const offer = (await journey.read()).selectedOffer!;
    const { pages } = await pdfOf(link);
    const pieces = pages.flat();
    expectSaid(
      pieces.join('\n'),
      ...PARTS,
      'Key Facts Statement',
      'Sharmila Deshpande',
      'Stamp duty',
      'Late payment',
      '₹1,50,000',
      `${offer.apr.toFixed(2)}%`,
      offer.sellerName,
    );
    const rows = Array.from({ length: offer.tenure }, (_, row) => String(row + 1));
    expect(pieces).toEqual(expect.arrayContaining(rows));
    expect(pages.length).toBeGreaterThan(2);
    for (const [number, page] of pages.entries()) {
      expect(page).toContain(`Page ${number + 1} of ${pages.length}`);
      expect(page).toContainEqual(expect.stringMatching(/^Valid until: /));
    }
    const goesOn = pages.filter((page) => page.includes('Instalments, one a month (continued)'));
    expect(goesOn.length).toBeGreaterThan(0);
    for (const page of goesOn) expect(page).toContain('Outstanding principal');
  });

  it('is tagged, titled and in the language that it says, dated by its statement, and the same bytes long after', async () => {
    const { journey, link } = await agreedOnce();
    const first = await get(`${link}.pdf?lang=en`);
    const english = readPdf(first.bytes);
    expect(english.language).toBe('en');
    expect(english.info.Title).toMatch(/^Key Facts Statement off_[0-9a-f]{32}$/);
    expectSaid(first.text, '/Marked true', '/S /Document\n', '/S /H1\n');
    for (const element of ['Table', 'Caption'])
      expect(first.text.split(`/S /${element}\n`)).toHaveLength(7 + 1);
    const { issuedAt } = (await frozen(journey)).data;
    const date = english.info.CreationDate.slice(2, 14);
    expect(issuedAt.replaceAll(/\D/g, '').slice(0, 12)).toBe(date);
    await bench.service.travel(30 * DAY);
    expect((await get(`${link}.pdf?lang=en`)).bytes.equals(first.bytes)).toBe(true);

    // The browser's language, if the address names no supported one.
    for (const query of ['?lang=hi', '', '?lang=xx', '?lang=hi&lang=en']) {
      const { bytes, headers } = await get(`${link}.pdf${query}`, { 'accept-language': 'hi' });
      const hindi = readPdf(bytes);
      expectSaid(hindi.info.Title, 'मुख्य तथ्य विवरण');
      expect([hindi.language, hindi.pages.join().includes('\ufffd')]).toEqual(['hi', false]);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'application/pdf',
        'content-length': String(bytes.length),
        'content-language': 'hi',
        'cache-control': 'no-store',
        'content-disposition': expect.stringMatching(
          /^inline; filename="key-facts-statement-off_[0-9a-f]{32}-hi\.pdf"$/,
        ),
      });
    }
  });

  it('503 when it cannot be drawn now: a page that says so, and no file; 404 behind a link that was not given out', async () => {
    const { link } = await agreed();
    const draw = vi.spyOn(bench.service.get<PdfThread>(PdfThread), 'draw');
    draw.mockRejectedValueOnce(new Fault('service_unavailable', { retryAfterSeconds: 5 }));
    const { status, headers, text } = await get(`${link}.pdf`, { accept: 'text/html' });
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(headers.get('content-disposition')).toBeNull();
    expectSaid(text, '<h1>');
    expect((await get(`${link}.pdf`)).status).toBe(200);
    const other = link.endsWith('A') ? 'B' : 'A';
    const { baseUrl } = bench.service;
    for (const url of [`${link.slice(0, -1)}${other}`, `${baseUrl}/kfs/`, `${link}.pdf`])
      expect((await get(`${url}.pdf`)).status).toBe(404);
  });
});

it('what was agreed is shown after the applicant was erased, word for word', async () => {
  const { journey, link } = await agreed();
  const [page, pdf] = [await get(link), await get(`${link}.pdf?lang=en`)];
  const erase = ['applicants', 'erase', '--journey', journey.id, '--force'];
  expect((await runAdmin(bench.service.databaseUrl, ...erase)).code).toBe(0);
  const after = await get(link);
  expect(withoutSandboxTime(after.text)).toBe(withoutSandboxTime(page.text));
  expect((await get(`${link}.pdf?lang=en`)).bytes.equals(pdf.bytes)).toBe(true);
});
