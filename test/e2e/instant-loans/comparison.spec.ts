import { describe, expect, it } from 'vitest';
import { quoteLoan } from '../../../src/loans/index.js';
import { formatDate, formatRupees } from '../../../src/platform/index.js';
import { ApplicantBrowser, choosableIn, hiddenIn } from '../../support/instant-loans.js';
import { HOUR } from './instant-loan-bench.js';
import { cardsOf, comparisonAt, OfferStage, pageAt, PRINCIPAL } from './offer-stage.js';
import { chooseOfTwo, logOf, lowestIn, offerIds, offerTwo, payForm } from './two-offers.js';
import { ofFile } from '../../support/of-file.js';

const stage = ofFile(() => OfferStage.open());

const UNTOUCHED = ['STARTED INITIATED', 'OFFERS_ARRIVED OFFERS_RECEIVED'];

/** The figures in which each of the two offers is lowest. */
const LOWEST = [['EMI × 12 months', 'APR'], ['You repay, with the fee']];

/** An offer for 25,000 rupees: months, percent a year, paise. */
function costOf(tenureMonths: number, annualRatePercent: number, fee: number): number {
  const fees = [{ name: 'Processing fee', payee: 'LENDER' as const, amount: fee }];
  const terms = { principal: PRINCIPAL, annualRatePercent, tenureMonths, fees };
  return quoteLoan(terms).totalPayable + fee;
}

