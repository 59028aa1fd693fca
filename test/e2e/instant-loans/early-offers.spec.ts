import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { InstantOfferDeadlinesTasks } from '../../../src/instant-loans/background/instant-offer-deadlines.tasks.js';
import { InstantLoansRepository } from '../../../src/instant-loans/store/instant-loans.repository.js';
import { OfferChoice } from '../../../src/instant-loans/offers/offer-choice.js';
import { translate } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import { ApplicantBrowser, choosableIn, hiddenIn } from '../../support/instant-loans.js';
import { MINUTE, PATIENT } from './instant-loan-bench.js';
import { DECLINED, OfferStage, pageAt } from './offer-stage.js';
import { auditOf, type Loan, logOf, offerIds, over } from './two-offers.js';

let stage: OfferStage;

beforeAll(async () => {
  stage = await OfferStage.open();
});

afterAll(() => stage?.close());

const ASKED = translate('en', 'offers.without.waiting');
const OPENED = ['APPLIED PAYMENT_PENDING', 'OFFERS_OPENED PAYMENT_PENDING'];
const nowAction = ({ redirectUrl }: Loan) => `action="${new URL(redirectUrl).pathname}/offers"`;
const dear = () => over(stage, 3, 30, 30_000);
const cheap = () => over(stage, 12, 20, 60_000);

/** Of two lenders; tarangudyam has not answered. Navdhara has the lower APR. */
async function twoOfThree(): Promise<Loan> {
  const loan = await stage.create();
  await stage.tell(loan.id, 'navdhara', cheap());
  await stage.tell(loan.id, 'kaverisetu', dear());
  return loan;
}

/** Presses "See 2 offers now" of the page at the link. */
async function press(loan: Loan, browser = new ApplicantBrowser()) {
  const { csrf } = hiddenIn((await browser.open(loan.redirectUrl)).text);
  return browser.send(`${loan.redirectUrl}/offers`, { csrf });
}

async function opened(): Promise<Loan> {
  const loan = await twoOfThree();
  await press(loan);
  return loan;
}

async function questionOf({ id }: Loan, lenderCode: string): Promise<string> {
  const [row] = await stage.bench.records.query<{ status: string }>(
    `SELECT status FROM lender_questions
     WHERE subject_id = $1 AND kind = 'INSTANT_OFFERS' AND lender_code = $2`,
    [id, lenderCode],
  );
  return row.status;
}

/** The lenders in each comparison that a page showed, in order. */
async function shownIn({ id }: Loan): Promise<string[][]> {
  return (await logOf(stage, id)).flatMap(({ kind, offers }) =>
    kind === 'SHOWN' && offers ? [offers.map(({ lenderCode }) => lenderCode)] : [],
  );
}

async function deadlinePasses(loan: Loan): Promise<void> {
  await stage.bench.service.travel(2 * MINUTE + 1_000);
  const tasks = stage.bench.service.get<InstantOfferDeadlinesTasks>(InstantOfferDeadlinesTasks);
  await eventually(async () => {
    await tasks.run();
    expect(await questionOf(loan, 'tarangudyam')).toBe('CLOSED');
  }, PATIENT);
}

