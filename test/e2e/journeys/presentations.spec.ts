import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { OFFER_METRIC } from '../../../src/matching/index.js';
import { formatRupees } from '../../../src/platform/index.js';
import { HostedClient, plain } from '../../support/hosted-client.js';
import { StepJourney, wordsOf } from '../hosted-steps/step-journey.js';
import { DAY, journeyBench } from './journey-bench.js';

const KAVERISETU = 'Kaverisetu Finserv Private Limited';
const TARANG = 'Tarang Udyam Finance Limited';

interface Row {
  id: string;
  kind: string;
  place: string;
  language: string | null;
  metric: string;
  content: string;
  contentHash: string;
  recordedAt: Date;
}

interface Content {
  offers: {
    offerId: string;
    rank: number;
    figures: Record<string, number>;
    lender: { registration: string; recoveryAgent: string | null };
    contingentCharges: { name: string; description: string }[];
  }[];
  lendersWithoutOffer: { name: string; standing: string }[] | null;
  lendersNotAsked: { code: string; reason: string }[] | null;
}

const bench = journeyBench();

function rowsOf(subjectId: string): Promise<Row[]> {
  return bench.query<Row>(
    `SELECT id, kind, place, language, metric, content, content_hash AS "contentHash",
       recorded_at AS "recordedAt"
     FROM offer_presentations WHERE subject_id = $1 ORDER BY recorded_at, id`,
    [subjectId],
  );
}

const contentOf = ({ content }: Row) => JSON.parse(content) as Content;

describe('what a partner’s program gets of offers', () => {
  it('is recorded with every figure, the order, the lenders, and the metric, and what is chosen with what was shown last; the lenders without an offer are named after the choice, too', async () => {
    const journey = await bench.startWithOffers({ pan: 'SANDX0003A' });
    const { offers } = await journey.read();
    const [row, ...more] = await rowsOf(journey.id);
    expect(more).toEqual([]);
    const api = { place: 'API', language: null };
    expect(row).toMatchObject({ kind: 'SHOWN', metric: OFFER_METRIC, ...api });
    expect(row.contentHash).toBe(createHash('sha256').update(row.content).digest('hex'));
    const { lendersWithoutOffer, lendersNotAsked, ...content } = contentOf(row);
    expect(content).toMatchObject({
      productCode: 'ONLINE_PERSONAL',
      offers: offers.map((offer) => ({
        rank: offer.rank,
        offerId: offer.offerId,
        lenderName: offer.sellerName,
        principal: offer.principalAmount * 100,
        minimumAmount: offer.minimumLoanAmount * 100,
        figures: {
          instalment: offer.emiAmount * 100,
          tenureMonths: offer.tenure,
          annualRatePercent: offer.interestRate,
          apr: offer.apr,
          processingFees: offer.processingFees * 100,
          netDisbursed: offer.netDisbursedAmount * 100,
        },
        contingentCharges: offer.contingentCharges,
        coolingOffDays: offer.coolingOffDays,
        validUntil: offer.validUntil,
        isValid: true,
      })),
    });
    expect(lendersWithoutOffer).toMatchObject([
      { name: KAVERISETU, standing: 'DECLINED' },
      { name: TARANG, standing: 'DECLINED' },
    ]);
    expect(lendersNotAsked).toEqual([]);
    await journey.select({ loanAmount: 150_000 });
    const { selectedOffer, lendersWithoutOffer: named } = await journey.read();
    expect(named).toEqual([
      { name: KAVERISETU, standing: 'DECLINED' },
      { name: TARANG, standing: 'DECLINED' },
    ]);
    const [, chosen] = await rowsOf(journey.id);
    expect(chosen).toMatchObject({ kind: 'CHOSEN', ...api });
    expect(JSON.parse(chosen.content)).toMatchObject({
      presentationId: row.id,
      offerId: offers[0].offerId,
      loanAmount: 150_000_00,
      figures: { apr: selectedOffer?.apr, instalment: selectedOffer!.emiAmount * 100 },
    });
  });

  it('is recorded once, however often and by however many at a time it is read, and again when it is another, and on another day', async () => {
    const journey = await bench.startWithOffers();
    await Promise.all(Array.from({ length: 20 }, () => journey.read()));
    const [first] = (await journey.read()).offers;
    expect(await rowsOf(journey.id)).toHaveLength(1);
    await bench.query(
      `UPDATE journey_offers SET valid_until = app_now() - interval '1 minute' WHERE id = $1`,
      [first.offerId],
    );
    await journey.read();
    await bench.service.travel(DAY);
    await journey.read();
    const rows = await rowsOf(journey.id);
    expect(rows.map((row) => contentOf(row).offers.length)).toEqual([3, 2, 2]);
    expect(new Set(rows.map(({ contentHash }) => contentHash)).size).toBe(2);
  });
});

