import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PaymentsUnavailable, SHORTEST_PAGE_LIFE_MS } from '../../../src/payments/index.js';
import { PaymentGateways } from '../../../src/payments/payment-gateways.js';
import { workingDaysBetween } from '../../../src/loans/index.js';
import { formatDateTime } from '../../../src/platform/index.js';
import { ServiceSettings } from '../../../src/settings/index.js';
import {
  ApplicantBrowser,
  hiddenIn,
  openGateway,
  orderFee,
  paymentFormOf,
} from '../../support/instant-loans.js';
import { configure } from '../../support/kept-configuration.js';
import { MINUTE } from './instant-loan-bench.js';
import { DAY, DECLINED, offered, OfferStage, pageAt } from './offer-stage.js';

let stage: OfferStage;

beforeAll(async () => {
  stage = await OfferStage.open();
});

afterAll(() => stage?.close());

/** The last moment at which a payment without a page can be begun, as the page says it. */
function payableUntil(validUntil: Date): string {
  const last = new Date(validUntil.getTime() - SHORTEST_PAGE_LIFE_MS);
  return `Pay by ${formatDateTime('en', last)}, `;
}

/** Three working days that are two days and some minutes: from late on a Monday to the first moment of Thursday. */
async function shortestValidity(): Promise<{ from: Date; validUntil: Date }> {
  const { bankHolidays } = await stage.bench.service
    .get<ServiceSettings>(ServiceSettings)
    .operating();
  const midnight = new Date(stage.bench.service.now());
  midnight.setUTCHours(18, 30, 0, 0);
  for (;;) {
    midnight.setTime(midnight.getTime() + DAY);
    const from = new Date(midnight.getTime() - 5 * MINUTE);
    const validUntil = new Date(midnight.getTime() + 2 * DAY);
    const isMonday = midnight.getUTCDay() === 1;
    if (isMonday && workingDaysBetween(from, validUntil, new Set(bankHolidays)) === 3)
      return { from, validUntil };
  }
}

