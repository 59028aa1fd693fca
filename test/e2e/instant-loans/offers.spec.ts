import { afterAll, beforeAll, describe, expect, it, type MockInstance, vi } from 'vitest';
import { InstantLoansRepository } from '../../../src/instant-loans/store/instant-loans.repository.js';
import { OfferChoice } from '../../../src/instant-loans/offers/offer-choice.js';
import {
  type LenderAnswer,
  LenderGateway,
  LenderInbox,
  type LenderOffer,
} from '../../../src/lenders/index.js';
import { quoteLoan } from '../../../src/loans/index.js';
import { LenderCatalogue } from '../../../src/settings/index.js';
import { eventually } from '../../support/eventually.js';
import {
  ApplicantBrowser,
  type CreatedInstantLoan,
  openGateway,
  orderFee,
} from '../../support/instant-loans.js';
import { HOUR, InstantLoanBench, MINUTE, PATIENT } from './instant-loan-bench.js';

const LENDERS = ['navdhara', 'kaverisetu', 'tarangudyam'] as const;
type LenderCode = (typeof LENDERS)[number];

const PRINCIPAL = 2_500_000;
const DECLINED: LenderAnswer = { kind: 'DECLINED', reason: 'POLICY' };
const DAY = 24 * HOUR;

let bench: InstantLoanBench;
let answers = 0;
/** The questions as they are put to the lenders. */
let asked: MockInstance<LenderGateway['ask']>;

beforeAll(async () => {
  bench = await InstantLoanBench.open();
  // What lenders offer is told by the tests alone.
  const gateway = bench.service.get<LenderGateway>(LenderGateway);
  const ask = gateway.ask.bind(gateway);
  asked = vi
    .spyOn(gateway, 'ask')
    .mockImplementation((question) =>
      question.kind === 'INSTANT_OFFERS'
        ? Promise.resolve({ status: 'PENDING', askAgainInMs: DAY })
        : ask(question),
    );
});

afterAll(() => bench?.close());

/** An offer with another fee than the lender's configured terms have, and another rate. */
function offer(fee: number, parts: Partial<LenderOffer> = {}): LenderOffer {
  const terms = { principal: PRINCIPAL, annualRatePercent: 21, tenureMonths: 6 };
  const fees = [{ name: 'Processing fee', payee: 'LENDER' as const, amount: fee }];
  const { instalment, apr } = quoteLoan({ ...terms, fees });
  return {
    ...terms,
    reference: `offer-${(answers += 1)}`,
    minimumAmount: PRINCIPAL,
    instalment,
    apr,
    netDisbursed: PRINCIPAL,
    fees,
    validUntil: new Date(bench.service.now().getTime() + 10 * DAY).toISOString(),
    collateralExplanation: null,
    ...parts,
  };
}

const offered = (...offers: LenderOffer[]): LenderAnswer => ({ kind: 'OFFERED', offers });

/** What a lender says comes in, as its connector brings it. */
async function tell(id: string, lenderCode: LenderCode, answer: LenderAnswer): Promise<void> {
  const answerId = `answer-${(answers += 1)}`;
  await bench.transaction((tx) =>
    bench.service.get<LenderInbox>(LenderInbox).receive(tx, {
      lenderCode,
      answerId,
      partnerId: 'demo',
      subjectId: id,
      kind: 'INSTANT_OFFERS',
      reference: '1',
      answer,
    }),
  );
  await eventually(async () => {
    const waiting = await bench.records.query(
      'SELECT 1 FROM lender_inbox WHERE answer_id = $1 AND consumed_at IS NULL',
      [answerId],
    );
    expect(waiting).toEqual([]);
  }, PATIENT);
}

async function tellAll(
  id: string,
  ...all: readonly [LenderAnswer, LenderAnswer, LenderAnswer]
): Promise<void> {
  for (const [index, answer] of all.entries()) await tell(id, LENDERS[index], answer);
}

async function create(): Promise<CreatedInstantLoan & { id: string }> {
  const loan = await bench.create();
  return { ...loan, id: loan.applicationId };
}

