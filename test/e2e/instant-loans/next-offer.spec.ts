import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PaymentInbox } from '../../../src/payments/index.js';
import { PaymentCallbacks } from '../../../src/payments/payment-callbacks.js';
import { LenderCatalogue } from '../../../src/settings/index.js';
import { eventually } from '../../support/eventually.js';
import {
  ApplicantBrowser,
  atSandboxGateway,
  choosableIn,
  type CreatedInstantLoan,
  hiddenIn,
  openGateway,
  orderFee,
  paymentFormOf,
} from '../../support/instant-loans.js';
import { HOUR, MINUTE, PATIENT } from './instant-loan-bench.js';
import { comparisonAt, DAY, DECLINED, OfferStage, pageAt } from './offer-stage.js';

let stage: OfferStage;

beforeAll(async () => {
  stage = await OfferStage.open();
});

afterAll(() => stage?.close());

type Loan = CreatedInstantLoan & { id: string };

/** Navdhara's offer for ₹100 is chosen, and ends sooner than kaverisetu's for ₹600. */
async function twoOffers(endsInMs = 2 * DAY): Promise<Loan> {
  const loan = await stage.create();
  await stage.tellAll(loan.id, stage.offering(10_000), stage.offering(60_000), DECLINED);
  const validUntil = new Date(stage.bench.service.now().getTime() + endsInMs);
  await stage.bench.records.query(
    `UPDATE instant_offers SET valid_until = $2
     WHERE application_id = $1 AND lender_code = 'navdhara'`,
    [loan.id, validUntil],
  );
  await stage.bench.records.query('UPDATE instant_loans SET expires_at = $2 WHERE id = $1', [
    loan.id,
    validUntil,
  ]);
  return loan;
}

async function offerId(id: string, lender: string): Promise<string> {
  const [row] = await stage.bench.records.query<{ id: string }>(
    'SELECT id FROM instant_offers WHERE application_id = $1 AND lender_code = $2',
    [id, lender],
  );
  return row.id;
}

/**
 * Until kaverisetu's offer leads, with nothing ordered or agreed to.
 * @param wanted where the applicant has chosen it
 */
function isNext(id: string, wanted: string | null = null): Promise<void> {
  return eventually(async () => {
    expect(await stage.bench.row(id)).toMatchObject({
      status: 'PAYMENT_PENDING',
      lender_code: 'kaverisetu',
      fee: 60_000,
      agreed_at: null,
      payment_order_id: null,
      called_off_at: null,
      wanted_offer_id: wanted,
    });
    expect(await stage.bench.status(id)).toBe('PAYMENT_PENDING');
  }, PATIENT);
}

async function isPaidAndSanctioned(loan: Loan): Promise<void> {
  await stage.bench.atGateway(loan, 'pay');
  await stage.bench.reaches(loan.id, 'SANCTIONED');
  expect(stage.decisionAsked(loan.id)).toMatchObject({
    lenderCode: 'kaverisetu',
    payload: { feePaid: { amount: 60_000 } },
  });
  expect(await stage.withdrawals(loan.id)).toEqual(['NOT_CHOSEN navdhara']);
}

/** Money that a page of an order has brought, as the payments module tells of it. */
async function tellPaid(id: string, orderId: string, paymentId: string): Promise<void> {
  await stage.bench.records.query(
    `INSERT INTO payments (partner_id, subject_id, order_id, gateway, gateway_payment_id, amount,
       currency, is_counted, source, paid_at)
     VALUES ($4, $1, $2, 'sandbox', $3, 10000, 'INR', true, 'CALLBACK', app_now())`,
    [id, orderId, paymentId, stage.bench.service.partnerId],
  );
  await stage.bench.transaction((tx) =>
    stage.bench.service.get<PaymentInbox>(PaymentInbox).receive(tx, {
      partnerId: stage.bench.service.partnerId,
      subjectId: id,
      orderId,
      kind: 'PAID',
      gatewayPaymentId: paymentId,
      amount: 10_000,
      at: stage.bench.service.now(),
    }),
  );
}

