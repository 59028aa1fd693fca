import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { InstantLoansRepository } from '../../../src/instant-loans/store/instant-loans.repository.js';
import { OfferChoice } from '../../../src/instant-loans/offers/offer-choice.js';
import { formatDateTime, formatPercent, formatRupees } from '../../../src/platform/index.js';
import { LenderCatalogue } from '../../../src/settings/index.js';
import { ApplicantBrowser, orderFee } from '../../support/instant-loans.js';
import { MINUTE } from './instant-loan-bench.js';
import {
  DECLINED,
  type LoggedOffer,
  offered,
  OfferStage,
  pageAt,
  payPageAt,
  comparisonAt,
  PRINCIPAL,
} from './offer-stage.js';

let stage: OfferStage;

beforeAll(async () => {
  stage = await OfferStage.open();
});

afterAll(() => stage?.close());

const AMOUNT = /₹\d+(?:,\d+)*(?:\.\d+)?|\d+\.\d+%/g;

function amountsIn(text: string): Set<string> {
  return new Set(text.match(AMOUNT));
}

/** Every amount and rate that the matching log has of an offer, and the sum of two of them, as a page writes them. */
function amountsOf({ principal, figures }: LoggedOffer): Set<string> {
  const { annualRatePercent, apr, instalment, fee, totalPayable, coLender } = figures;
  const { cost, charges = [], contingentCharges } = figures;
  const paise = [principal, instalment, fee, totalPayable, totalPayable + fee, cost];
  const percent = [annualRatePercent, apr, ...(coLender ? [coLender.sharePercent] : [])];
  return new Set([
    ...[...paise, ...charges.map(({ amount }) => amount)].map((amount) => formatRupees(amount)),
    ...percent.map((rate) => formatPercent(rate)),
    ...contingentCharges.flatMap(({ description }) => [...amountsIn(description)]),
  ]);
}

/** Those of them that a card has; the rest is before the payment and in the statement. */
function cardAmountsOf({ principal, figures }: LoggedOffer): Set<string> {
  const { apr, instalment, fee, totalPayable, coLender, cost } = figures;
  const percent = [apr, ...(coLender ? [coLender.sharePercent] : [])];
  return new Set([
    ...[principal, instalment, fee, totalPayable + fee, cost].map((amount) => formatRupees(amount)),
    ...percent.map((rate) => formatPercent(rate)),
  ]);
}

/** What a day costs whoever leaves the loan after the payout, as its page writes it. */
function dailyOf({ principal, figures }: LoggedOffer): string {
  return formatRupees(Math.round((principal * figures.apr) / 36_500 / 100) * 100);
}

function namesIn({ lenderName, figures }: LoggedOffer): string[] {
  const { tenureMonths, coolingOffDays, contingentCharges } = figures;
  const charges = contingentCharges.map(({ name }) => name);
  return [lenderName, `${tenureMonths}`, `${coolingOffDays}`, ...charges];
}

function cardsIn(page: string): string[] {
  return page
    .split('<article')
    .slice(1)
    .map((card) => card.split('</article>')[0]);
}

const KEPT_WORDS = {
  en: /kept if declined|Declined\? The lender keeps/,
  hi: /मंज़ूर न हो तो वापस नहीं|ऋणदाता रख लेता है/,
} as const;