/** How each lender stood, by its code. */
async function standings(id: string): Promise<Record<string, string>> {
  const rows = await bench.records.query<{ code: string; standing: string }>(
    'SELECT lender_code AS code, standing FROM instant_offers WHERE application_id = $1',
    [id],
  );
  return Object.fromEntries(rows.map(({ code, standing }) => [code, standing]));
}

/** What lenders were told of an application, by the reason. */
async function withdrawals(id: string): Promise<string[]> {
  const rows = await bench.records.query<{ told: string }>(
    `SELECT reference || ' ' || lender_code AS told FROM lender_questions
     WHERE subject_id = $1 AND kind = 'WITHDRAWAL' ORDER BY created_at, lender_code`,
    [id],
  );
  return rows.map(({ told }) => told);
}

async function pageAt(url: string, language: 'en' | 'hi' = 'en'): Promise<string> {
  return (await new ApplicantBrowser(language).open(url)).text;
}

async function ordersOf(id: string): Promise<{ amount: number; expires: Date }[]> {
  return bench.records.query(
    `SELECT amount::int, expires_at AS expires FROM payment_orders WHERE subject_id = $1`,
    [id],
  );
}

describe('the offers of the lenders', () => {
  it('are waited for on a page that says who is asked, and goes on by itself', async () => {
    const { id, redirectUrl } = await create();
    await tell(id, 'navdhara', DECLINED);
    const page = await pageAt(redirectUrl);
    for (const words of [
      'We are asking the lenders',
      '₹25,000',
      '1 of 3 lenders have answered',
      'Makes no offer',
      'Asked, no answer yet',
      'http-equiv="refresh"',
      'come back later',
    ]) {
      expect(page).toContain(words);
    }
    expect(await pageAt(redirectUrl, 'hi')).toContain('हम लोनदाताओं से पूछ रहे हैं');
    // Nothing is to be read or paid yet.
    expect(page).not.toContain('/kfs/');
    const done = await new ApplicantBrowser().open(`${redirectUrl}/done`);
    expect([done.status, done.location]).toEqual([303, new URL(redirectUrl).pathname]);
  });

  it('bring the fee, the statement and the comparison of the one with the lowest APR', async () => {
    const { id, redirectUrl } = await create();
    const best = offer(60_000);
    await tellAll(id, offered(offer(90_000)), offered(best), DECLINED);
    expect(await bench.row(id)).toMatchObject({ fee: 60_000, lender_code: 'kaverisetu' });
    expect(await standings(id)).toEqual({
      navdhara: 'OFFERED',
      kaverisetu: 'OFFERED',
      tarangudyam: 'DECLINED',
    });
    const page = await pageAt(redirectUrl);
    for (const words of ['Agree and pay ₹600', '₹900', '21.00%', 'makes no offer']) {
      expect(page).toContain(words);
    }
    const [, path] = /href="(\/kfs\/[^"]+)"/.exec(page)!;
    const statement = await pageAt(`${bench.service.baseUrl}${path}`);
    expect(statement).toContain('₹600');
    expect(await ordersOf(id)).toEqual([]);
    expect(await orderFee(bench.records, { applicationId: id, redirectUrl })).toMatch(/^pay_/);
    expect(await ordersOf(id)).toMatchObject([{ amount: 60_000 }]);
  });

  it('name the offer in the question whether the loan is sanctioned; the others are told', async () => {
    const loan = await create();
    const best = offer(60_000);
    await tellAll(loan.id, offered(offer(90_000)), offered(best), DECLINED);
    expect(await withdrawals(loan.id)).toEqual(['NOT_CHOSEN navdhara']);
    await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.id, 'SANCTIONED');
    const [question] = asked.mock.calls.flatMap(([one]) =>
      one.kind === 'DECISION' && one.subjectId === loan.id ? [one] : [],
    );
    expect(question).toMatchObject({
      lenderCode: 'kaverisetu',
      payload: { offerReference: best.reference, feePaid: { amount: 60_000 } },
    });
    expect(await withdrawals(loan.id)).toEqual(['NOT_CHOSEN navdhara']);
  });

  it('come once, however often they are told', async () => {
    const { id } = await create();
    const one = offered(offer(60_000));
    await tell(id, 'navdhara', one);
    await tell(id, 'navdhara', one);
    await tell(id, 'kaverisetu', DECLINED);
    await tell(id, 'tarangudyam', DECLINED);
    await tell(id, 'navdhara', one);
    expect(await bench.trail(id)).toEqual([
      'APPLIED PAYMENT_PENDING',
      'OFFER_CHOSEN PAYMENT_PENDING',
    ]);
    expect(await withdrawals(id)).toEqual([]);
  });

  it('stand when their lender makes another one, which the operator is shown', async () => {
    const loan = await create();
    const first = offer(60_000);
    await tell(loan.id, 'navdhara', offered(first));
    await tell(loan.id, 'navdhara', offered(offer(50_000)));
    await tell(loan.id, 'kaverisetu', DECLINED);
    await tell(loan.id, 'tarangudyam', DECLINED);
    await tell(loan.id, 'navdhara', offered(offer(40_000)));
    expect(await bench.row(loan.id)).toMatchObject({ lender_code: 'navdhara', fee: 60_000 });
    // A withdrawal is of the application: the lender would decline it, once it is paid.
    expect(await withdrawals(loan.id)).toEqual([]);
    expect(await bench.flags(loan.id)).toEqual(['LATE_ANSWER', 'LATE_ANSWER']);
    await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.id, 'SANCTIONED');
  });

  it('are still waited for when what a lender says is neither an offer nor a "no"', async () => {
    const { id } = await create();
    await tell(id, 'navdhara', { kind: 'NOTED' });
    expect(await standings(id)).toEqual({});
    expect(await bench.flags(id)).toEqual(['UNREADABLE_ANSWER']);
    await tellAll(id, offered(offer(60_000)), DECLINED, DECLINED);
    expect(await bench.row(id)).toMatchObject({ lender_code: 'navdhara' });
  });

  it('are taken up again when the choice among them could not be written', async () => {
    const { id } = await create();
    const choice = bench.service.get<OfferChoice>(OfferChoice);
    const broken = vi.spyOn(choice, 'choose').mockRejectedValueOnce(new Error('killed'));
    await tellAll(id, DECLINED, DECLINED, offered(offer(60_000)));
    expect(broken).toHaveBeenCalledTimes(2);
    broken.mockRestore();
    expect(await bench.trail(id)).toEqual([
      'APPLIED PAYMENT_PENDING',
      'OFFER_CHOSEN PAYMENT_PENDING',
    ]);
    expect(Object.keys(await standings(id))).toHaveLength(3);
  });
});