describe('when the chosen offer ends unpaid and another one stands', () => {
  it('that one is shown, with its own box, and can be paid for', async () => {
    const loan = await twoOffers();
    await stage.bench.service.travel(2 * DAY - 15 * MINUTE);
    await isNext(loan.id);
    expect((await stage.bench.trail(loan.id)).slice(2)).toEqual(['NEXT_OFFER PAYMENT_PENDING']);
    const page = await pageAt(loan.redirectUrl);
    for (const words of ['Agree and pay ₹600', 'name="hasRead"', 'Offers that are gone']) {
      expect(page).toContain(words);
    }
    const compared = await comparisonAt(loan.redirectUrl);
    expect(compared).toContain('No longer available');
    expect(choosableIn(compared)).toEqual([]);
    expect(await stage.withdrawals(loan.id)).toEqual([]);
    await isPaidAndSanctioned(loan);
  });

  it('so it is when the fee was ordered: the open page is closed first, and its late money goes back', async () => {
    const loan = await twoOffers();
    const orderId = await orderFee(stage.bench.records, loan);
    await stage.bench.service.travel(2 * DAY + MINUTE);
    await isNext(loan.id);
    const orders = await stage.bench.records.query<{ status: string }>(
      'SELECT status FROM payment_orders WHERE subject_id = $1',
      [loan.id],
    );
    expect(orders).not.toEqual([{ status: 'OPEN' }]);
    await tellPaid(loan.id, orderId, `late-${loan.id}`);
    await eventually(async () => {
      expect(await stage.bench.refunds(loan.id)).toEqual(['PAID_TOO_LATE']);
    }, PATIENT);
    expect(await stage.bench.status(loan.id)).toBe('PAYMENT_PENDING');
    expect(await pageAt(loan.redirectUrl)).toContain('Money coming back to you');
    await isPaidAndSanctioned(loan);
    expect(await stage.bench.refunds(loan.id)).toEqual(['PAID_TOO_LATE']);
  });

  it('so it is after a payment that failed: nothing has failed of the next one', async () => {
    const loan = await twoOffers();
    await stage.bench.atGateway(loan, 'fail');
    await stage.bench.reaches(loan.id, 'PAYMENT_FAILED');
    await stage.bench.service.travel(2 * DAY + MINUTE);
    await isNext(loan.id);
    expect(await pageAt(loan.redirectUrl)).not.toContain('The payment did not go through');
    await isPaidAndSanctioned(loan);
  });

  it('ends when the last of them has ended, and all are told', async () => {
    const loan = await twoOffers();
    await stage.bench.service.travel(2 * DAY - 15 * MINUTE);
    await isNext(loan.id);
    await stage.bench.service.travel(2 * DAY);
    await stage.bench.reaches(loan.id, 'EXPIRED');
    expect(await stage.withdrawals(loan.id)).toEqual([
      'ABANDONED kaverisetu',
      'ABANDONED navdhara',
    ]);
  });
});

describe('when the lender of the chosen offer is switched off and another offer stands', () => {
  it('that one is shown at the press, and nothing is ordered or agreed to', async () => {
    const loan = await twoOffers(60 * HOUR);
    const browser = new ApplicantBrowser();
    const { text } = await browser.openToPay(loan.redirectUrl);
    const form = { ...hiddenIn(paymentFormOf(text)!), hasRead: '1' };
    const catalogue = stage.bench.service.get<LenderCatalogue>(LenderCatalogue);
    const all = await catalogue.serving('ONLINE_INSTANT');
    const serving = vi
      .spyOn(catalogue, 'serving')
      .mockResolvedValue(all.filter(({ code }) => code !== 'navdhara'));
    try {
      const pressed = await browser.send(loan.redirectUrl, form);
      expect(pressed.status).toBe(409);
      for (const words of ['The offer has changed', 'Agree and pay ₹600']) {
        expect(pressed.text).toContain(words);
      }
      expect(choosableIn(await comparisonAt(loan.redirectUrl))).toEqual([]);
    } finally {
      serving.mockRestore();
    }
    await isNext(loan.id);
    expect(await stage.ordersOf(loan.id)).toEqual([]);
  });
});

