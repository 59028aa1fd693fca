import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ChosenOffers } from '../../../src/instant-loans/index.js';
import { Clock, formatDate, formatRupees } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import {
  ApplicantBrowser,
  choosableIn,
  hiddenIn,
  paymentFormOf,
  type VisitedPage,
} from '../../support/instant-loans.js';
import { HOUR, MINUTE, PATIENT } from './instant-loan-bench.js';
import { comparisonAt, DAY, OfferStage, pageAt } from './offer-stage.js';
import {
  auditOf,
  chooseOfTwo,
  type Loan,
  logOf,
  lowestIn,
  offerIds,
  offerTwo,
} from './two-offers.js';

let stage: OfferStage;

beforeAll(async () => {
  stage = await OfferStage.open();
});

afterAll(() => stage?.close());

const UNTOUCHED = ['APPLIED PAYMENT_PENDING', 'OFFER_CHOSEN PAYMENT_PENDING'];

/** What the two offers have the lowest figures of. */
const LOWEST = [['EMI × 12 months', 'APR'], ['You repay, with the fee']];

/** The cards of a page, in their order, without what is no card's. */
const cardsOf = (page: string) =>
  page
    .split('<article')
    .slice(1)
    .map((card) => card.split('</article>')[0]);

const labelsIn = (card: string) => [...card.matchAll(/<dt>([^<]+)/g)].map(([, label]) => label);

/** What a card says that a loan costs, in paise. */
function costIn(card: string): number {
  const [, rupees] = /costs you ₹([\d,]+)/.exec(card)!;
  return Number(rupees.replaceAll(',', '')) * 100;
}

/** The form that pays for the offer that leads, as a page would have it that does not ask for a choice. */
async function paymentOf(loan: Loan, { text }: VisitedPage): Promise<Record<string, string>> {
  const { key_facts_hash: keyFactsHash } = await stage.bench.row(loan.id);
  return { csrf: hiddenIn(text).csrf, keyFactsHash, hasRead: '1' };
}

const withoutNavdhara = (work: () => Promise<void>) => stage.without('navdhara', work);

