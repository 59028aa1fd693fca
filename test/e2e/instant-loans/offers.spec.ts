import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { formatDateTime, formatPercent, formatRupees } from '../../../src/platform/index.js';
import { SHORTEST_PAGE_LIFE_MS } from '../../../src/payments/index.js';
import { LenderCatalogue } from '../../../src/settings/index.js';
import { ApplicantBrowser, choosableIn, hiddenIn } from '../../support/instant-loans.js';
import { MINUTE } from './instant-loan-bench.js';
import {
  cardsOf,
  comparisonAt,
  DECLINED,
  type LoggedOffer,
  offered,
  OfferStage,
  pageAt,
  payPageAt,
  PRINCIPAL,
} from './offer-stage.js';
import { logOf } from './two-offers.js';

let stage: OfferStage;

beforeAll(async () => {
  stage = await OfferStage.open();
});

afterAll(() => stage?.close());

const AMOUNT = /₹\d+(?:,\d+)*(?:\.\d+)?|\d+\.\d\d%/g;

function amountsIn(text: string): Set<string> {
  return new Set(text.match(AMOUNT));
}

/** The amounts of a logged offer, as a card writes them. */
function amountsOf({ principal, figures, coLender }: LoggedOffer): Set<string> {
  const { apr, instalment, processingFees, totalPayable, cost } = figures;
  const paise = [principal, instalment, processingFees, totalPayable, cost];
  const percent = [apr, ...(coLender ? [coLender.sharePercent] : [])];
  return new Set([...paise.map((one) => formatRupees(one)), ...percent.map(formatPercent)]);
}

const KEPT = /मंज़ूर न हो तो वापस नहीं|ऋणदाता रख लेता है/;

const ASKED = 'Asked, no answer yet';
const REFRESH = 'http-equiv="refresh"';

/** Two lenders have made offers, the third has not answered. */
async function twoOfThree() {
  const { id, redirectUrl } = await stage.create();
  await stage.tell(id, 'navdhara', stage.offering(60_000));
  expect(await pageAt(redirectUrl)).not.toContain('offers now');
  await stage.tell(id, 'kaverisetu', stage.offering(90_000));
  const browser = new ApplicantBrowser();
  const { text } = await browser.open(redirectUrl);
  return { id, redirectUrl, browser, text };
}

describe('the offers of the lenders', () => {
  it('can be seen before every lender has answered; a late one joins them', async () => {
    const { id, redirectUrl, browser, text } = await twoOfThree();
    expect(text).toContain('See 2 offers now');
    for (let press = 0; press < 2; press += 1) {
      const { location } = await browser.send(`${redirectUrl}/offers`, hiddenIn(text));
      expect(location).toBe(new URL(redirectUrl).pathname);
    }
    const early = await pageAt(redirectUrl);
    expect(choosableIn(early)).toHaveLength(2);
    for (const words of [ASKED, REFRESH]) expect(early).toContain(words);
    await stage.tell(id, 'tarangudyam', stage.offering(30_000));
    const later = await pageAt(redirectUrl);
    expect(choosableIn(later)).toHaveLength(3);
    for (const words of [ASKED, REFRESH]) expect(later).not.toContain(words);
    expect(await stage.bench.trail(id)).toEqual([
      'STARTED INITIATED',
      'OFFERS_OPENED OFFERS_RECEIVED',
    ]);
    const shown = (await logOf(stage, id)).map(({ offers }) => offers?.length);
    expect(shown).toEqual([2, 3]);
  });

  it('can be chosen from while a lender is asked, whose offer then is too late', async () => {
    const { id, redirectUrl, browser, text } = await twoOfThree();
    await browser.send(`${redirectUrl}/offers`, hiddenIn(text));
    expect(await payPageAt(redirectUrl)).toContain('Agree and pay ₹600');
    await stage.tell(id, 'tarangudyam', stage.offering(30_000));
    const compared = await comparisonAt(redirectUrl);
    expect(cardsOf(compared)).toHaveLength(2);
    expect(compared).toContain('Did not answer in time');
    expect(await stage.bench.flags(id)).toEqual(['LATE_ANSWER']);
  });

  it('stand side by side with all that each of them costs, and exactly that is recorded', async () => {
    const language = 'hi';
    const { id, redirectUrl } = await stage.create();
    const contingentCharges = [{ name: 'Returned payment', description: '₹450 each time' }];
    const coLender = { name: 'Beside Finance Limited', sharePercent: 20 };
    const dearer = stage.offering(90_000, { contingentCharges, coLender, coolingOffDays: 5 });
    await stage.tellAll(id, dearer, stage.offering(60_000), DECLINED);
    await stage.bench.records.query(
      `UPDATE journey_offers SET terms = terms || '{"feeOnDecline": "KEPT"}'
         WHERE journey_id = (SELECT journey_id FROM instant_loans WHERE id = $1)
           AND lender_code = 'navdhara'`,
      [id],
    );
    const cards = cardsOf(await pageAt(redirectUrl, language));
    const { offers } = await stage.logged(id);
    expect(offers.map(({ lenderCode }) => lenderCode)).toEqual(['kaverisetu', 'navdhara']);
    expect(cards.map(amountsIn)).toEqual(offers.map(amountsOf));
    for (const [index, { lenderName, figures }] of offers.entries()) {
      for (const text of [lenderName, `${figures.tenureMonths}`])
        expect(cards[index]).toContain(text);
    }
    expect(cards[1]).toContain('Beside Finance Limited (20.00%)');
    const fates = cards.map((card) => (KEPT.test(card) ? 'KEPT' : 'REFUND'));
    expect(fates).toEqual(['REFUND', 'KEPT']);
    expect(offers.map(({ feeOnDecline }) => feeOnDecline)).toEqual(fates);

    // The page of the chosen offer has only its own figures.
    const page = await payPageAt(redirectUrl, language);
    const shown = page.slice(page.indexOf('<h1'));
    for (const amount of amountsOf(offers[0])) expect(shown).toContain(amount);
    for (const foreign of ['₹900', 'Navdhara']) expect(shown).not.toContain(foreign);
    expect(shown).not.toMatch(KEPT);
    const { expires_at: end } = await stage.bench.row(id);
    expect(shown).toContain(
      formatDateTime(language, new Date(end.getTime() - SHORTEST_PAGE_LIFE_MS)),
    );
    // After the choice the cards are the same.
    const again = cardsOf(await comparisonAt(redirectUrl, language));
    expect(again.map(amountsIn)).toEqual(cards.map(amountsIn));

    const [, path = ''] = /href="([^"]*\/kfs\/[^"]+)"/.exec(cards[1]) ?? [];
    const url = new URL(path, stage.bench.service.baseUrl).href;
    const statement = await pageAt(url, language);
    for (const words of [offers[1].lenderName, '₹900', '₹450 each time'])
      expect(statement).toContain(words);
    const pdf = await fetch(`${url}.pdf`);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    await pdf.arrayBuffer();
  });

  it('stand beside a lender that does not lend the amount: the log knows it by its code', async () => {
    const catalogue = stage.bench.service.get<LenderCatalogue>(LenderCatalogue);
    const lenders = await catalogue.serving('ONLINE_INSTANT');
    const serving = vi.spyOn(catalogue, 'serving').mockResolvedValue(
      lenders.map((lender) => {
        if (lender.code !== 'tarangudyam') return lender;
        const { terms } = lender;
        const small = { ...terms.products.ONLINE_INSTANT, maximumAmount: PRINCIPAL - 1 };
        const products = { ...terms.products, ONLINE_INSTANT: small };
        return Object.assign(structuredClone(lender), { terms: { ...terms, products } });
      }),
    );
    const { id, redirectUrl } = await stage.create();
    await stage.tell(id, 'navdhara', stage.offering(60_000));
    await stage.tell(id, 'kaverisetu', DECLINED);
    const page = await pageAt(redirectUrl);
    serving.mockRestore();
    expect(page).toMatch(/>Tarang Udyam Finance Limited<[^?]+?>Does not lend this amount</);
    const { lendersNotAsked } = await stage.logged(id);
    expect(lendersNotAsked.map(({ code, reason }) => [code, reason])).toEqual([
      ['tarangudyam', 'AMOUNT'],
    ]);
  });
});

