import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { OFFER_METRIC, OfferPresentations } from '../../../src/matching/index.js';
import { Database, formatRupees } from '../../../src/platform/index.js';
import { HostedClient, plain } from '../../support/hosted-client.js';
import {
  ApplicantBrowser,
  applyForInstantLoan,
  untilOffered,
} from '../../support/instant-loans.js';
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
    isValid: boolean;
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
  it('is recorded with every figure, the order, the lenders, and the metric, and what is chosen with what was shown last', async () => {
    const journey = await bench.startWithOffers({ pan: 'SANDX0003A' });
    const { offers } = await journey.read();
    const [row, ...more] = await rowsOf(journey.id);
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      kind: 'SHOWN',
      place: 'API',
      language: null,
      metric: OFFER_METRIC,
    });
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
    const { selectedOffer } = await journey.read();
    const [, chosen] = await rowsOf(journey.id);
    expect(chosen).toMatchObject({ kind: 'CHOSEN', place: 'API', language: null });
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

describe('what is chosen on a page', () => {
  it('refers to what was shown there in its language, whatever was shown elsewhere since', async () => {
    const presentations = bench.service.get(OfferPresentations);
    const { id: subjectId } = await bench.startWithOffers();
    await bench.query(
      `INSERT INTO offer_presentations (id, partner_id, subject_id, round, kind, place, language,
         metric, content, content_hash, day, fingerprint, recorded_at)
       SELECT concat('prs_', n, $1::text), $2, $1, 1, 'SHOWN', place, language, 'APR_ASC/5', '{}', '', '2026-01-01', n,
         app_now() + n * interval '1 second'
       FROM (VALUES (1, 'PAGE', 'en'), (2, 'PAGE', 'hi'), (3, 'API', NULL)) AS given (n, place, language)`,
      [subjectId, bench.service.partnerId],
    );
    const cited = async (place: 'PAGE' | 'API', language: 'en' | 'hi' | null) => {
      await bench.service.get(Database).transaction((tx) =>
        presentations.chosen(tx, {
          partnerId: bench.service.partnerId,
          subjectId,
          round: 1,
          place,
          language,
          offerId: 'off_1',
          lenderCode: 'navdhara',
          loanAmount: 100,
          figures: {},
        }),
      );
      const rows = (await rowsOf(subjectId)).filter(
        (row) => row.kind === 'CHOSEN' && row.place === place && row.language === language,
      );
      return (JSON.parse(rows[0].content) as { presentationId: string }).presentationId;
    };
    expect(await cited('PAGE', 'en')).toBe(`prs_1${subjectId}`);
    expect(await cited('PAGE', 'hi')).toBe(`prs_2${subjectId}`);
    expect(await cited('PAGE', null)).toBe(`prs_2${subjectId}`);
    expect(await cited('API', null)).toBe(`prs_3${subjectId}`);
  });
});

describe('what the hosted pages show', () => {
  it('is recorded with the language that it was shown in, once; the charges in it, too', async () => {
    const journey = await StepJourney.at('OFFERS_RECEIVED', bench.service, {}, { language: 'hi' });
    const words = wordsOf(await journey.client.get('/hosted/offers'));
    await journey.client.get('/hosted/offers');
    const { journeyId, offers } = await journey.view();
    const [row, ...more] = await rowsOf(journeyId);
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
    // An expired offer is shown as expired.
    await bench.query(
      `UPDATE journey_offers SET valid_until = app_now() - interval '1 minute' WHERE id = $1`,
      [offers[0].offerId],
    );
    await journey.client.get('/hosted/offers');
    const last = contentOf((await rowsOf(journeyId)).at(-1)!);
    expect(last.offers.map(({ isValid }) => isValid)).toEqual([false, true, true]);
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
      const shown = [...page.text.matchAll(/<h2 class="name" id="offer-([^"]+)"/g)].map(
        ([, id]) => id,
      );
      expect(contentOf(row).offers.map(({ offerId }) => offerId)).toEqual(shown);
      expect(contentOf(row).offers.map(({ rank }) => rank)).toEqual([1, 2, 3]);
    }
    const [choose] = /\/hosted\/offers\/off_[^"]+/.exec(byTotal.text)!;
    await client.get(plain(choose));
    await client.submit({ hasRead: '1' });
    await journey.reaches('KYC_PENDING');
    const chosen = (await rowsOf(journey.key.journeyId)).find(({ kind }) => kind === 'CHOSEN')!;
    expect(chosen.metric).toBe('TOTAL_ASC/1');
    expect(JSON.parse(chosen.content)).toMatchObject({ presentationId: rows[1].id });
  });
});

it('what is recorded is not changed by a statement', async () => {
  await (await bench.startWithOffers()).read();
  for (const statement of [
    `UPDATE offer_presentations SET content = '{}'`,
    'UPDATE offer_presentations SET recorded_at = recorded_at',
    'DELETE FROM offer_presentations',
    'TRUNCATE offer_presentations',
  ]) {
    await expect(bench.query(statement)).rejects.toThrow(
      'rows of offer_presentations are never changed or deleted',
    );
  }
});

it.each([
  ['en', 'How we order offers', 'Lowest APR first', 'The whole method, version'],
  ['hi', 'हम ऑफ़र किस क्रम में दिखाते हैं', 'सबसे कम APR', 'पूरा तरीका, संस्करण'],
] as const)(
  'the public page about the order needs no sign-in, and says by which version: %s',
  async (language, ...texts) => {
    const page = await new HostedClient(bench.service.baseUrl, { language }).get('/ranking');
    const words = wordsOf(page);
    expect([page.status, page.heading]).toEqual([200, texts[0]]);
    for (const text of [...texts, OFFER_METRIC]) expect(words).toContain(text);
  },
);

describe('what the page of an instant loan shows', () => {
  it('is recorded before it is paid for, lender by lender, and that the applicant went on', async () => {
    const { json } = await applyForInstantLoan(bench.demo, { loanAmount: 100_000 });
    const { journeyId, redirectUrl } = json.data;
    const browser = new ApplicantBrowser('hi');
    const { text } = await untilOffered(browser, redirectUrl);
    expect(text).toContain('href="/ranking"');
    const [shown, ...more] = await rowsOf(journeyId);
    expect(more).toEqual([]);
    expect(shown).toMatchObject({ kind: 'SHOWN', place: 'PAGE', language: 'hi' });
    const { offers } = contentOf(shown) as unknown as {
      offers: { rank: number; offerId: string; lenderCode: string; figures: { apr: number } }[];
    };
    const made = await bench.query<{ id: string; code: string }>(
      `SELECT id, lender_code AS code FROM journey_offers
       WHERE journey_id = $1 ORDER BY (figures ->> 'apr')::float`,
      [journeyId],
    );
    expect(offers.map(({ offerId: id, lenderCode: code }) => ({ id, code }))).toEqual(made);
    expect(offers.map(({ rank }) => rank)).toEqual(offers.map((_, place) => place + 1));
    await browser.press(redirectUrl);
    const rows = await rowsOf(journeyId);
    expect(rows.map(({ kind, language }) => `${kind} ${language}`)).toEqual([
      'SHOWN hi',
      'CHOSEN hi',
    ]);
    expect(JSON.parse(rows[1].content)).toMatchObject({
      presentationId: shown.id,
      offerId: made[0].id,
      lenderCode: made[0].code,
      loanAmount: 100_000_00,
      figures: { apr: offers[0].figures.apr },
    });
  });
});