describe('as long as nothing is chosen among several offers', () => {
  it.each([
    ['en', 'Choosing is free', 'it ends by', /returned if declined/],
    ['hi', 'चुनना मुफ़्त है', 'तक यह ख़त्म हो जाएगा', /मंज़ूर न हो तो वापस/],
  ] as const)(
    'the page is the comparison alone, each offer an equal card with its button: %s',
    async (language, none, ends, fate) => {
      const loan = await offerTwo(stage);
      const { navdhara, kaverisetu } = await offerIds(stage, loan.id);
      const page = await pageAt(loan.redirectUrl, language);
      expect(choosableIn(page)).toEqual([navdhara, kaverisetu]);
      const [first, second, ...more] = cardsOf(page);
      expect(more).toEqual([]);
      expect([first.includes('Navdhara'), second.includes('Kaverisetu')]).toEqual([true, true]);
      // The number of instalments is the offer's own.
      const [figures, others] = [first, second].map((card) =>
        labelsIn(card).map((label) => label.replace(/\d+/, '')),
      );
      expect(figures).toEqual(others);
      for (const card of [first, second]) {
        expect(card).toMatch(/href="\/kfs\/off_/);
        expect(card).toMatch(fate);
        expect(card).not.toMatch(/checked|aria-current/);
      }
      expect(page).toContain(none);
      expect(page).toContain('href="/ranking"');
      expect(page).toMatch(
        /Tarang Udyam[^<]*<\/h2><p class="quiet">(Asked; made no offer|पूछा, ऑफ़र नहीं दिया)/,
      );
      const { created_at: createdAt } = await stage.bench.row(loan.id);
      expect(page).toContain(ends);
      expect(page).toContain(formatDate(language, new Date(createdAt.getTime() + 72 * HOUR)));
      // Neither fee, box nor payment of any of them.
      for (const absent of ['name="hasRead"', 'name="keyFactsHash"', 'type="checkbox"'])
        expect(page).not.toContain(absent);
    },
  );

  it('a card says which of its figures are the lowest of those that can be chosen', async () => {
    const loan = await offerTwo(stage);
    expect(cardsOf(await pageAt(loan.redirectUrl)).map(lowestIn)).toEqual(LOWEST);
    await withoutNavdhara(async () => {
      expect(cardsOf(await pageAt(loan.redirectUrl)).map(lowestIn)).toEqual([[], []]);
    });
  });

  it('the cards come in the order that is asked for, which is recorded with the choice', async () => {
    const loan = await offerTwo(stage);
    const { kaverisetu } = await offerIds(stage, loan.id);
    const page = await pageAt(`${loan.redirectUrl}?by=total`);
    expect(cardsOf(page)[0]).toContain('Kaverisetu');
    expect(page).toContain(`${new URL(loan.redirectUrl).pathname}/choice?by&#x3D;total`);
    const browser = new ApplicantBrowser();
    const { csrf } = hiddenIn((await browser.open(loan.redirectUrl)).text);
    await browser.send(`${loan.redirectUrl}/choice?by=total`, { csrf, offerId: kaverisetu });
    const chosen = (await logOf(stage, loan.id)).filter(({ kind }) => kind === 'CHOSEN');
    expect(chosen).toMatchObject([{ metric: 'TOTAL_ASC/1', lenderCode: 'kaverisetu' }]);
  });

  it('looking changes nothing, and the way back from a payment leads to the comparison', async () => {
    const loan = await offerTwo(stage);
    const before = await stage.bench.row(loan.id);
    await pageAt(loan.redirectUrl);
    const { status, location } = await new ApplicantBrowser().open(`${loan.redirectUrl}/done`);
    expect([status, location]).toEqual([303, new URL(loan.redirectUrl).pathname]);
    expect(await stage.bench.row(loan.id)).toEqual(before);
    expect(await stage.bench.trail(loan.id)).toEqual(UNTOUCHED);
  });

  it('exactly the cards are recorded, with the statements behind them, no choice', async () => {
    const loan = await offerTwo(stage);
    const page = await pageAt(loan.redirectUrl);
    const [shown, ...more] = await logOf(stage, loan.id);
    expect([shown.kind, more]).toEqual(['SHOWN', []]);
    const offers = shown.offers!;
    expect(offers.map(({ lenderCode }) => lenderCode)).toEqual(['navdhara', 'kaverisetu']);
    const [kinds, others] = offers.map(({ figures }) => Object.keys(figures).toSorted());
    expect(kinds).toEqual(others);
    expect(kinds).not.toContain('payUntil');
    for (const [index, card] of cardsOf(page).entries()) {
      const [, path = ''] = /href="(\/kfs\/[^"]+)"/.exec(card) ?? [];
      const statement = await pageAt(`${stage.bench.service.baseUrl}${path}`);
      expect(statement).toContain(offers[index].keyFactsHash);
    }
  });

  it('no fee is ordered or agreed to: the comparison is shown again', async () => {
    const loan = await offerTwo(stage);
    const browser = new ApplicantBrowser();
    const form = await paymentOf(loan, await browser.open(loan.redirectUrl));
    const before = await stage.bench.row(loan.id);
    const pressed = await browser.send(loan.redirectUrl, form);
    expect(pressed.status).toBe(409);
    expect(pressed.text).toContain('Choose an offer first');
    expect(choosableIn(pressed.text)).toHaveLength(2);
    expect(await stage.bench.row(loan.id)).toEqual(before);
    expect(await stage.ordersOf(loan.id)).toEqual([]);
    expect(await stage.bench.trail(loan.id)).toEqual(UNTOUCHED);
  });
});