describe('another offer, chosen when the fee is ordered', () => {
  it('is the choice once the page of the first is closed; nothing can be paid there', async () => {
    const loan = await twoOffers(60 * HOUR);
    const browser = new ApplicantBrowser();
    const gateway = await openGateway(browser, loan.redirectUrl);
    expect(await pageAt(`${loan.redirectUrl}/done`)).toContain('1 other offer');
    const wanted = await offerId(loan.id, 'kaverisetu');
    const pressed = await browser.choose(loan.redirectUrl, wanted);
    const done = `${new URL(loan.redirectUrl).pathname}/done`;
    expect([pressed.status, pressed.location]).toEqual([303, done]);
    await isNext(loan.id, wanted);
    const chosen = await stage.bench.records.query<{ content: string }>(
      `SELECT content FROM offer_presentations WHERE subject_id = $1 AND kind = 'CHOSEN'
       ORDER BY recorded_at`,
      [loan.id],
    );
    expect(chosen.map(({ content }) => JSON.parse(content) as object)).toMatchObject([
      { lenderCode: 'navdhara', figures: { fee: 10_000 } },
      { lenderCode: 'navdhara', figures: { fee: 10_000 } },
      { offerId: wanted, lenderCode: 'kaverisetu', figures: { fee: 60_000 } },
    ]);
    expect((await stage.bench.trail(loan.id)).slice(-2)).toEqual([
      'OTHER_OFFER_WANTED PAYMENT_PENDING',
      'OTHER_OFFER_CHOSEN PAYMENT_PENDING',
    ]);
    expect((await browser.open(gateway)).text).toContain('This payment was cancelled');
    await atSandboxGateway(browser, gateway, 'pay');
    await isPaidAndSanctioned(loan);
    expect(await stage.bench.refunds(loan.id)).toEqual([]);
  });

  it('is not, where the fee of the first was paid before its page was closed', async () => {
    const loan = await twoOffers(60 * HOUR);
    const browser = new ApplicantBrowser();
    const gateway = await openGateway(browser, loan.redirectUrl);
    const callbacks = stage.bench.service.get<PaymentCallbacks>(PaymentCallbacks);
    const lost = vi.spyOn(callbacks, 'take').mockRejectedValue(new Error('lost on the way'));
    await atSandboxGateway(browser, gateway, 'pay');
    const pressed = await browser.choose(loan.redirectUrl, await offerId(loan.id, 'kaverisetu'));
    expect(pressed.status).toBe(303);
    await stage.bench.reaches(loan.id, 'SANCTIONED');
    lost.mockRestore();
    expect(await stage.bench.row(loan.id)).toMatchObject({ lender_code: 'navdhara', fee: 10_000 });
    expect(await stage.withdrawals(loan.id)).toEqual(['NOT_CHOSEN kaverisetu']);
    expect(await stage.bench.refunds(loan.id)).toEqual([]);
  });

  it('is waited for on a page that says what happens, in both languages', async () => {
    const loan = await twoOffers(60 * HOUR);
    await orderFee(stage.bench.records, loan);
    // The gateway is asked later.
    await stage.bench.records.query(
      `UPDATE payment_orders SET lease_until = app_now() + interval '1 hour' WHERE subject_id = $1`,
      [loan.id],
    );
    const wanted = await offerId(loan.id, 'kaverisetu');
    await new ApplicantBrowser().choose(loan.redirectUrl, wanted);
    const page = await pageAt(`${loan.redirectUrl}/done`);
    for (const words of [
      'Closing the payment page',
      'http-equiv="refresh"',
      '₹100',
      'Don’t pay now',
      'Not paid',
      'Free: do nothing; it ends by ',
    ]) {
      expect(page).toContain(words);
    }
    expect(await pageAt(`${loan.redirectUrl}/done`, 'hi')).toContain('भुगतान पेज बंद हो रहा है');
    // Neither offer can be paid for meanwhile.
    const { location } = await new ApplicantBrowser().open(loan.redirectUrl);
    expect(location).toBe(`${new URL(loan.redirectUrl).pathname}/done`);
    await stage.bench.records.query(
      'UPDATE payment_orders SET lease_until = NULL WHERE subject_id = $1',
      [loan.id],
    );
    await isNext(loan.id, wanted);
  });
});