describe('the offers before every lender has answered', () => {
  it('are opened by a press, once; the lenders are still asked', async () => {
    const loan = await twoOfThree();
    const browser = new ApplicantBrowser();
    const waiting = await browser.open(loan.redirectUrl);
    expect(waiting.text).toContain('See 2 offers now');
    expect(await pageAt(loan.redirectUrl, 'hi')).toContain('अभी 2 ऑफ़र देखें');
    expect(await stage.bench.row(loan.id)).toMatchObject({ lender_code: null });
    const { csrf } = hiddenIn(waiting.text);
    const path = new URL(loan.redirectUrl).pathname;
    // The same form again: the second press of two.
    for (const _ of [1, 2]) {
      const pressed = await browser.send(`${loan.redirectUrl}/offers`, { csrf });
      expect([pressed.status, pressed.location]).toEqual([303, path]);
    }
    const { navdhara, kaverisetu } = await offerIds(stage, loan.id);
    const { text } = await browser.open(loan.redirectUrl);
    expect(choosableIn(text)).toEqual([navdhara, kaverisetu]);
    expect(text).toMatch(new RegExp(`Tarang Udyam[^<]*</h2><p class="quiet">${ASKED}`));
    expect(text).toContain('data-refresh-seconds');
    expect(await stage.loggedWithoutOffer(loan.id)).toEqual({ tarangudyam: 'NO_ANSWER' });
    expect(await stage.bench.trail(loan.id)).toEqual(OPENED);
    expect(await stage.bench.status(loan.id)).toBe('PAYMENT_PENDING');
    expect(await questionOf(loan, 'tarangudyam')).toBe('OPEN');
    expect(await stage.withdrawals(loan.id)).toEqual([]);
    const [{ detail }] = await auditOf(stage, loan.id, 'OFFERS_OPENED');
    expect(detail).toMatchObject({ offerId: navdhara, lenderCode: 'navdhara' });
  });

  it('are not opened with one that can be chosen, also by a forged form', async () => {
    const loan = await stage.create();
    await stage.tell(loan.id, 'navdhara', cheap());
    const browser = new ApplicantBrowser();
    expect((await browser.open(loan.redirectUrl)).text).not.toContain(nowAction(loan));
    await stage.tell(loan.id, 'kaverisetu', dear());
    const { csrf } = hiddenIn((await browser.open(loan.redirectUrl)).text);
    const before = await stage.bench.row(loan.id);
    await stage.without('kaverisetu', async () => {
      expect((await browser.open(loan.redirectUrl)).text).not.toContain(nowAction(loan));
      await browser.send(`${loan.redirectUrl}/offers`, { csrf });
    });
    // The fee could not be paid while the lender stands by it.
    await stage.bench.records.query(
      `UPDATE instant_offers SET valid_until = app_now() + interval '10 minutes'
       WHERE application_id = $1 AND lender_code = 'kaverisetu'`,
      [loan.id],
    );
    expect((await browser.open(loan.redirectUrl)).text).not.toContain(nowAction(loan));
    await browser.send(`${loan.redirectUrl}/offers`, { csrf });
    expect(await stage.bench.row(loan.id)).toEqual(before);
    expect(await stage.bench.trail(loan.id)).toEqual(['APPLIED PAYMENT_PENDING']);
  });

  it('are not opened by a form of another site, nor at a link that is not ours', async () => {
    const loan = await twoOfThree();
    const browser = new ApplicantBrowser();
    expect((await browser.send(`${loan.redirectUrl}/offers`, {})).status).toBe(403);
    const { csrf } = hiddenIn((await browser.open(loan.redirectUrl)).text);
    const forged = await browser.send(`${loan.redirectUrl}x/offers`, { csrf });
    expect(forged.status).toBe(404);
    expect(await stage.bench.trail(loan.id)).toEqual(['APPLIED PAYMENT_PENDING']);
  });

  it('get a late one beside them, which can be chosen, and are logged anew', async () => {
    const loan = await opened();
    await pageAt(loan.redirectUrl);
    const before = await stage.bench.row(loan.id);
    await stage.tell(loan.id, 'tarangudyam', stage.offering(10_000));
    const page = await pageAt(loan.redirectUrl);
    const { tarangudyam } = await offerIds(stage, loan.id);
    // The best by APR, it comes first; what leads inside stays.
    expect(choosableIn(page)).toHaveLength(3);
    expect(choosableIn(page)[0]).toBe(tarangudyam);
    expect(page).not.toContain(ASKED);
    expect(page).not.toContain('data-refresh-seconds');
    expect(await stage.bench.row(loan.id)).toMatchObject({
      offer_id: before.offer_id,
      key_facts_hash: before.key_facts_hash,
      offers_due_at: null,
    });
    expect(await shownIn(loan)).toEqual([
      ['navdhara', 'kaverisetu'],
      ['tarangudyam', 'navdhara', 'kaverisetu'],
    ]);
    await new ApplicantBrowser().choose(loan.redirectUrl, tarangudyam);
    expect(await stage.bench.row(loan.id)).toMatchObject({ lender_code: 'tarangudyam' });
    expect(await stage.bench.trail(loan.id)).toEqual([
      ...OPENED,
      'OTHER_OFFER_CHOSEN PAYMENT_PENDING',
    ]);
    await stage.bench.atGateway(loan, 'pay');
    await stage.bench.reaches(loan.id, 'SANCTIONED');
    expect(await stage.withdrawals(loan.id)).toEqual([
      'NOT_CHOSEN kaverisetu',
      'NOT_CHOSEN navdhara',
    ]);
  });

  it('get one of a lender that had declined, while another is still asked', async () => {
    const loan = await stage.create();
    const bench = stage.bench.records;
    await stage.tell(loan.id, 'navdhara', DECLINED);
    await stage.tell(loan.id, 'kaverisetu', dear());
    await bench.query(
      `INSERT INTO lender_questions (id, partner_id, subject_id, lender_code, kind, reference,
         payload_sealed, next_attempt_at)
       SELECT 'qst_of_' || id, partner_id, subject_id, 'fourth', kind, reference, payload_sealed,
         app_now() + interval '1 day'
       FROM lender_questions WHERE subject_id = $1 AND lender_code = 'tarangudyam'`,
      [loan.id],
    );
    await stage.tell(loan.id, 'tarangudyam', stage.offering(70_000));
    await press(loan);
    expect(await pageAt(loan.redirectUrl)).toContain(ASKED);
    await stage.tell(loan.id, 'navdhara', cheap());
    const page = await pageAt(loan.redirectUrl);
    expect(choosableIn(page)).toHaveLength(3);
    expect(page).toContain(ASKED);
    expect(await stage.withdrawals(loan.id)).toEqual([]);
  });

  it.each(['navdhara', 'kaverisetu'] as const)(
    'are chosen from: a later one is stored, and moves nothing: %s',
    async (lender) => {
      const loan = await opened();
      const ids = await offerIds(stage, loan.id);
      await new ApplicantBrowser().choose(loan.redirectUrl, ids[lender]);
      expect(await questionOf(loan, 'tarangudyam')).toBe('CLOSED');
      expect(await stage.standings(loan.id)).toMatchObject({ tarangudyam: 'NO_ANSWER' });
      expect(await stage.withdrawals(loan.id)).toEqual(['NOT_CHOSEN tarangudyam']);
      const before = await stage.bench.row(loan.id);
      expect(before).toMatchObject({ lender_code: lender, offers_due_at: null });
      const trail = await stage.bench.trail(loan.id);
      await stage.tell(loan.id, 'tarangudyam', stage.offering(10_000));
      await deadlinePasses(loan);
      expect(await stage.bench.row(loan.id)).toEqual(before);
      expect(await stage.bench.trail(loan.id)).toEqual([
        ...trail,
        'OFFER_TOO_LATE PAYMENT_PENDING',
      ]);
      const kept = await stage.bench.records.query(
        `SELECT answer_sealed IS NOT NULL AS "isKept" FROM lender_inbox
         WHERE subject_id = $1 AND lender_code = 'tarangudyam' AND kind = 'INSTANT_OFFERS'`,
        [loan.id],
      );
      expect(kept).toEqual([{ isKept: true }]);
      await stage.bench.atGateway(loan, 'pay');
      await stage.bench.reaches(loan.id, 'SANCTIONED');
      expect(stage.decisionAsked(loan.id)).toMatchObject({ lenderCode: lender });
    },
  );

  it('are not waited for beyond the lenders’ deadline, and the choice comes after it', async () => {
    const loan = await opened();
    await deadlinePasses(loan);
    expect(await stage.standings(loan.id)).toMatchObject({ tarangudyam: 'NO_ANSWER' });
    expect(await stage.withdrawals(loan.id)).toEqual(['NOT_CHOSEN tarangudyam']);
    const page = await pageAt(loan.redirectUrl);
    expect(choosableIn(page)).toHaveLength(2);
    expect(page).not.toContain(ASKED);
    expect(page).not.toContain('data-refresh-seconds');
    expect(await stage.bench.trail(loan.id)).toEqual(OPENED);
    expect(await stage.bench.row(loan.id)).toMatchObject({ wanted_offer_id: null });
    expect(await stage.bench.flags(loan.id)).toEqual([]);
    await stage.tell(loan.id, 'tarangudyam', stage.offering(10_000));
    expect(choosableIn(await pageAt(loan.redirectUrl))).toHaveLength(2);
  });

  it('lose one of two: the other is paid for, which ends the wait', async () => {
    const loan = await opened();
    await stage.without('navdhara', async () => {
      const { kaverisetu } = await offerIds(stage, loan.id);
      const page = await pageAt(loan.redirectUrl);
      expect(choosableIn(page)).toEqual([kaverisetu]);
      // The one that leads makes room, and lenders are still asked.
      await new ApplicantBrowser().choose(
        loan.redirectUrl,
        (await offerIds(stage, loan.id)).navdhara,
      );
      expect(await stage.bench.row(loan.id)).toMatchObject({
        lender_code: 'kaverisetu',
        wanted_offer_id: null,
      });
      expect(await questionOf(loan, 'tarangudyam')).toBe('OPEN');
      await new ApplicantBrowser().press(loan.redirectUrl);
    });
    expect(await questionOf(loan, 'tarangudyam')).toBe('CLOSED');
    expect(await stage.standings(loan.id)).toMatchObject({ tarangudyam: 'NO_ANSWER' });
    expect(await stage.bench.trail(loan.id)).toEqual([
      ...OPENED,
      'NEXT_OFFER PAYMENT_PENDING',
      'KEY_FACTS_AGREED PAYMENT_PENDING',
      'ORDERED PAYMENT_PENDING',
    ]);
  });

  it('lose both: a press to pay ends nothing while a lender is asked', async () => {
    const loan = await opened();
    const browser = new ApplicantBrowser();
    const { csrf } = hiddenIn((await browser.open(loan.redirectUrl)).text);
    const { key_facts_hash: keyFactsHash } = await stage.bench.row(loan.id);
    await stage.without('navdhara', () =>
      stage.without('kaverisetu', async () => {
        await browser.send(loan.redirectUrl, { csrf, keyFactsHash, hasRead: '1' });
      }),
    );
    expect(await stage.bench.status(loan.id)).toBe('PAYMENT_PENDING');
    expect(await stage.bench.trail(loan.id)).toEqual(OPENED);
  });

  it('end with their application: no lender is asked on', async () => {
    const loan = await opened();
    await stage.bench.records.query(
      `UPDATE instant_loans SET expires_at = app_now(), offers_due_at = app_now() + interval '1 day'
       WHERE id = $1`,
      [loan.id],
    );
    await stage.bench.records.query(
      `UPDATE instant_offers SET valid_until = app_now() WHERE application_id = $1`,
      [loan.id],
    );
    await stage.bench.reaches(loan.id, 'EXPIRED');
    expect(await questionOf(loan, 'tarangudyam')).toBe('CLOSED');
    expect(await stage.withdrawals(loan.id)).toEqual([
      'ABANDONED kaverisetu',
      'ABANDONED navdhara',
      'ABANDONED tarangudyam',
    ]);
  });

  it('are opened as a whole or not at all', async () => {
    const loan = await twoOfThree();
    const choice = stage.bench.service.get<OfferChoice>(OfferChoice);
    const open = choice.open.bind(choice);
    const broken = vi.spyOn(choice, 'open').mockImplementationOnce(async (...given) => {
      await open(...given);
      throw new Error('killed');
    });
    expect((await press(loan)).status).toBe(500);
    broken.mockRestore();
    expect(await stage.bench.row(loan.id)).toMatchObject({ lender_code: null });
    await press(loan);
    expect(await stage.bench.trail(loan.id)).toEqual(OPENED);
  });

  it('are closed as a whole or not at all with the choice', async () => {
    const loan = await opened();
    const { kaverisetu } = await offerIds(stage, loan.id);
    const loans = stage.bench.service.get<InstantLoansRepository>(InstantLoansRepository);
    const change = loans.change.bind(loans);
    // The statement that closes is the first, that which chooses the second.
    const broken = vi
      .spyOn(loans, 'change')
      .mockImplementation((tx, one, expected, changes) =>
        'offerId' in changes
          ? Promise.reject(new Error('killed'))
          : change(tx, one, expected, changes),
      );
    const pressed = await new ApplicantBrowser().choose(loan.redirectUrl, kaverisetu);
    expect(pressed.status).toBe(500);
    broken.mockRestore();
    expect(await questionOf(loan, 'tarangudyam')).toBe('OPEN');
    expect(await stage.withdrawals(loan.id)).toEqual([]);
    expect(await pageAt(loan.redirectUrl)).toContain(ASKED);
  });
});