describe('without an offer', () => {
  it('that holds, the page waits and says who is asked; then the application is rejected, and no applicant has paid', async () => {
    const { id, redirectUrl } = await stage.create();
    await stage.tell(id, 'navdhara', DECLINED);
    const waiting = await pageAt(redirectUrl);
    for (const words of [
      'Getting your offers',
      '1 of 3 lenders have answered',
      'Asked; made no offer',
      ASKED,
      REFRESH,
      'open the SMS link later',
    ]) {
      expect(waiting).toContain(words);
    }
    expect(await pageAt(redirectUrl, 'hi')).toContain('आपके ऑफ़र आ रहे हैं');
    expect(waiting).not.toContain('/kfs/');
    const early = await new ApplicantBrowser().open(`${redirectUrl}/done`);
    expect([early.status, early.location]).toEqual([303, new URL(redirectUrl).pathname]);
    // An offer is rejected if its amount differs from the requested one, or its figures are invalid.
    const less = { principal: PRINCIPAL - 100, minimumAmount: PRINCIPAL - 100 };
    await stage.tell(id, 'kaverisetu', stage.offering(60_000, less));
    await stage.tell(id, 'tarangudyam', stage.offering(10_000, { apr: 1 }));
    await stage.bench.reaches(id, 'REJECTED');
    expect(new Set(await stage.bench.flags(id))).toEqual(new Set(['OFFER_REFUSED']));
    expect((await stage.bench.trail(id)).at(-1)).toBe('LENDERS_DECLINED REJECTED');
    const { status, location } = await new ApplicantBrowser().open(redirectUrl);
    expect([status, location]).toEqual([303, new URL(`${redirectUrl}/done`).pathname]);
    const page = await pageAt(`${redirectUrl}/done`);
    const back = `/sandbox/partner?applicationId&#x3D;${id}&amp;status&#x3D;REJECTED`;
    for (const words of ['No offer this time', 'You owe nothing.', 'What you can do', back])
      expect(page).toContain(words);
    // The application's id may contain a word by chance.
    for (const words of ['fee', REFRESH, '/kfs/', 'answered in time'])
      expect(page.replaceAll(id, '')).not.toContain(words);
    expect(await pageAt(`${redirectUrl}/done`, 'hi')).toContain('आप क्या कर सकते हैं');
    expect(await stage.ordersOf(id)).toEqual([]);
  });

  it('nor is anything paid when no lender says anything until the deadline', async () => {
    const { id, redirectUrl } = await stage.create();
    await stage.bench.service.travel(29 * MINUTE);
    expect(await stage.bench.status(id)).toBe('PAYMENT_PENDING');
    await stage.bench.service.travel(2 * MINUTE);
    await stage.bench.reaches(id, 'REJECTED');
    expect((await stage.bench.trail(id)).at(-1)).toBe('LENDERS_SILENT REJECTED');
    expect(await stage.bench.flags(id)).toEqual(['LENDER_SILENT']);
    expect(await pageAt(`${redirectUrl}/done`)).toContain('No lender answered in time');
    await stage.tell(id, 'navdhara', offered(stage.offer(60_000)));
    expect(await stage.bench.status(id)).toBe('REJECTED');
  });
});
