import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quoteLoan } from '../../../src/loans/index.js';
import { formatDate, formatRupees } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import {
  ApplicantBrowser,
  choosableIn,
  hiddenIn,
  paymentFormOf,
} from '../../support/instant-loans.js';
import { HOUR, MINUTE, PATIENT } from './instant-loan-bench.js';
import { cardsOf, comparisonAt, DAY, OfferStage, pageAt, PRINCIPAL } from './offer-stage.js';
import { chooseOfTwo, endsIn, logOf, lowestIn, offerIds, offerTwo } from './two-offers.js';

let stage: OfferStage;

beforeAll(async () => {
  stage = await OfferStage.open();
});

afterAll(() => stage?.close());

const UNTOUCHED = ['STARTED INITIATED', 'OFFERS_ARRIVED OFFERS_RECEIVED'];

/** The figures that the two offers have the lowest of. */
const LOWEST = [['EMI × 12 months', 'APR'], ['You repay, with the fee']];

const labelsIn = (card: string) => [...card.matchAll(/<dt>([^<]+)/g)].map(([, label]) => label);

/** What is repaid: the row's label, value and note. */
function totalIn(html: string): string[] {
  const rows = html.matchAll(
    /<dt>([^<]+)<\/dt><dd>([^<]+?) ?(?:<span class="tag">[^<]+<\/span> ?)?<small>([^<]+)<\/small><\/dd>/g,
  );
  const total = [...rows].find(([, label]) =>
    /^(?:You repay, with the fee|फ़ीस मिलाकर कुल चुकाएँगे)$/.test(label),
  );
  return total?.slice(1) ?? [];
}

/** Of an offer for 25,000 rupees: months, percent a year, paise. */
function costs(tenureMonths: number, annualRatePercent: number, fee: number) {
  const { totalPayable: instalments } = quoteLoan({
    principal: PRINCIPAL,
    annualRatePercent,
    tenureMonths,
    fees: [{ name: 'Processing fee', payee: 'LENDER', amount: fee }],
  });
  const whole = instalments + fee;
  return { instalments, whole, cost: whole - PRINCIPAL };
}

function totalRow(language: 'en' | 'hi', { whole, cost }: ReturnType<typeof costs>): string[] {
  const value = formatRupees(whole);
  return language === 'en'
    ? ['You repay, with the fee', value, `costs you ${formatRupees(cost)}`]
    : ['फ़ीस मिलाकर कुल चुकाएँगे', value, `लोन का ख़र्च ${formatRupees(cost)}`];
}

const TWO = [costs(12, 20, 60_000), costs(3, 30, 30_000)] as const;

const withoutNavdhara = (work: () => Promise<void>) => stage.without('navdhara', work);