describe('a lender that is switched off after it was asked', () => {
  const withoutNavdhara = (work: () => Promise<void>) => stage.without('navdhara', work);

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
    expect(await pageAt(redirectUrl)).toMatch(/Navdhara[^<]+<\/dt><dd>Its offer is gone/);
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
    expect(page).toContain('Its offer is gone');
    expect(page).not.toContain('answered in time');
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
    const form = { ...hiddenIn(paymentFormOf(text)!), hasRead: '1' };
    await withoutNavdhara(async () => {
      for (let time = 0; time < 2; time += 1) {
        const { location } = await browser.send(redirectUrl, form);
        expect(location).toBe(`${new URL(redirectUrl).pathname}/done`);
      }
    });
    expect(await stage.ordersOf(id)).toEqual([]);
    expect((await stage.bench.trail(id)).slice(2)).toEqual(['LENDER_GONE EXPIRED']);
    expect(await stage.withdrawals(id)).toEqual(['ENDED navdhara']);
    const page = await pageAt(`${redirectUrl}/done`);
    expect(page).toContain('You paid nothing and owe nothing.');
    expect(page).not.toContain('The time to pay is over');
    expect(await pageAt(`${redirectUrl}/done`, 'hi')).toContain('यह लोन आगे नहीं बढ़ सका');
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
    const { from, validUntil } = await shortestValidity();
    await stage.bench.service.travel(from.getTime() - stage.bench.service.now().getTime());
    const { id, redirectUrl } = await stage.offeredAt(60_000, {
      validUntil: validUntil.toISOString(),
    });
    expect((await stage.bench.row(id)).expires_at).toEqual(validUntil);
    await orderFee(stage.bench.records, { applicationId: id, redirectUrl });
    expect((await stage.ordersOf(id))[0].expires).toEqual(validUntil);
    await stage.bench.service.travel(2 * DAY + 6 * MINUTE);
    await stage.bench.reaches(id, 'EXPIRED');
    expect(await stage.withdrawals(id)).toEqual(['ABANDONED navdhara']);
    expect(await pageAt(`${redirectUrl}/done`)).toContain('The time to pay is over');
  });

  it('cannot be paid any more when the payment page would be open for longer than it is good', async () => {
    const { id, redirectUrl } = await stage.offeredAt(60_000);
    const validUntil = (await stage.bench.row(id)).expires_at;
    const left = validUntil.getTime() - stage.bench.service.now().getTime();
    await stage.bench.service.travel(left - 17 * MINUTE);
    const browser = new ApplicantBrowser();
    const { text } = await browser.open(redirectUrl);
    expect(text).toContain(payableUntil(validUntil));
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)![1];
    await stage.bench.service.travel(2 * MINUTE);
    const done = `${new URL(redirectUrl).pathname}/done`;
    expect((await browser.open(redirectUrl)).location).toBe(done);
    expect((await browser.send(redirectUrl, { csrf })).location).toBe(done);
    expect(await stage.ordersOf(id)).toEqual([]);
    const at = await pageAt(`${redirectUrl}/done`);
    expect(at).toContain('The time to pay is over');
    expect(at).toContain('You paid nothing and owe nothing.');
    await stage.bench.reaches(id, 'EXPIRED');
    const page = await pageAt(`${redirectUrl}/done`);
    expect(page).toContain('The time to pay is over');
    expect(page).not.toContain('This loan could not go on');
    expect(await stage.withdrawals(id)).toEqual(['ABANDONED navdhara']);
  });

  it('that is ordered has no page in time: it reads that no payment can be begun any more', async () => {
    const { id, redirectUrl } = await stage.offeredAt(60_000);
    const away = vi
      .spyOn(stage.bench.service.get<PaymentGateways>(PaymentGateways), 'create')
      .mockRejectedValue(new PaymentsUnavailable('away'));
    onTestFinished(() => away.mockRestore());
    const browser = new ApplicantBrowser();
    await browser.press(redirectUrl);
    expect(await stage.ordersOf(id)).toHaveLength(1);
    const { expires_at: validUntil } = await stage.bench.row(id);
    expect(await pageAt(redirectUrl)).toContain(payableUntil(validUntil));
    // The worker, which would end it, comes by later, also when the page has it called.
    await stage.bench.records.query(
      `UPDATE payment_orders SET lease_until = app_now() + interval '30 days',
         lease_token = lease_token + 1
       WHERE subject_id = $1`,
      [id],
    );
    const left =
      (await stage.bench.row(id)).expires_at.getTime() - stage.bench.service.now().getTime();
    await stage.bench.service.travel(left - 15 * MINUTE);
    const done = `${new URL(redirectUrl).pathname}/done`;
    expect((await browser.open(redirectUrl)).location).toBe(done);
    const page = await pageAt(`${redirectUrl}/done`);
    expect(page).toContain('too soon for a payment page.');
    expect(page).toContain('You paid nothing and owe nothing.');
    expect(page).not.toContain('Checking your payment');
  });

  it('is paid for as its lender has made it, whatever its terms are at the press', async () => {
    const loan = await stage.create();
    const said = stage.offer(61_300);
    await stage.tellAll(loan.id, offered(said), DECLINED, DECLINED);
    const before = await stage.bench.row(loan.id);
    await configure(stage.bench.service, 'UPDATE lenders SET terms = terms || $1', [
      JSON.stringify({ feeOnDecline: 'KEPT' }),
    ]);
    try {
      expect(await pageAt(loan.redirectUrl)).toContain('We send all ₹613 back');
      await stage.bench.atGateway(loan, 'pay');
    } finally {
      await configure(stage.bench.service, `UPDATE lenders SET terms = terms - 'feeOnDecline'`);
    }
    await stage.bench.reaches(loan.id, 'SANCTIONED');
    // Not by our own rows, but by what the lender has said.
    const [{ amount }] = said.fees;
    const paid = await stage.bench.records.query(
      'SELECT amount::int FROM payments WHERE subject_id = $1',
      [loan.id],
    );
    expect(paid).toEqual([{ amount }]);
    expect(stage.decisionAsked(loan.id)).toMatchObject({
      lenderCode: 'navdhara',
      payload: {
        offerReference: said.reference,
        keyFactsHash: before.key_facts_hash,
        feePaid: { amount },
      },
    });
    const after = await stage.bench.row(loan.id);
    expect(after).toMatchObject({ fee: amount, fee_on_decline: 'REFUND' });
  });

  it('that is ordered can be paid until the end', async () => {
    const loan = await stage.offeredAt(60_000);
    await orderFee(stage.bench.records, loan);
    const expiresAt = (await stage.bench.row(loan.id)).expires_at;
    const left = expiresAt.getTime() - stage.bench.service.now().getTime();
    await stage.bench.service.travel(left - MINUTE);
    expect(await pageAt(loan.redirectUrl)).toContain('Pay by ');
    await stage.bench.atGateway(loan, 'pay');
    await stage.bench.reaches(loan.id, 'SANCTIONED');
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