describe('the offers of the lenders', () => {
  it('are waited for on a page that says who is asked, and goes on by itself', async () => {
    const { id, redirectUrl } = await stage.create();
    await stage.tell(id, 'navdhara', DECLINED);
    const page = await pageAt(redirectUrl);
    for (const words of [
      'Getting your offers',
      '1 of 3 lenders have answered',
      'Asked; made no offer',
      'Asked, no answer yet',
      'http-equiv="refresh"',
      'open the SMS link later',
    ]) {
      expect(page).toContain(words);
    }
    expect(await pageAt(redirectUrl, 'hi')).toContain('आपके ऑफ़र आ रहे हैं');
    // Nothing is to be read or paid yet.
    expect(page).not.toContain('/kfs/');
    const done = await new ApplicantBrowser().open(`${redirectUrl}/done`);
    expect([done.status, done.location]).toEqual([303, new URL(redirectUrl).pathname]);
  });

  it('bring the fee, the statement and the comparison of the one with the lowest APR', async () => {
    const { id, redirectUrl } = await stage.create();
    const best = stage.offer(60_000);
    await stage.tellAll(id, stage.offering(90_000), offered(best), DECLINED);
    expect(await stage.bench.row(id)).toMatchObject({ fee: 60_000, lender_code: 'kaverisetu' });
    expect(await stage.standings(id)).toEqual({
      navdhara: 'OFFERED',
      kaverisetu: 'OFFERED',
      tarangudyam: 'DECLINED',
    });
    const page = await payPageAt(redirectUrl);
    for (const words of ['Agree and pay ₹600', '21.00%']) expect(page).toContain(words);
    const compared = await comparisonAt(redirectUrl);
    for (const words of ['₹600', '₹900', 'made no offer']) expect(compared).toContain(words);
    const [, path] = /href="(\/kfs\/[^"]+)"/.exec(page)!;
    const statement = await pageAt(`${stage.bench.service.baseUrl}${path}`);
    expect(statement).toContain('₹600');
    expect(await stage.ordersOf(id)).toEqual([]);
    expect(await orderFee(stage.bench.records, { applicationId: id, redirectUrl })).toMatch(
      /^pay_/,
    );
    expect(await stage.ordersOf(id)).toMatchObject([{ amount: 60_000 }]);
  });

  it.each(['en', 'hi'] as const)(
    'stand side by side with all that each of them costs, and exactly that is recorded: %s',
    async (language) => {
      const { id, redirectUrl } = await stage.create();
      const contingentCharges = [{ name: 'Returned payment', description: '₹450 each time' }];
      const coLender = { name: 'Beside Finance Limited', sharePercent: 20 };
      const dearer = stage.offering(90_000, { contingentCharges, coLender, coolingOffDays: 5 });
      await stage.tellAll(id, stage.offering(60_000), dearer, DECLINED);
      await stage.bench.records.query(
        `UPDATE instant_offers SET fee_on_decline = 'KEPT'
         WHERE application_id = $1 AND lender_code = 'kaverisetu'`,
        [id],
      );
      const compared = await pageAt(redirectUrl, language);
      const { offers } = await stage.logged(id);
      const kept = KEPT_WORDS[language];
      const cards = cardsIn(compared);
      // The two are told apart by what stands in each, not by what the page has in all.
      for (const [index, shown] of cards.entries()) {
        const { lenderName, figures } = offers[index];
        expect(amountsIn(shown)).toEqual(cardAmountsOf(offers[index]));
        for (const text of [lenderName, `${figures.tenureMonths}`]) expect(shown).toContain(text);
      }
      const [, card] = cards;
      for (const words of ['₹900', 'Beside Finance Limited (20.00%)'])
        expect(card).toContain(words);
      const fees = cards.map((shown) => (kept.test(shown) ? 'KEPT' : 'REFUND'));
      expect(fees).toEqual(offers.map(({ figures }) => figures.feeOnDecline));
      expect(fees).toEqual(['REFUND', 'KEPT']);
      expect((await stage.bench.row(id)).key_facts_hash).toBe(offers[0].keyFactsHash);
      // The page of the chosen one has its figures, and no other's.
      const page = await payPageAt(redirectUrl, language);
      const [chosen, ...others] = (await stage.logged(id)).offers;
      expect(others).toEqual([]);
      expect(chosen.keyFactsHash).toBe(offers[0].keyFactsHash);
      const shown = page.slice(page.indexOf('<h1'));
      expect(amountsIn(shown)).toEqual(amountsOf(chosen).add(dailyOf(chosen)));
      for (const text of namesIn(chosen)) expect(shown).toContain(text);
      expect(shown).not.toMatch(kept);
      // The moment until which it can be paid is the only one that the page has of an offer.
      expect(shown).toContain(formatDateTime(language, chosen.figures.payUntil!));
      expect(chosen.figures).not.toHaveProperty('expiresAt');
      // Beside the choice the cards are the same.
      const again = cardsIn(await comparisonAt(redirectUrl, language));
      expect(again.map(amountsIn)).toEqual(cards.map(amountsIn));
      const [, path = ''] = /href="(\/kfs\/[^"]+)"/.exec(card) ?? [];
      const statement = await new ApplicantBrowser(language).open(
        `${stage.bench.service.baseUrl}${path}`,
      );
      expect(statement.status).toBe(200);
      const fingerprint = offers[1].keyFactsHash;
      for (const words of [offers[1].lenderName, '₹900', '₹450 each time', fingerprint]) {
        expect(statement.text).toContain(words);
      }
      // It can still be chosen.
      const notTaken = { en: 'Another one was taken', hi: 'दूसरा ऑफ़र लिया गया' }[language];
      const proposed = {
        en: 'You are not bound before you pay the fee.',
        hi: 'शुल्क चुकाने से पहले लोन पक्का नहीं होता।',
      }[language];
      expect(statement.text).toContain(proposed);
      expect(statement.text).not.toContain(notTaken);
      const pdf = await fetch(`${stage.bench.service.baseUrl}${path}.pdf`);
      expect(pdf.headers.get('content-type')).toBe('application/pdf');
      await pdf.arrayBuffer();
      const pay = path.replace('/kfs/', '/pay/');
      expect((await fetch(`${stage.bench.service.baseUrl}${pay}`)).status).toBe(404);
      // Once the fee is paid it cannot any more.
      await stage.bench.atGateway({ applicationId: id, redirectUrl, smsSent: true }, 'pay');
      await stage.bench.reaches(id, 'SANCTIONED');
      const later = await new ApplicantBrowser(language).open(
        `${stage.bench.service.baseUrl}${path}`,
      );
      expect(later.text).toContain(notTaken);
      expect(later.text).not.toContain(proposed);
    },
  );

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
    serving.mockRestore();
    const renamed = (await catalogue.list()).map((one) =>
      Object.assign(structuredClone(one), { name: `New ${one.name}` }),
    );
    const list = vi.spyOn(catalogue, 'list').mockResolvedValue(renamed);
    const page = await pageAt(redirectUrl);
    list.mockRestore();
    expect(page).toMatch(/>Tarang Udyam Finance Limited<[^?]+?>Does not lend this amount</);
    const { lendersNotAsked } = await stage.logged(id);
    expect(lendersNotAsked.map(({ code, reason }) => [code, reason])).toEqual([
      ['tarangudyam', 'AMOUNT'],
    ]);
  });

  it('name the offer in the question whether the loan is sanctioned; the others are told', async () => {
    const loan = await stage.create();
    const best = stage.offer(60_000);
    await stage.tellAll(loan.id, stage.offering(90_000), offered(best), DECLINED);
    // As long as nothing is paid the applicant may choose another.
    expect(await stage.withdrawals(loan.id)).toEqual([]);
    await stage.bench.atGateway(loan, 'pay');
    await stage.bench.reaches(loan.id, 'SANCTIONED');
    expect(stage.decisionAsked(loan.id)).toMatchObject({
      lenderCode: 'kaverisetu',
      payload: { offerReference: best.reference, feePaid: { amount: 60_000 } },
    });
    expect(await stage.withdrawals(loan.id)).toEqual(['NOT_CHOSEN navdhara']);
  });

  it('come once, however often they are told', async () => {
    const { id } = await stage.create();
    const one = stage.offering(60_000);
    await stage.tell(id, 'navdhara', one);
    await stage.tell(id, 'navdhara', one);
    await stage.tell(id, 'kaverisetu', DECLINED);
    await stage.tell(id, 'tarangudyam', DECLINED);
    await stage.tell(id, 'navdhara', one);
    expect(await stage.bench.trail(id)).toEqual([
      'APPLIED PAYMENT_PENDING',
      'OFFER_CHOSEN PAYMENT_PENDING',
    ]);
    expect(await stage.withdrawals(id)).toEqual([]);
  });

  it('stand when their lender makes another one, which the operator is shown', async () => {
    const loan = await stage.create();
    const first = stage.offer(60_000);
    await stage.tell(loan.id, 'navdhara', offered(first));
    await stage.tell(loan.id, 'navdhara', stage.offering(50_000));
    await stage.tell(loan.id, 'kaverisetu', DECLINED);
    await stage.tell(loan.id, 'tarangudyam', DECLINED);
    await stage.tell(loan.id, 'navdhara', stage.offering(40_000));
    expect(await stage.bench.row(loan.id)).toMatchObject({ lender_code: 'navdhara', fee: 60_000 });
    // A withdrawal is of the application: the lender would decline it, once it is paid.
    expect(await stage.withdrawals(loan.id)).toEqual([]);
    const flags = 'SELECT kind, count, detail FROM operator_flags WHERE subject_id = $1';
    const { principal: amount } = first;
    expect(await stage.bench.records.query(flags, [loan.id])).toMatchObject([
      { kind: 'LATE_ANSWER', count: 2, detail: { amount } },
    ]);
    await stage.bench.atGateway(loan, 'pay');
    await stage.bench.reaches(loan.id, 'SANCTIONED');
  });

  it('are still waited for when what a lender says is neither an offer nor a "no"', async () => {
    const { id } = await stage.create();
    await stage.tell(id, 'navdhara', { kind: 'NOTED' });
    expect(await stage.standings(id)).toEqual({});
    expect(await stage.bench.flags(id)).toEqual(['UNREADABLE_ANSWER']);
    await stage.tellAll(id, stage.offering(60_000), DECLINED, DECLINED);
    expect(await stage.bench.row(id)).toMatchObject({ lender_code: 'navdhara' });
  });

  it('are taken up again when the choice among them could not be written', async () => {
    const { id } = await stage.create();
    const choice = stage.bench.service.get<OfferChoice>(OfferChoice);
    const broken = vi.spyOn(choice, 'putFirst').mockRejectedValueOnce(new Error('killed'));
    await stage.tellAll(id, DECLINED, DECLINED, stage.offering(60_000));
    expect(broken).toHaveBeenCalledTimes(2);
    broken.mockRestore();
    expect(await stage.bench.trail(id)).toEqual([
      'APPLIED PAYMENT_PENDING',
      'OFFER_CHOSEN PAYMENT_PENDING',
    ]);
    expect(Object.keys(await stage.standings(id))).toHaveLength(3);
  });
});