describe('as long as nothing is chosen among several offers', () => {
  it.each([
    ['en', 'Choosing is free', 'it ends by', /returned if declined/],
    ['hi', 'चुनना मुफ़्त है', 'तक यह ख़त्म हो जाएगा', /मंज़ूर न हो तो वापस/],
  ] as const)(
    'the page is the comparison alone, each offer an equal card with its button: %s',
    async (language, free, ends, fate) => {
      const loan = await offerTwo(stage);
      const { navdhara, kaverisetu } = await offerIds(stage, loan.id);
      const page = await pageAt(loan.redirectUrl, language);
      expect(choosableIn(page)).toEqual([navdhara, kaverisetu]);
      const cards = cardsOf(page);
      expect(cards.map((card) => card.includes('Navdhara'))).toEqual([true, false]);
      // The number of instalments is the offer's own.
      const [figures, others] = cards.map((card) =>
        labelsIn(card).map((label) => label.replace(/\d+/, '')),
      );
      expect(figures).toEqual(others);
      for (const card of cards) {
        expect(card).toMatch(/href="[^"]*\/kfs\/off_/);
        expect(card).toMatch(fate);
        expect(card).not.toMatch(/checked|aria-current/);
      }
      expect(cards.map(totalIn)).toEqual(TWO.map((of) => totalRow(language, of)));
      const { created_at: createdAt } = await stage.bench.row(loan.id);
      const end = formatDate(language, new Date(createdAt.getTime() + 72 * HOUR));
      for (const words of [free, ends, end, 'href="/ranking"']) expect(page).toContain(words);
      expect(page).toMatch(
        /Tarang Udyam[^<]*<\/h2><p class="quiet">(Asked; made no offer|पूछा, ऑफ़र नहीं दिया)/,
      );
      for (const absent of ['name="keyFactsHash"', 'type="checkbox"'])
        expect(page).not.toContain(absent);
    },
  );

  it('the cards come in the order that is asked for, which is recorded with the choice', async () => {
    const loan = await offerTwo(stage);
    const { kaverisetu: offerId } = await offerIds(stage, loan.id);
    const page = await pageAt(`${loan.redirectUrl}?by=total`);
    expect(cardsOf(page)[0]).toContain('Kaverisetu');
    expect(page).toContain(`${new URL(loan.redirectUrl).pathname}/choice?by&#x3D;total`);
    const browser = new ApplicantBrowser();
    const { csrf } = hiddenIn((await browser.open(loan.redirectUrl)).text);
    await browser.send(`${loan.redirectUrl}/choice?by=total`, { csrf, offerId });
    const chosen = (await logOf(stage, loan.id)).filter(({ kind }) => kind === 'CHOSEN');
    expect(chosen).toMatchObject([{ metric: 'TOTAL_ASC/1', lenderCode: 'kaverisetu' }]);
  });

  it('looking changes nothing; exactly the cards are recorded, with the statements behind them, no choice', async () => {
    const loan = await offerTwo(stage);
    const before = await stage.bench.row(loan.id);
    const page = await pageAt(loan.redirectUrl);
    const { status, location } = await new ApplicantBrowser().open(`${loan.redirectUrl}/done`);
    expect([status, location]).toEqual([303, new URL(loan.redirectUrl).pathname]);
    expect(await stage.bench.row(loan.id)).toEqual(before);
    expect(await stage.bench.trail(loan.id)).toEqual(UNTOUCHED);
    const [shown, ...more] = await logOf(stage, loan.id);
    expect([shown.kind, more]).toEqual(['SHOWN', []]);
    const offers = shown.offers!;
    expect(offers.map(({ lenderCode }) => lenderCode)).toEqual(['navdhara', 'kaverisetu']);
    for (const [index, card] of cardsOf(page).entries()) {
      const { offerId, lenderName } = offers[index];
      const [, path = ''] = /href="([^"]*\/kfs\/[^"]+)"/.exec(card) ?? [];
      expect(path).toContain(offerId);
      expect(await pageAt(new URL(path, loan.redirectUrl).href)).toContain(lenderName);
    }
  });

  it('no fee is ordered or agreed to: the comparison is shown again', async () => {
    const loan = await offerTwo(stage);
    const browser = new ApplicantBrowser();
    const { text } = await browser.open(loan.redirectUrl);
    const { csrf } = hiddenIn(text);
    for (const card of cardsOf(text)) {
      const [, path = ''] = /href="([^"]*\/kfs\/[^"]+)"/.exec(card) ?? [];
      const statement = await pageAt(new URL(path, loan.redirectUrl).href);
      const [, keyFactsHash = ''] = /"kfs-code">([0-9a-f]{64})</.exec(statement) ?? [];
      const pressed = await browser.send(loan.redirectUrl, { csrf, keyFactsHash, hasRead: '1' });
      expect(pressed.status).toBe(409);
      expect(pressed.text).toContain('Choose an offer first');
      expect(choosableIn(pressed.text)).toHaveLength(2);
    }
    expect(await stage.bench.trail(loan.id)).toEqual(UNTOUCHED);
  });
});

describe('the tags of the lowest figures', () => {
  it('are of the offers that can be chosen', async () => {
    const loan = await offerTwo(stage);
    expect(cardsOf(await pageAt(loan.redirectUrl)).map(lowestIn)).toEqual(LOWEST);
    await withoutNavdhara(async () => {
      expect(await pageAt(loan.redirectUrl)).not.toContain('class="tag"');
    });
  });
});

describe('the comparison beside a choice', () => {
  it('marks the chosen one, says which costs less, and leads back to it', async () => {
    const loan = await chooseOfTwo(stage);
    const { kaverisetu } = await offerIds(stage, loan.id);
    const less = formatRupees(TWO[0].cost - TWO[1].cost);
    expect(await pageAt(loan.redirectUrl)).toContain(`1 other offer; one costs ${less} less`);
    const page = await comparisonAt(loan.redirectUrl, 'hi');
    expect(page).toContain('Navdhara Capital Limited आपकी पसंद है');
    expect(page).toContain(`href="${new URL(loan.redirectUrl).pathname}"`);
    expect(choosableIn(page)).toEqual([kaverisetu]);
    const cards = cardsOf(page);
    expect(cards.map((card) => card.includes('अभी आपकी पसंद'))).toEqual([true, false]);
    expect(cards.map(totalIn)).toEqual(TWO.map((of) => totalRow('hi', of)));
    expect(cardsOf(await comparisonAt(loan.redirectUrl)).map(lowestIn)).toEqual(LOWEST);
    await new ApplicantBrowser().choose(loan.redirectUrl, kaverisetu);
    expect(await pageAt(loan.redirectUrl)).not.toContain('one costs');
  });

  it('is not there where nothing is chosen, or there is one offer: its page leads on', async () => {
    for (const { redirectUrl } of [await offerTwo(stage), await stage.offeredAt(60_000)]) {
      const { status, location } = await new ApplicantBrowser().open(`${redirectUrl}/offers`);
      expect([status, location]).toEqual([303, new URL(redirectUrl).pathname]);
    }
  });

  it('is recorded as it is shown, and not before', async () => {
    const loan = await chooseOfTwo(stage);
    await pageAt(loan.redirectUrl, 'hi');
    await pageAt(`${loan.redirectUrl}/done`, 'hi');
    const inHindi = async () =>
      (await logOf(stage, loan.id)).filter(({ language }) => language === 'hi');
    expect(await inHindi()).toEqual([]);
    await comparisonAt(loan.redirectUrl, 'hi');
    const [{ kind, offers }, ...more] = await inHindi();
    expect([kind, more]).toEqual(['SHOWN', []]);
    expect(offers!.map(({ lenderCode, isChosen }) => [lenderCode, isChosen])).toEqual([
      ['navdhara', true],
      ['kaverisetu', undefined],
    ]);
  });
});