describe('the button of the offer that leads', () => {
  it('leads to its fee, its figures, its statement and its box; and to the others', async () => {
    const loan = await offerTwo(stage);
    const { navdhara, kaverisetu } = await offerIds(stage, loan.id);
    const { wanted_offer_id: _, updated_at: __, ...before } = await stage.bench.row(loan.id);
    const browser = new ApplicantBrowser();
    const pressed = await browser.choose(loan.redirectUrl, navdhara);
    expect([pressed.status, pressed.location]).toEqual([303, new URL(loan.redirectUrl).pathname]);
    expect(await stage.bench.row(loan.id)).toMatchObject({ ...before, wanted_offer_id: navdhara });
    const { text } = await browser.open(loan.redirectUrl);
    for (const words of [
      'Agree and pay ₹600',
      'Navdhara Capital Limited',
      '1 other offer; one costs ',
      'The loan is agreed.',
      'after 30 minutes we ask.',
      'name="hasRead"',
    ]) {
      expect(text).toContain(words);
    }
    expect(choosableIn(text)).toEqual([]);
    const [, path = ''] = /href="([^"]+\/offers)"/.exec(text) ?? [];
    const compared = await pageAt(`${stage.bench.service.baseUrl}${path}`);
    expect(choosableIn(compared)).toEqual([kaverisetu]);
  });

  it('is recorded like that of another, once, however often and wherever it is pressed', async () => {
    const loan = await offerTwo(stage);
    const { navdhara } = await offerIds(stage, loan.id);
    await Promise.all(
      [1, 2, 3, 4].map(() => new ApplicantBrowser('hi').choose(loan.redirectUrl, navdhara)),
    );
    await new ApplicantBrowser('hi').choose(loan.redirectUrl, navdhara);
    const { key_facts_hash: keyFactsHash } = await stage.bench.row(loan.id);
    const rows = await auditOf(stage, loan.id, 'LEADING_OFFER_CHOSEN');
    const choice = { offerId: navdhara, lenderCode: 'navdhara', fee: 60_000, keyFactsHash };
    expect(rows).toMatchObject([{ detail: { ...choice, language: 'hi' } }]);
    const log = await logOf(stage, loan.id);
    expect(log.filter(({ kind }) => kind === 'CHOSEN')).toMatchObject([
      {
        presentationId: log.find(({ kind }) => kind === 'SHOWN')!.id,
        lenderCode: 'navdhara',
        figures: { fee: 60_000 },
      },
    ]);
  });

  it('leads to the next offer where its lender is switched off', async () => {
    const loan = await offerTwo(stage);
    const { navdhara } = await offerIds(stage, loan.id);
    await withoutNavdhara(async () => {
      const pressed = await new ApplicantBrowser().choose(loan.redirectUrl, navdhara);
      expect(pressed.status).toBe(409);
      for (const words of ['That offer is gone.', 'Agree and pay ₹300'])
        expect(pressed.text).toContain(words);
    });
    expect(await auditOf(stage, loan.id, 'LEADING_OFFER_CHOSEN')).toEqual([]);
    expect(await stage.bench.row(loan.id)).toMatchObject({ lender_code: 'kaverisetu' });
  });
});

describe('the button of the offer that leads, once its time to begin a payment is over', () => {
  /** The offers of these lenders end in 20 minutes, and it is 5 minutes later: no payment page would close in time. */
  async function pressLate(loan: Loan, ending: readonly string[]) {
    const clock = stage.bench.service.get<Clock>(Clock);
    const ids = await offerIds(stage, loan.id);
    const end = new Date(clock.now().getTime() + 20 * MINUTE);
    await stage.bench.records.query(
      'UPDATE instant_offers SET valid_until = $2 WHERE id = ANY($1)',
      [ending.map((code) => ids[code]), end],
    );
    await stage.bench.records.query('UPDATE instant_loans SET expires_at = $2 WHERE id = $1', [
      loan.id,
      end,
    ]);
    const later = new Date(end.getTime() - 15 * MINUTE);
    const now = vi.spyOn(clock, 'now').mockReturnValue(later);
    const token = new URL(loan.redirectUrl).pathname.split('/').at(-1)!;
    const choices = stage.bench.service.get<ChosenOffers>(ChosenOffers);
    return choices.choose(token, ids.navdhara, { language: 'en' }).finally(() => now.mockRestore());
  }

  it.each([
    ['leads to the next one that stands', ['navdhara'], 'kaverisetu'],
    ['chooses nothing where no other stands', ['navdhara', 'kaverisetu'], 'navdhara'],
  ])('%s', async (_, ending, leading) => {
    const loan = await offerTwo(stage);
    expect(await pressLate(loan, ending)).toBe('GONE');
    expect(await stage.bench.row(loan.id)).toMatchObject({
      lender_code: leading,
      wanted_offer_id: null,
    });
    expect(await auditOf(stage, loan.id, 'LEADING_OFFER_CHOSEN')).toEqual([]);
    expect((await logOf(stage, loan.id)).filter(({ kind }) => kind === 'CHOSEN')).toEqual([]);
  });
});