describe('an offer that does not hold', () => {
  it.each([
    ['its figures disagree', { apr: 9 }],
    ['it is of another amount', { principal: PRINCIPAL - 100, minimumAmount: PRINCIPAL - 100 }],
    ['it runs out too soon', { validUntil: new Date(0).toISOString() }],
  ])('is refused, and nobody sees it: %s', async (_, parts) => {
    const { id } = await stage.create();
    await stage.tellAll(id, stage.offering(10_000, parts), stage.offering(60_000), DECLINED);
    expect(await stage.bench.row(id)).toMatchObject({ lender_code: 'kaverisetu', fee: 60_000 });
    expect(await stage.standings(id)).toMatchObject({ navdhara: 'OFFER_REFUSED' });
    expect(await stage.bench.flags(id)).toEqual(['OFFER_REFUSED']);
    // The refusal is of its offers alone; that nothing comes of the application is told with the choice.
    expect(await stage.withdrawals(id)).toEqual([
      'OFFER_REFUSED:1 navdhara',
      'NOT_CHOSEN navdhara',
    ]);
  });
});

describe('a lender that has answered without an offer that could be taken', () => {
  it.each([
    ['it declined', () => DECLINED],
    ['its offer was refused', () => stage.offering(10_000, { apr: 1 })],
  ])('may still make one while others are waited for: %s', async (_, first) => {
    const { id } = await stage.create();
    await stage.tell(id, 'navdhara', first());
    const before = await stage.withdrawals(id);
    await stage.tell(id, 'navdhara', stage.offering(20_000, { apr: 1 }));
    await stage.tell(id, 'navdhara', stage.offering(50_000));
    await stage.tell(id, 'navdhara', DECLINED);
    expect(await stage.standings(id)).toEqual({ navdhara: 'OFFERED' });
    await stage.tell(id, 'kaverisetu', stage.offering(60_000));
    await stage.tell(id, 'tarangudyam', DECLINED);
    expect(await stage.bench.row(id)).toMatchObject({ lender_code: 'navdhara', fee: 50_000 });
    // Nothing that is not so is told to it, and no offer of its is called too late.
    const told = new Set([...before, 'OFFER_REFUSED:1 navdhara']);
    expect(new Set(await stage.withdrawals(id))).toEqual(told);
    expect(await stage.bench.trail(id)).toEqual([
      'APPLIED PAYMENT_PENDING',
      'OFFER_CHOSEN PAYMENT_PENDING',
    ]);
  });

  it('and makes one after the choice is told that another was chosen', async () => {
    const { id } = await stage.create();
    await stage.tellAll(id, DECLINED, DECLINED, stage.offering(60_000));
    await stage.tell(id, 'navdhara', stage.offering(10_000));
    expect(await stage.standings(id)).toMatchObject({ navdhara: 'DECLINED' });
    expect(await stage.withdrawals(id)).toEqual(['LATE navdhara']);
    expect(await stage.bench.row(id)).toMatchObject({ lender_code: 'tarangudyam' });
  });
});