it('where one offer alone can be had its own page comes at once, says so and can be paid', async () => {
  const loan = await stage.offeredAt(60_000);
  const browser = new ApplicantBrowser('hi');
  const { text } = await browser.open(loan.redirectUrl);
  expect(text).toContain('किसी का ऑफ़र नहीं');
  expect(choosableIn(text)).toEqual([]);
  const form = { ...hiddenIn(paymentFormOf(text)!), hasRead: '1' };
  await browser.send(loan.redirectUrl, form);
  expect(await stage.ordersOf(loan.id)).toMatchObject([{ amount: 60_000 }]);
  expect((await logOf(stage, loan.id)).map(({ kind }) => kind)).toEqual(['SHOWN', 'CHOSEN']);
});

describe('a lender that is switched off', () => {
  const GONE = 'No longer available';

  it('has no button for its offer, also in the log; of two offers the other one is to be paid', async () => {
    const loan = await offerTwo(stage);
    const { navdhara, kaverisetu } = await offerIds(stage, loan.id);
    await withoutNavdhara(async () => {
      const page = await pageAt(loan.redirectUrl);
      for (const words of ['Offers that are gone', 'Agree and pay ₹300'])
        expect(page).toContain(words);
      const { offers } = await stage.logged(loan.id);
      expect(offers.map(({ offerId, isValid }) => [offerId, isValid])).toEqual([
        [navdhara, false],
        [kaverisetu, true],
      ]);
      const refused = await new ApplicantBrowser().choose(loan.redirectUrl, navdhara);
      expect([refused.status, refused.text]).toEqual([
        409,
        expect.stringContaining('That offer is gone.'),
      ]);
      await new ApplicantBrowser().choose(loan.redirectUrl, kaverisetu);
      const cards = cardsOf(await comparisonAt(loan.redirectUrl));
      expect(cards.map((card) => card.includes(GONE))).toEqual([true, false]);
    });
  });

  it('is not paid though it was chosen: at the press the applicant is to choose again', async () => {
    const loan = await chooseOfTwo(stage);
    const { kaverisetu } = await offerIds(stage, loan.id);
    const browser = new ApplicantBrowser();
    const { text } = await browser.open(loan.redirectUrl);
    const form = { ...hiddenIn(paymentFormOf(text)!), hasRead: '1' };
    await withoutNavdhara(async () => {
      const page = await pageAt(loan.redirectUrl);
      expect(page).toContain('That offer is gone.');
      expect(choosableIn(page)).toEqual([kaverisetu]);
      for (const absent of ['your choice', 'class="tag"', 'name="keyFactsHash"'])
        expect(page).not.toContain(absent);
      const pressed = await browser.send(loan.redirectUrl, form);
      expect(pressed.status).toBe(409);
      for (const words of ['The offer has changed', 'Agree and pay ₹300'])
        expect(pressed.text).toContain(words);
    });
    expect(await stage.ordersOf(loan.id)).toEqual([]);
    expect(await stage.bench.agreements(loan.id)).toEqual([]);
  });
});

describe('when the chosen offer ends and several others can be chosen', () => {
  it('the comparison comes again, and what was chosen before pays for nothing', async () => {
    const loan = await stage.create();
    const [one, two, three] = [10_000, 60_000, 90_000].map((fee) => stage.offering(fee));
    await stage.tellAll(loan.id, one, two, three);
    const ids = await offerIds(stage, loan.id);
    await endsIn(stage, DAY, ids.navdhara);
    const browser = new ApplicantBrowser();
    await browser.choose(loan.redirectUrl, ids.navdhara);
    const { text } = await browser.open(loan.redirectUrl);
    const form = { ...hiddenIn(paymentFormOf(text)!), hasRead: '1' };
    await stage.bench.service.travel(DAY - 15 * MINUTE);
    await eventually(async () => {
      const page = await pageAt(loan.redirectUrl);
      expect(choosableIn(page)).toEqual([ids.kaverisetu, ids.tarangudyam]);
      expect(cardsOf(page)[0]).toContain('No longer available');
    }, PATIENT);
    expect((await browser.send(loan.redirectUrl, form)).status).toBe(409);
    expect(await stage.ordersOf(loan.id)).toEqual([]);
    await browser.choose(loan.redirectUrl, ids.tarangudyam);
    await stage.bench.atGateway(loan, 'pay');
    await stage.bench.reaches(loan.id, 'SANCTIONED');
    expect(stage.decisionAsked(loan.id)).toMatchObject({ lenderCode: 'tarangudyam' });
  });
});