describe('what the hosted pages show', () => {
  it('is recorded with the language that it was shown in, once; the charges in it, too', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', bench.service, {}, { language: 'hi' });
    const words = wordsOf(await journey.client.get('/hosted/offers'));
    await journey.client.get('/hosted/offers');
    const [row, ...more] = await rowsOf(journey.key.journeyId);
    expect([row.place, row.language, more]).toEqual(['PAGE', 'hi', []]);
    const shown = contentOf(row).offers;
    const charges = shown.flatMap(({ contingentCharges }) => contingentCharges);
    expect(charges.map(({ name }) => name)).toContain('किस्त देर से चुकाना');
    expect(words).toContain('किस्त देर से हो तो 2% प्रति माह + GST');
    expect(shown.flatMap(({ lender }) => lender.recoveryAgent ?? [])).toEqual(['Rinpath']);
    for (const { figures, lender } of shown) {
      expect(words).toContain(lender.registration);
      expect(figures.cost).toBe(figures.totalPayable - figures.netDisbursed);
      for (const paise of [figures.instalment, figures.totalPayable, figures.cost]) {
        expect(words).toContain(formatRupees(paise));
      }
    }
  });

  it('is recorded in each order that was asked for, and a choice cites the one that it was made from', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', bench.service);
    const { client } = journey;
    await client.get('/hosted/offers');
    await client.get('/hosted/offers?by=total');
    const byInstalment = await client.get('/hosted/offers?by=instalment');
    // An order that is already recorded adds no row; the newest row has another order.
    const byTotal = await client.get('/hosted/offers?by=total');
    const rows = await rowsOf(journey.key.journeyId);
    expect(rows.map(({ metric }) => metric)).toEqual([
      OFFER_METRIC,
      'TOTAL_ASC/1',
      'INSTALMENT_ASC/1',
    ]);
    for (const [row, page] of [
      [rows[1], byTotal],
      [rows[2], byInstalment],
    ] as const) {
      const shown = [...page.text.matchAll(/<h2 class="name" id="offer-([^"]+)"/g)];
      expect(contentOf(row).offers.map(({ offerId, rank }) => [offerId, rank])).toEqual(
        shown.map(([, id], index) => [id, index + 1]),
      );
    }
    // Another visit in Hindi, after the page of the form.
    const inHindi = new HostedClient(bench.service.baseUrl, { language: 'hi' });
    inHindi.cookies.set('session', client.cookies.get('session')!);
    await inHindi.get('/hosted/offers?by=total');
    const [choose] = /\/hosted\/offers\/off_[^"]+/.exec(byTotal.text)!;
    await client.get(plain(choose));
    await client.submit({ hasRead: '1' });
    await journey.reaches('KYC_PENDING');
    const chosen = (await rowsOf(journey.key.journeyId)).find(({ kind }) => kind === 'CHOSEN')!;
    expect(chosen.metric).toBe('TOTAL_ASC/1');
    expect(JSON.parse(chosen.content)).toMatchObject({ presentationId: rows[1].id });
  });
});

it('the public page about the order needs no sign-in, and says by which version', async () => {
  const client = new HostedClient(bench.service.baseUrl, { language: 'hi' });
  const page = await client.get('/ranking');
  expect([page.status, page.heading]).toEqual([200, 'हम ऑफ़र किस क्रम में दिखाते हैं']);
  for (const text of ['सबसे कम APR', 'पूरा तरीका, संस्करण', OFFER_METRIC]) {
    expect(wordsOf(page)).toContain(text);
  }
});