describe('an offer that does not hold', () => {
  it.each([
    ['its figures disagree', { apr: 9 }],
    ['it is of another amount', { principal: PRINCIPAL - 100, minimumAmount: PRINCIPAL - 100 }],
    ['it runs out too soon', { validUntil: new Date(0).toISOString() }],
  ])('is refused, and nobody sees it: %s', async (_, parts) => {
    const { id } = await create();
    await tellAll(id, offered(offer(10_000, parts)), offered(offer(60_000)), DECLINED);
    expect(await bench.row(id)).toMatchObject({ lender_code: 'kaverisetu', fee: 60_000 });
    expect(await standings(id)).toMatchObject({ navdhara: 'OFFER_REFUSED' });
    expect(await bench.flags(id)).toEqual(['OFFER_REFUSED']);
    expect(await withdrawals(id)).toEqual(['OFFER_REFUSED:1 navdhara']);
  });
});

describe('without an offer', () => {
  it('an application is rejected, nobody has paid, and the page says what that means', async () => {
    const { id, redirectUrl } = await create();
    await tellAll(id, DECLINED, DECLINED, offered(offer(10_000, { apr: 1 })));
    await bench.reaches(id, 'REJECTED');
    expect(await bench.trail(id)).toEqual(['APPLIED PAYMENT_PENDING', 'LENDERS_DECLINED REJECTED']);
    const { status, location } = await new ApplicantBrowser().open(redirectUrl);
    expect([status, location]).toEqual([303, new URL(`${redirectUrl}/done`).pathname]);
    const page = await pageAt(`${redirectUrl}/done`);
    for (const words of ['No lender offers you this loan', 'What this means', '/ranking']) {
      expect(page).toContain(words);
    }
    for (const words of ['fee', 'paid', 'http-equiv="refresh"', '/kfs/']) {
      expect(page).not.toContain(words);
    }
    expect(await pageAt(`${redirectUrl}/done`, 'hi')).toContain('इसका मतलब क्या है');
    expect(await ordersOf(id)).toEqual([]);
  });

  it('since all that were made do not hold, the page does not say that nobody was reached', async () => {
    const { id, redirectUrl } = await create();
    const wrong = () => offered(offer(10_000, { apr: 1 }));
    await tellAll(id, wrong(), wrong(), wrong());
    await bench.reaches(id, 'REJECTED');
    expect(await pageAt(`${redirectUrl}/done`)).not.toContain('could be reached in time');
  });

  it('an application that was ended is not looked at for its lenders', async () => {
    const { id } = await create();
    await bench.records.query(
      `UPDATE instant_loans SET status = 'EXPIRED', offers_due_at = app_now() - interval '1 hour'
       WHERE id = $1`,
      [id],
    );
    const loans = bench.service.get<InstantLoansRepository>(InstantLoansRepository);
    expect(await bench.transaction((tx) => loans.claimAwaitingOffers(tx, []))).toBeNull();
  });

  it('nor is anything paid when no lender says anything until the deadline', async () => {
    const { id, redirectUrl } = await create();
    await bench.service.travel(29 * MINUTE);
    expect(await bench.status(id)).toBe('PAYMENT_PENDING');
    await bench.service.travel(2 * MINUTE);
    await bench.reaches(id, 'REJECTED');
    expect((await bench.trail(id)).at(-1)).toBe('LENDERS_SILENT REJECTED');
    expect(await bench.flags(id)).toEqual(['LENDER_SILENT']);
    expect(await pageAt(`${redirectUrl}/done`)).toContain('none of them could be reached in time');
    const late = offer(60_000);
    await tell(id, 'navdhara', offered(late));
    expect((await withdrawals(id)).map((one) => one.replace(/\d+/, '_'))).toEqual([
      'LATE:_ navdhara',
    ]);
    expect(await bench.status(id)).toBe('REJECTED');
  });
});

