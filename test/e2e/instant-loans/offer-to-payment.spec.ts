import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LenderCatalogue } from '../../../src/settings/index.js';
import { ApplicantBrowser, openGateway, orderFee } from '../../support/instant-loans.js';
import { MINUTE } from './instant-loan-bench.js';
import { DAY, DECLINED, offered, OfferStage, pageAt } from './offer-stage.js';

let stage: OfferStage;

beforeAll(async () => {
  stage = await OfferStage.open();
});

afterAll(() => stage?.close());

describe('a lender that is switched off after it was asked', () => {
  async function withoutNavdhara(work: () => Promise<void>): Promise<void> {
    const catalogue = stage.bench.service.get<LenderCatalogue>(LenderCatalogue);
    const all = await catalogue.serving('ONLINE_INSTANT');
    const serving = vi
      .spyOn(catalogue, 'serving')
      .mockResolvedValue(all.filter(({ code }) => code !== 'navdhara'));
    await work().finally(() => serving.mockRestore());
  }

  it('is not chosen, however good its offer is', async () => {
    const { id } = await stage.create();
    await stage.tell(id, 'navdhara', stage.offering(10_000));
    await withoutNavdhara(async () => {
      await stage.tell(id, 'kaverisetu', stage.offering(60_000));
      await stage.tell(id, 'tarangudyam', DECLINED);
    });
    expect(await stage.bench.row(id)).toMatchObject({ lender_code: 'kaverisetu', fee: 60_000 });
    expect(await stage.withdrawals(id)).toEqual(['NOT_CHOSEN navdhara']);
  });

  it('stands beside the offer that is chosen as one that makes its own no more, also in the log', async () => {
    const { id, redirectUrl } = await stage.create();
    await stage.tell(id, 'navdhara', stage.offering(10_000));
    await withoutNavdhara(async () => {
      await stage.tell(id, 'kaverisetu', stage.offering(60_000));
      await stage.tell(id, 'tarangudyam', DECLINED);
    });
    expect(await pageAt(redirectUrl)).toMatch(/Navdhara[^<]+ makes its offer no more/);
    expect(await stage.loggedWithoutOffer(id)).toEqual({
      navdhara: 'PASSED_OVER',
      tarangudyam: 'DECLINED',
    });
  });

  it('and alone has made an offer, is told that the application ended; so is the applicant', async () => {
    const { id, redirectUrl } = await stage.create();
    await stage.tell(id, 'navdhara', stage.offering(10_000));
    await stage.tell(id, 'kaverisetu', DECLINED);
    await withoutNavdhara(() => stage.tell(id, 'tarangudyam', DECLINED));
    expect(await stage.bench.row(id)).toMatchObject({ status: 'REJECTED', lender_code: null });
    expect(await stage.withdrawals(id)).toEqual(['ENDED navdhara']);
    const page = await pageAt(`${redirectUrl}/done`);
    expect(page).toContain('Makes its offer no more');
    expect(page).not.toContain('could be reached in time');
    expect(await stage.loggedWithoutOffer(id)).toEqual({
      kaverisetu: 'DECLINED',
      navdhara: 'PASSED_OVER',
      tarangudyam: 'DECLINED',
    });
  });

  it('is not paid: at the press the application ends, and both sides are told', async () => {
    const { id, redirectUrl } = await stage.offeredAt(10_000);
    const browser = new ApplicantBrowser();
    const { text } = await browser.open(redirectUrl);
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)![1];
    await withoutNavdhara(async () => {
      for (let time = 0; time < 2; time += 1) {
        const { location } = await browser.send(redirectUrl, { csrf });
        expect(location).toBe(`${new URL(redirectUrl).pathname}/done`);
      }
    });
    expect(await stage.ordersOf(id)).toEqual([]);
    expect((await stage.bench.trail(id)).slice(2)).toEqual(['LENDER_GONE EXPIRED']);
    expect(await stage.withdrawals(id)).toEqual(['ENDED navdhara']);
    const page = await pageAt(`${redirectUrl}/done`);
    expect(page).toContain('You have paid nothing for it');
    expect(page).not.toContain('The time to pay is over');
    expect(await pageAt(`${redirectUrl}/done`, 'hi')).toContain('यह लोन अब नहीं मिल सकता');
  });

  it('is still paid for what was ordered before', async () => {
    const loan = await stage.offeredAt(60_000);
    await orderFee(stage.bench.records, loan);
    await withoutNavdhara(async () => void (await stage.bench.atGateway(loan, 'pay')));
    await stage.bench.reaches(loan.id, 'SANCTIONED');
    expect(await stage.ordersOf(loan.id)).toHaveLength(1);
  });
});