describe('without an offer', () => {
  it('an application is rejected, nobody has paid, and the page says what that means', async () => {
    const { id, redirectUrl } = await stage.create();
    await stage.tellAll(id, DECLINED, DECLINED, stage.offering(10_000, { apr: 1 }));
    await stage.bench.reaches(id, 'REJECTED');
    expect(await stage.bench.trail(id)).toEqual([
      'APPLIED PAYMENT_PENDING',
      'LENDERS_DECLINED REJECTED',
    ]);
    const { status, location } = await new ApplicantBrowser().open(redirectUrl);
    expect([status, location]).toEqual([303, new URL(`${redirectUrl}/done`).pathname]);
    const page = await pageAt(`${redirectUrl}/done`);
    for (const words of ['No offer this time', 'You owe nothing.', 'What you can do', '/ranking']) {
      expect(page).toContain(words);
    }
    // The application’s id may have the letters of a word.
    const withoutId = page.replaceAll(id, '');
    for (const words of ['fee', 'http-equiv="refresh"', '/kfs/']) {
      expect(withoutId).not.toContain(words);
    }
    expect(await pageAt(`${redirectUrl}/done`, 'hi')).toContain('आप क्या कर सकते हैं');
    expect(await stage.ordersOf(id)).toEqual([]);
  });

  it('since all that were made do not hold, the page does not say that nobody was reached', async () => {
    const { id, redirectUrl } = await stage.create();
    const wrong = () => stage.offering(10_000, { apr: 1 });
    await stage.tellAll(id, wrong(), wrong(), wrong());
    await stage.bench.reaches(id, 'REJECTED');
    expect(await pageAt(`${redirectUrl}/done`)).not.toContain('answered in time');
    expect((await stage.withdrawals(id)).filter((one) => one.startsWith('ENDED'))).toHaveLength(3);
  });

  it('an application that was ended is not looked at for its lenders', async () => {
    const { id } = await stage.create();
    await stage.bench.records.query(
      `UPDATE instant_loans SET status = 'EXPIRED', offers_due_at = app_now() - interval '1 hour'
       WHERE id = $1`,
      [id],
    );
    const loans = stage.bench.service.get<InstantLoansRepository>(InstantLoansRepository);
    expect(await stage.bench.transaction((tx) => loans.claimAwaitingOffers(tx, []))).toBeNull();
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
    const late = stage.offer(60_000);
    await stage.tell(id, 'navdhara', offered(late));
    // Those that are still at it hear that it is over; one that offers something then once more.
    expect(await stage.withdrawals(id)).toEqual([
      'ENDED kaverisetu',
      'ENDED navdhara',
      'ENDED tarangudyam',
      'LATE navdhara',
    ]);
    expect(await stage.bench.status(id)).toBe('REJECTED');
  });
});