const statementIn = (card: string) => /href="([^"]*\/kfs\/[^"]+)"/.exec(card)![1];

it('as long as none of several offers is chosen, the page is the comparison: exactly the cards are recorded, with the statements behind them, no choice', async () => {
  const loan = await offerTwo(stage);
  const { navdhara, kaverisetu } = await offerIds(stage, loan.id);
  const before = await stage.bench.row(loan.id);
  const path = new URL(loan.redirectUrl).pathname;
  const page = await pageAt(loan.redirectUrl);
  expect(choosableIn(page)).toEqual([navdhara, kaverisetu]);
  const end = formatDate('en', new Date(before.created_at.getTime() + 72 * HOUR));
  for (const words of ['Choosing is free', `it ends by ${end}`, 'Asked; made no offer'])
    expect(page).toContain(words);
  for (const absent of ['name="keyFactsHash"', 'type="checkbox"'])
    expect(page).not.toContain(absent);
  const cards = cardsOf(page);
  for (const card of cards) expect(card).not.toMatch(/checked|aria-current/);
  expect(cards.map((card) => card.includes('Navdhara'))).toEqual([true, false]);
  expect(cards.map(lowestIn)).toEqual(LOWEST);
  const [shown, ...more] = await logOf(stage, loan.id);
  expect([shown.kind, shown.language, more]).toEqual(['SHOWN', 'en', []]);
  expect(shown.offers!.map(({ lenderCode }) => lenderCode)).toEqual(['navdhara', 'kaverisetu']);

  // Opening a statement orders no fee: an offer must be chosen first.
  const browser = new ApplicantBrowser();
  const { csrf } = hiddenIn((await browser.open(loan.redirectUrl)).text);
  for (const [index, card] of cards.entries()) {
    const { offerId, lenderName } = shown.offers![index];
    expect(statementIn(card)).toContain(offerId);
    const statement = await pageAt(new URL(statementIn(card), loan.redirectUrl).href);
    expect(statement).toContain(lenderName);
    const [, keyFactsHash = ''] = /"kfs-code">([0-9a-f]{64})</.exec(statement) ?? [];
    const pressed = await browser.send(loan.redirectUrl, { csrf, keyFactsHash, hasRead: '1' });
    expect(pressed.status).toBe(409);
    expect(pressed.text).toContain('Choose an offer first');
  }
  for (const other of ['done', 'offers']) {
    const { status, location } = await browser.open(`${loan.redirectUrl}/${other}`);
    expect([status, location]).toEqual([303, path]);
  }
  expect(await stage.bench.row(loan.id)).toEqual(before);
  expect(await stage.bench.trail(loan.id)).toEqual(UNTOUCHED);

  // The address selects the order of the cards; the choice records it.
  const cheapest = await pageAt(`${loan.redirectUrl}?by=total`);
  expect(cardsOf(cheapest)[0]).toContain('Kaverisetu');
  expect(cheapest).toContain(`${path}/choice?by&#x3D;total`);
  await browser.send(`${loan.redirectUrl}/choice?by=total`, { csrf, offerId: kaverisetu });
  const chosen = (await logOf(stage, loan.id)).filter(({ kind }) => kind === 'CHOSEN');
  expect(chosen).toMatchObject([{ metric: 'TOTAL_ASC/1', lenderCode: 'kaverisetu' }]);
});

it('the comparison beside a choice marks it, says which costs less, leads back to it, and is recorded as it is shown', async () => {
  const loan = await chooseOfTwo(stage);
  const { kaverisetu } = await offerIds(stage, loan.id);
  const less = formatRupees(costOf(12, 20, 60_000) - costOf(3, 30, 30_000));
  expect(await pageAt(loan.redirectUrl)).toContain(`1 other offer; one costs ${less} less`);
  for (const url of [loan.redirectUrl, `${loan.redirectUrl}/done`]) await pageAt(url, 'hi');
  const inHindi = async () =>
    (await logOf(stage, loan.id)).filter(({ language }) => language === 'hi');
  expect(await inHindi()).toEqual([]);
  const page = await comparisonAt(loan.redirectUrl, 'hi');
  const [{ kind, offers }, ...more] = await inHindi();
  expect([kind, more]).toEqual(['SHOWN', []]);
  expect(offers!.map(({ lenderCode, isChosen }) => [lenderCode, isChosen])).toEqual([
    ['navdhara', true],
    ['kaverisetu', undefined],
  ]);
  for (const words of ['आपकी पसंद है', `href="${new URL(loan.redirectUrl).pathname}"`])
    expect(page).toContain(words);
  expect(choosableIn(page)).toEqual([kaverisetu]);
  const cards = cardsOf(page);
  expect(cards.map((card) => card.includes('अभी आपकी पसंद'))).toEqual([true, false]);
  await new ApplicantBrowser().choose(loan.redirectUrl, kaverisetu);
  expect(await pageAt(loan.redirectUrl)).not.toContain('one costs');
});

it('where one offer alone can be had its own page comes at once, says so and can be paid', async () => {
  const loan = await stage.offeredAt(60_000);
  const browser = new ApplicantBrowser('hi');
  const { location } = await browser.open(`${loan.redirectUrl}/offers`);
  expect(location).toBe(new URL(loan.redirectUrl).pathname);
  const { text } = await browser.open(loan.redirectUrl);
  expect(text).toContain('किसी का ऑफ़र नहीं');
  expect(choosableIn(text)).toEqual([]);
  await browser.send(loan.redirectUrl, await payForm(browser, loan));
  expect(await stage.ordersOf(loan.id)).toMatchObject([{ amount: 60_000 }]);
  expect((await logOf(stage, loan.id)).map(({ kind }) => kind)).toEqual(['SHOWN', 'CHOSEN']);
});

describe('a lender that is switched off', () => {
  it('has no button for its offer, also in the log; of two offers the other one is to be paid', async () => {
    const loan = await offerTwo(stage);
    const { navdhara, kaverisetu } = await offerIds(stage, loan.id);
    await stage.without('navdhara', async () => {
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
    });
  });

  it('is not paid though it was chosen: at the press the applicant is to choose again', async () => {
    const loan = await chooseOfTwo(stage);
    const browser = new ApplicantBrowser();
    const form = await payForm(browser, loan);
    await stage.without('navdhara', async () => {
      const pressed = await browser.send(loan.redirectUrl, form);
      expect(pressed.status).toBe(409);
      for (const words of ['The offer has changed', 'Agree and pay ₹300'])
        expect(pressed.text).toContain(words);
    });
    expect(await stage.ordersOf(loan.id)).toEqual([]);
    expect(await stage.bench.agreements(loan.id)).toEqual([]);
  });
});