describe('the button', () => {
  it('leads to no payment before there is an offer, wherever its form comes from', async () => {
    const other = await stage.offeredAt(60_000);
    const browser = new ApplicantBrowser();
    const { text } = await browser.open(other.redirectUrl);
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)![1];
    const { id, redirectUrl } = await stage.create();
    const pressed = await browser.send(redirectUrl, { csrf });
    expect([pressed.status, pressed.location]).toEqual([
      303,
      `${new URL(redirectUrl).pathname}/done`,
    ]);
    expect(await stage.ordersOf(id)).toEqual([]);
    expect(await stage.bench.trail(id)).toEqual(['APPLIED PAYMENT_PENDING']);
  });

  it('orders one payment, however often it is pressed and on how many devices', async () => {
    const { id, redirectUrl } = await stage.offeredAt(60_000);
    const presses = [1, 2, 3].map(() => openGateway(new ApplicantBrowser(), redirectUrl));
    expect(new Set(await Promise.all(presses)).size).toBe(1);
    expect(await stage.ordersOf(id)).toHaveLength(1);
    expect((await stage.bench.trail(id)).slice(2)).toEqual([
      'KEY_FACTS_AGREED PAYMENT_PENDING',
      'ORDERED PAYMENT_PENDING',
    ]);
  });
});

describe('an application with an offer', () => {
  it('ends with it, when that is sooner than the time to pay', async () => {
    const { id, redirectUrl } = await stage.create();
    const now = stage.bench.service.now().getTime();
    // Days pass before the lender answers, so that it binds itself for less than is left to pay.
    await stage.bench.records.query(
      `UPDATE instant_loans SET expires_at = app_now() + interval '30 days' WHERE id = $1`,
      [id],
    );
    const validUntil = new Date(now + 10 * DAY);
    const short = stage.offer(60_000, { validUntil: validUntil.toISOString() });
    await stage.tellAll(id, offered(short), DECLINED, DECLINED);
    expect((await stage.bench.row(id)).expires_at).toEqual(validUntil);
    await orderFee(stage.bench.records, { applicationId: id, redirectUrl });
    expect((await stage.ordersOf(id))[0].expires).toEqual(validUntil);
    await stage.bench.service.travel(10 * DAY + MINUTE);
    await stage.bench.reaches(id, 'EXPIRED');
    expect(await stage.withdrawals(id)).toEqual(['ABANDONED navdhara']);
    expect(await pageAt(`${redirectUrl}/done`)).toContain('The time to pay is over');
  });

  it('of an earlier release, which asked nobody and ordered at once, goes on as it was', async () => {
    const loan = await stage.create();
    await stage.tellAll(loan.id, stage.offering(60_000), stage.offering(90_000), DECLINED);
    await orderFee(stage.bench.records, loan);
    await stage.bench.records.query(
      `UPDATE instant_loans SET offer_id = NULL, offers_given_up_at = NULL, agreed_at = NULL,
         comparison = jsonb_set(comparison - 'noOffer', '{others,0}',
           (comparison #> '{others,0}') - 'offerId')
       WHERE id = $1`,
      [loan.id],
    );
    await stage.bench.records.query('DELETE FROM instant_offers WHERE application_id = $1', [
      loan.id,
    ]);
    expect(await pageAt(loan.redirectUrl)).toContain('Of all our lenders who lend this amount');
    await stage.bench.atGateway(loan, 'pay');
    await stage.bench.reaches(loan.id, 'SANCTIONED');
    expect(await stage.ordersOf(loan.id)).toHaveLength(1);
    expect(stage.decisionAsked(loan.id).payload).not.toHaveProperty('offerReference');
  });

  it('that is paid when the offer has run out is ended, and the fee goes back', async () => {
    const loan = await stage.create();
    const { id } = loan;
    await stage.tellAll(id, stage.offering(60_000), DECLINED, DECLINED);
    await orderFee(stage.bench.records, loan);
    // The gateway's page is open for longer than the offer is good.
    await stage.bench.records.query(
      `UPDATE instant_offers SET valid_until = app_now() - interval '1 minute'
       WHERE application_id = $1 AND standing = 'OFFERED'`,
      [id],
    );
    await stage.bench.atGateway(loan, 'pay');
    await stage.bench.reaches(id, 'EXPIRED');
    const refunds = await stage.bench.records.query(
      'SELECT reason, amount::int FROM payment_refunds WHERE subject_id = $1',
      [id],
    );
    expect(refunds).toEqual([{ reason: 'PAID_TOO_LATE', amount: 60_000 }]);
    const questions = await stage.bench.records.query(
      `SELECT 1 FROM lender_questions WHERE subject_id = $1 AND kind = 'DECISION'`,
      [id],
    );
    expect(questions).toEqual([]);
  });
});