describe('a lender that says nothing', () => {
  it('is not waited for beyond the deadline when another has made an offer', async () => {
    const { id } = await create();
    await tell(id, 'navdhara', offered(offer(60_000)));
    await tell(id, 'kaverisetu', DECLINED);
    await bench.service.travel(2 * MINUTE + 1_000);
    await bench.isOffered(id);
    expect(await standings(id)).toMatchObject({ tarangudyam: 'NO_ANSWER' });
    expect(await withdrawals(id)).toEqual(['NOT_CHOSEN tarangudyam']);
    expect(await bench.flags(id)).toEqual([]);
  });

  it('and makes its offer after the choice is told so, and nothing changes', async () => {
    const { id } = await create();
    await tell(id, 'navdhara', offered(offer(60_000)));
    await bench.service.travel(2 * MINUTE + 1_000);
    await bench.isOffered(id);
    const before = await bench.row(id);
    await tell(id, 'tarangudyam', offered(offer(10_000)));
    await tell(id, 'kaverisetu', DECLINED);
    expect(await bench.row(id)).toEqual(before);
    const told = (await withdrawals(id)).map((one) => one.replace(/\d+/, '_'));
    expect(told.toSorted()).toEqual([
      'LATE:_ tarangudyam',
      'NOT_CHOSEN kaverisetu',
      'NOT_CHOSEN tarangudyam',
    ]);
    expect(await bench.trail(id)).toContain('OFFER_TOO_LATE PAYMENT_PENDING');
  });

  it('since it cannot be reached, is waited for no longer once an offer is there', async () => {
    const { id } = await create();
    await tell(id, 'navdhara', offered(offer(60_000)));
    await tell(id, 'kaverisetu', DECLINED);
    await bench.records.query(
      `UPDATE lender_questions SET is_unreachable = true
       WHERE subject_id = $1 AND lender_code = 'tarangudyam'`,
      [id],
    );
    await tell(id, 'tarangudyam', { kind: 'UNREACHABLE' });
    expect(await bench.row(id)).toMatchObject({ lender_code: 'navdhara' });
    expect(await standings(id)).toMatchObject({ tarangudyam: 'UNREACHABLE' });
  });
});