describe('an offer that leads and whose lender is switched off', () => {
  const GONE = 'No longer available';

  it('has no button; the one other that stands is to be chosen, and is then the only one', async () => {
    const loan = await offerTwo(stage);
    const { kaverisetu } = await offerIds(stage, loan.id);
    const before = await stage.bench.row(loan.id);
    await withoutNavdhara(async () => {
      const page = await pageAt(loan.redirectUrl);
      expect(choosableIn(page)).toEqual([kaverisetu]);
      const [first, second] = cardsOf(page);
      expect([first.includes(GONE), second.includes(GONE)]).toEqual([true, false]);
      expect(page).not.toContain('class="tag"');
      expect(await stage.bench.row(loan.id)).toEqual(before);
      const browser = new ApplicantBrowser();
      await browser.choose(loan.redirectUrl, kaverisetu);
      const { text } = await browser.open(loan.redirectUrl);
      for (const words of ['Offers that are gone', 'Agree and pay ₹300'])
        expect(text).toContain(words);
    });
  });

  it.each([
    ['chosen before', () => chooseOfTwo(stage), 1, 'That offer is gone.'],
    ['without another', () => stage.offeredAt(60_000), 0, 'This loan can’t be had now'],
  ] as const)(
    'is not to be paid, and is not called the only one: %s',
    async (...[, start, others, gone]) => {
      const loan = await start();
      await withoutNavdhara(async () => {
        const page = await pageAt(loan.redirectUrl);
        expect(page).toContain(gone);
        expect(page).not.toContain('Pay ₹600');
        expect(paymentFormOf(page)).toBeUndefined();
        expect(choosableIn(page)).toHaveLength(others);
        for (const absent of ['your choice', 'class="tag"']) expect(page).not.toContain(absent);
      });
      expect(paymentFormOf(await pageAt(loan.redirectUrl))).toBeDefined();
    },
  );
});

describe('the comparison beside a choice that is made', () => {
  it.each([
    ['en', 'Navdhara Capital Limited is your choice', 'Your choice now'],
    ['hi', 'Navdhara Capital Limited आपकी पसंद है', 'अभी आपकी पसंद'],
  ] as const)('marks the chosen one, and leads back to it: %s', async (language, chosen, tag) => {
    const loan = await chooseOfTwo(stage);
    const before = await stage.bench.row(loan.id);
    const page = await comparisonAt(loan.redirectUrl, language);
    expect(page).toContain(chosen);
    const [first, second] = cardsOf(page);
    const { pathname } = new URL(loan.redirectUrl);
    expect([first.includes(tag), second.includes(tag)]).toEqual([true, false]);
    expect(page).toContain(`href="${pathname}"`);
    expect(await stage.bench.row(loan.id)).toEqual(before);
  });

  it('says which offer costs less in all, and so does the page of the chosen one', async () => {
    const loan = await chooseOfTwo(stage);
    const { kaverisetu } = await offerIds(stage, loan.id);
    const chosen = await pageAt(loan.redirectUrl);
    const cards = cardsOf(await comparisonAt(loan.redirectUrl));
    expect(cards.map(lowestIn)).toEqual(LOWEST);
    const [own, other] = cards.map((card) => costIn(card));
    expect(chosen).toContain(`1 other offer; one costs ${formatRupees(own - other)} less`);
    await new ApplicantBrowser().choose(loan.redirectUrl, kaverisetu);
    const cheapest = await pageAt(loan.redirectUrl);
    expect(cheapest).not.toContain('one costs');
  });

  it('is not there where nothing is chosen, or there is one offer alone: its page leads on', async () => {
    const undecided = await offerTwo(stage);
    const alone = await stage.offeredAt(60_000);
    for (const { redirectUrl } of [undecided, alone]) {
      const { status, location } = await new ApplicantBrowser().open(`${redirectUrl}/offers`);
      expect([status, location]).toEqual([303, new URL(redirectUrl).pathname]);
    }
  });

  it('is recorded as it is shown, and the page of the choice with the one offer that it has', async () => {
    const loan = await chooseOfTwo(stage);
    await pageAt(loan.redirectUrl, 'hi');
    await comparisonAt(loan.redirectUrl, 'hi');
    const shown = (await logOf(stage, loan.id)).filter(
      ({ kind, language }) => kind === 'SHOWN' && language === 'hi',
    );
    const lenders = shown.map(({ offers }) => offers!.map(({ lenderCode }) => lenderCode));
    expect(lenders).toEqual([['navdhara'], ['navdhara', 'kaverisetu']]);
  });
});