describe('at the same moment', () => {
  async function trailAfter(loan: Loan, ...works: (() => Promise<unknown>)[]): Promise<string[]> {
    const held = await HeldLock.take(
      stage.bench.service.databaseUrl,
      'SELECT 1 FROM instant_loans WHERE id = $1 FOR UPDATE',
      [loan.id],
    );
    const all = Promise.all(works.map((work) => work()));
    await held.waiting('"InstantLoan"');
    await held.release();
    await all;
    return stage.bench.trail(loan.id);
  }

  it('two presses open the offers once', async () => {
    const loan = await twoOfThree();
    const trail = await trailAfter(
      loan,
      () => press(loan),
      () => press(loan),
      () => press(loan),
    );
    expect(trail).toEqual(OPENED);
  });

  it('a press and the last answer put offers side by side once', async () => {
    const loan = await twoOfThree();
    const [, first, ...more] = await trailAfter(
      loan,
      () => press(loan),
      () => stage.tell(loan.id, 'tarangudyam', stage.offering(10_000)),
    );
    expect(more).toEqual([]);
    expect([OPENED[1], 'OFFER_CHOSEN PAYMENT_PENDING']).toContain(first);
    expect(choosableIn(await pageAt(loan.redirectUrl))).toHaveLength(3);
  });

  it('a choice and the end of the wait leave the choice', async () => {
    const loan = await opened();
    const { kaverisetu } = await offerIds(stage, loan.id);
    const trail = await trailAfter(
      loan,
      () => new ApplicantBrowser().choose(loan.redirectUrl, kaverisetu),
      () => deadlinePasses(loan),
    );
    expect(trail).toEqual([...OPENED, 'OTHER_OFFER_CHOSEN PAYMENT_PENDING']);
    expect(await stage.bench.row(loan.id)).toMatchObject({
      offer_id: kaverisetu,
      wanted_offer_id: kaverisetu,
      offers_due_at: null,
    });
    expect(await stage.withdrawals(loan.id)).toEqual(['NOT_CHOSEN tarangudyam']);
  });
});