describe('a lender that is switched off after it was asked', () => {
  async function withoutNavdhara(work: () => Promise<void>): Promise<void> {
    const catalogue = bench.service.get<LenderCatalogue>(LenderCatalogue);
    const all = await catalogue.serving('ONLINE_INSTANT');
    const serving = vi
      .spyOn(catalogue, 'serving')
      .mockResolvedValue(all.filter(({ code }) => code !== 'navdhara'));
    await work().finally(() => serving.mockRestore());
  }

  it('is not chosen, however good its offer is', async () => {
    const { id } = await create();
    await tell(id, 'navdhara', offered(offer(10_000)));
    await withoutNavdhara(async () => {
      await tell(id, 'kaverisetu', offered(offer(60_000)));
      await tell(id, 'tarangudyam', DECLINED);
    });
    expect(await bench.row(id)).toMatchObject({ lender_code: 'kaverisetu', fee: 60_000 });
    expect(await withdrawals(id)).toEqual(['NOT_CHOSEN navdhara']);
  });

  it('leaves no offer when it alone has made one', async () => {
    const { id } = await create();
    await tell(id, 'navdhara', offered(offer(10_000)));
    await tell(id, 'kaverisetu', DECLINED);
    await withoutNavdhara(() => tell(id, 'tarangudyam', DECLINED));
    expect(await bench.row(id)).toMatchObject({ status: 'REJECTED', lender_code: null });
  });

  it('is not paid: at the press the application ends, and both sides are told', async () => {
    const { id, redirectUrl } = await create();
    await tellAll(id, offered(offer(10_000)), DECLINED, DECLINED);
    const browser = new ApplicantBrowser();
    const { text } = await browser.open(redirectUrl);
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)![1];
    await withoutNavdhara(async () => {
      for (let time = 0; time < 2; time += 1) {
        const { location } = await browser.send(redirectUrl, { csrf });
        expect(location).toBe(`${new URL(redirectUrl).pathname}/done`);
      }
    });
    expect(await ordersOf(id)).toEqual([]);
    expect((await bench.trail(id)).slice(2)).toEqual(['LENDER_GONE EXPIRED']);
    expect(await withdrawals(id)).toEqual(['ABANDONED navdhara']);
    const page = await pageAt(`${redirectUrl}/done`);
    expect(page).toContain('You have paid nothing for it');
    expect(page).not.toContain('The time to pay is over');
    expect(await pageAt(`${redirectUrl}/done`, 'hi')).toContain('यह लोन अब नहीं मिल सकता');
  });

  it('is still paid for what was ordered before', async () => {
    const loan = await create();
    await tellAll(loan.id, offered(offer(60_000)), DECLINED, DECLINED);
    await orderFee(bench.records, loan);
    await withoutNavdhara(async () => void (await bench.atGateway(loan, 'pay')));
    await bench.reaches(loan.id, 'SANCTIONED');
    expect(await ordersOf(loan.id)).toHaveLength(1);
  });
});