describe('a lender that says nothing', () => {
  it('is not waited for beyond the deadline when another has made an offer', async () => {
    const { id } = await stage.create();
    await stage.tell(id, 'navdhara', stage.offering(60_000));
    await stage.tell(id, 'kaverisetu', DECLINED);
    await stage.bench.service.travel(2 * MINUTE + 1_000);
    await stage.bench.isOffered(id);
    expect(await stage.standings(id)).toMatchObject({ tarangudyam: 'NO_ANSWER' });
    expect(await stage.withdrawals(id)).toEqual(['NOT_CHOSEN tarangudyam']);
    expect(await stage.bench.flags(id)).toEqual([]);
  });

  it('and makes its offer after the choice is told so, and nothing changes', async () => {
    const { id } = await stage.create();
    await stage.tell(id, 'navdhara', stage.offering(60_000));
    await stage.bench.service.travel(2 * MINUTE + 1_000);
    await stage.bench.isOffered(id);
    const before = await stage.bench.row(id);
    await stage.tell(id, 'tarangudyam', stage.offering(10_000));
    await stage.tell(id, 'kaverisetu', DECLINED);
    expect(await stage.bench.row(id)).toEqual(before);
    const told = await stage.withdrawals(id);
    expect(told.toSorted()).toEqual([
      'LATE tarangudyam',
      'NOT_CHOSEN kaverisetu',
      'NOT_CHOSEN tarangudyam',
    ]);
    expect(await stage.bench.trail(id)).toContain('OFFER_TOO_LATE PAYMENT_PENDING');
  });

  it('since it cannot be reached, is waited for no longer once an offer is there', async () => {
    const { id } = await stage.create();
    await stage.tell(id, 'navdhara', stage.offering(60_000));
    await stage.tell(id, 'kaverisetu', DECLINED);
    await stage.bench.records.query(
      `UPDATE lender_questions SET is_unreachable = true
       WHERE subject_id = $1 AND lender_code = 'tarangudyam'`,
      [id],
    );
    await stage.tell(id, 'tarangudyam', { kind: 'UNREACHABLE' });
    expect(await stage.bench.row(id)).toMatchObject({ lender_code: 'navdhara' });
    expect(await stage.standings(id)).toMatchObject({ tarangudyam: 'UNREACHABLE' });
  });
});
