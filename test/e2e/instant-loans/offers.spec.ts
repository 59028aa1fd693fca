import { describe, expect, it, vi } from 'vitest';
import { formatPercent, formatRupees } from '../../../src/platform/index.js';
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
import { keepsFee, offerIds } from './two-offers.js';
import { ofFile } from '../../support/of-file.js';

const stage = ofFile(() => OfferStage.open());

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

describe('the offers of the lenders', () => {
  it('can be seen before every lender has answered, and be chosen from; what comes then is too late', async () => {
    const { id, redirectUrl } = await stage.create();
    await stage.tell(id, 'navdhara', stage.offering(60_000));
    expect(await pageAt(redirectUrl)).not.toContain('offers now');
    await stage.tell(id, 'kaverisetu', stage.offering(90_000));
    const browser = new ApplicantBrowser();
    const { text } = await browser.open(redirectUrl);
    expect(text).toContain('See 2 offers now');
    for (let press = 0; press < 2; press += 1) {
      const { location } = await browser.send(`${redirectUrl}/offers`, hiddenIn(text));
      expect(location).toBe(new URL(redirectUrl).pathname);
    }
    const early = await pageAt(redirectUrl);
    expect(choosableIn(early)).toHaveLength(2);
    for (const words of [ASKED, REFRESH]) expect(early).toContain(words);
    expect(await stage.bench.trail(id)).toEqual([
      'STARTED INITIATED',
      'OFFERS_OPENED OFFERS_RECEIVED',
    ]);
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
    const coLender = { name: 'Beside Finance Limited', sharePercent: 20 };
    const dearer = stage.offering(90_000, { coLender });
    await stage.tellAll(id, dearer, stage.offering(60_000), DECLINED);
    await keepsFee(stage, (await offerIds(stage, id)).navdhara);
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
      '1 of 3 lenders have answered',
      'Asked; made no offer',
      ASKED,
      REFRESH,
      'open the SMS link later',
    ]) {
      expect(waiting).toContain(words);
    }
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
    for (const words of ['No offer this time', 'You owe nothing.', back])
      expect(page).toContain(words);
    for (const words of [REFRESH, '/kfs/', 'answered in time']) expect(page).not.toContain(words);
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