describe('the button', () => {
  it('leads to no payment before there is an offer, wherever its form comes from', async () => {
    const other = await create();
    await tellAll(other.id, offered(offer(60_000)), DECLINED, DECLINED);
    const browser = new ApplicantBrowser();
    const { text } = await browser.open(other.redirectUrl);
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)![1];
    const { id, redirectUrl } = await create();
    const pressed = await browser.send(redirectUrl, { csrf });
    expect([pressed.status, pressed.location]).toEqual([
      303,
      `${new URL(redirectUrl).pathname}/done`,
    ]);
    expect(await ordersOf(id)).toEqual([]);
    expect(await bench.trail(id)).toEqual(['APPLIED PAYMENT_PENDING']);
  });

  it('orders one payment, however often it is pressed and on how many devices', async () => {
    const { id, redirectUrl } = await create();
    await tellAll(id, offered(offer(60_000)), DECLINED, DECLINED);
    const presses = [1, 2, 3].map(() => openGateway(new ApplicantBrowser(), redirectUrl));
    expect(new Set(await Promise.all(presses)).size).toBe(1);
    expect(await ordersOf(id)).toHaveLength(1);
    expect((await bench.trail(id)).slice(2)).toEqual([
      'KEY_FACTS_AGREED PAYMENT_PENDING',
      'ORDERED PAYMENT_PENDING',
    ]);
  });
});

describe('an application with an offer', () => {
  it('ends with it, when that is sooner than the time to pay', async () => {
    const { id, redirectUrl } = await create();
    const now = bench.service.now().getTime();
    // Days pass before the lender answers, so that it binds itself for less than is left to pay.
    await bench.records.query(
      `UPDATE instant_loans SET expires_at = app_now() + interval '30 days' WHERE id = $1`,
      [id],
    );
    const validUntil = new Date(now + 10 * DAY);
    const short = offer(60_000, { validUntil: validUntil.toISOString() });
    await tellAll(id, offered(short), DECLINED, DECLINED);
    expect((await bench.row(id)).expires_at).toEqual(validUntil);
    await orderFee(bench.records, { applicationId: id, redirectUrl });
    expect((await ordersOf(id))[0].expires).toEqual(validUntil);
    await bench.service.travel(10 * DAY + MINUTE);
    await bench.reaches(id, 'EXPIRED');
    expect(await withdrawals(id)).toEqual(['ABANDONED navdhara']);
    expect(await pageAt(`${redirectUrl}/done`)).toContain('The time to pay is over');
  });

  it('of an earlier release, which asked nobody and ordered at once, goes on as it was', async () => {
    const loan = await create();
    await tellAll(loan.id, offered(offer(60_000)), offered(offer(90_000)), DECLINED);
    await orderFee(bench.records, loan);
    await bench.records.query(
      `UPDATE instant_loans SET offer_id = NULL, offers_given_up_at = NULL, agreed_at = NULL,
         comparison = jsonb_set(comparison - 'noOffer', '{others,0}',
           (comparison #> '{others,0}') - 'offerId')
       WHERE id = $1`,
      [loan.id],
    );
    await bench.records.query('DELETE FROM instant_offers WHERE application_id = $1', [loan.id]);
    expect(await pageAt(loan.redirectUrl)).toContain('Of all our lenders who lend this amount');
    await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.id, 'SANCTIONED');
    expect(await ordersOf(loan.id)).toHaveLength(1);
    const [question] = asked.mock.calls.flatMap(([one]) =>
      one.kind === 'DECISION' && one.subjectId === loan.id ? [one] : [],
    );
    expect(question.payload).not.toHaveProperty('offerReference');
  });

  it('that is paid when the offer has run out is ended, and the fee goes back', async () => {
    const loan = await create();
    const { id } = loan;
    await tellAll(id, offered(offer(60_000)), DECLINED, DECLINED);
    await orderFee(bench.records, loan);
    // The gateway's page is open for longer than the offer is good.
    await bench.records.query(
      `UPDATE instant_offers SET valid_until = app_now() - interval '1 minute'
       WHERE application_id = $1 AND standing = 'OFFERED'`,
      [id],
    );
    await bench.atGateway(loan, 'pay');
    await bench.reaches(id, 'EXPIRED');
    const refunds = await bench.records.query(
      'SELECT reason, amount::int FROM payment_refunds WHERE subject_id = $1',
      [id],
    );
    expect(refunds).toEqual([{ reason: 'PAID_TOO_LATE', amount: 60_000 }]);
    const questions = await bench.records.query(
      `SELECT 1 FROM lender_questions WHERE subject_id = $1 AND kind = 'DECISION'`,
      [id],
    );
    expect(questions).toEqual([]);
  });
});