describe('two phones', () => {
  it('that show the comparison: what one chooses the other finds chosen, and may change', async () => {
    const loan = await offerTwo(stage);
    const { navdhara, kaverisetu } = await offerIds(stage, loan.id);
    const [one, other] = [new ApplicantBrowser(), new ApplicantBrowser()];
    await other.open(loan.redirectUrl);
    await one.choose(loan.redirectUrl, navdhara);
    const { text } = await one.open(loan.redirectUrl);
    expect((await other.open(loan.redirectUrl)).text).toContain('Agree and pay ₹600');
    await other.choose(loan.redirectUrl, kaverisetu);
    const form = { ...hiddenIn(paymentFormOf(text)!), hasRead: '1' };
    const pressed = await one.send(loan.redirectUrl, form);
    expect([pressed.status, await stage.ordersOf(loan.id)]).toEqual([409, []]);
    expect(pressed.text).toContain('Agree and pay ₹300');
  });
});

describe('where one offer alone can be had', () => {
  it.each([
    ['en', 'None has an offer'],
    ['hi', 'किसी का ऑफ़र नहीं'],
  ] as const)('its own page comes at once, says so and can be paid: %s', async (language, only) => {
    const loan = await stage.offeredAt(60_000);
    const browser = new ApplicantBrowser(language);
    const { text } = await browser.open(loan.redirectUrl);
    expect(text).toContain(only);
    expect(choosableIn(text)).toEqual([]);
    const form = { ...hiddenIn(paymentFormOf(text)!), hasRead: '1' };
    await browser.send(loan.redirectUrl, form);
    expect(await stage.ordersOf(loan.id)).toMatchObject([{ amount: 60_000 }]);
    expect(await auditOf(stage, loan.id, 'LEADING_OFFER_CHOSEN')).toEqual([]);
  });

  it('so it is where the lender of the other is switched off', async () => {
    const loan = await offerTwo(stage);
    await withoutNavdhara(async () => {
      const { navdhara } = await offerIds(stage, loan.id);
      await new ApplicantBrowser().choose(loan.redirectUrl, navdhara);
      const page = await pageAt(loan.redirectUrl);
      expect(page).toContain('Offers that are gone');
      expect(await comparisonAt(loan.redirectUrl)).toContain('No longer available');
    });
  });
});

describe('when the chosen offer ends and several others stand', () => {
  it('the comparison comes again, and what was chosen before pays for nothing', async () => {
    const loan = await stage.create();
    await stage.tellAll(
      loan.id,
      stage.offering(10_000),
      stage.offering(60_000),
      stage.offering(90_000),
    );
    const ids = await offerIds(stage, loan.id);
    const browser = new ApplicantBrowser();
    await browser.choose(loan.redirectUrl, ids.navdhara);
    const form = {
      ...hiddenIn(paymentFormOf((await browser.open(loan.redirectUrl)).text)!),
      hasRead: '1',
    };
    const end = new Date(stage.bench.service.now().getTime() + DAY);
    await stage.bench.records.query(`UPDATE instant_offers SET valid_until = $2 WHERE id = $1`, [
      ids.navdhara,
      end,
    ]);
    await stage.bench.records.query('UPDATE instant_loans SET expires_at = $2 WHERE id = $1', [
      loan.id,
      end,
    ]);
    await stage.bench.service.travel(DAY - 15 * MINUTE);
    await eventually(async () => {
      expect(await stage.bench.row(loan.id)).toMatchObject({
        lender_code: 'kaverisetu',
        wanted_offer_id: null,
      });
    }, PATIENT);
    const page = await pageAt(loan.redirectUrl);
    expect(cardsOf(page)).toHaveLength(3);
    expect(choosableIn(page)).toEqual([ids.kaverisetu, ids.tarangudyam]);
    expect(cardsOf(page)[0]).toContain('No longer available');
    expect((await browser.send(loan.redirectUrl, form)).status).toBe(409);
    // Nor does the form of the one that leads now, which nobody has chosen.
    const leading = await paymentOf(loan, await browser.open(loan.redirectUrl));
    expect((await browser.send(loan.redirectUrl, leading)).status).toBe(409);
    expect(await stage.ordersOf(loan.id)).toEqual([]);
    await browser.choose(loan.redirectUrl, ids.tarangudyam);
    await stage.bench.atGateway(loan, 'pay');
    await stage.bench.reaches(loan.id, 'SANCTIONED');
    expect(stage.decisionAsked(loan.id)).toMatchObject({ lenderCode: 'tarangudyam' });
  });
});

it('an application whose statement is agreed to is not asked to choose', async () => {
  const loan = await offerTwo(stage);
  await stage.bench.records.query('UPDATE instant_loans SET agreed_at = app_now() WHERE id = $1', [
    loan.id,
  ]);
  expect(paymentFormOf(await pageAt(loan.redirectUrl))).toBeDefined();
});
