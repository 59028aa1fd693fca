import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  PaymentOrders,
  PaymentsUnavailable,
  SHORTEST_PAGE_LIFE_MS,
} from '../../../src/payments/index.js';
import { PaymentCallbacks } from '../../../src/payments/payment-callbacks.js';
import { PaymentGateways } from '../../../src/payments/payment-gateways.js';
import { formatDateTime, formatRupees } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { newMobile } from '../../support/hosted-client.js';
import {
  ApplicantBrowser,
  atSandboxGateway,
  type CreatedInstantLoan,
  hiddenIn,
  openGateway,
  paymentFormOf,
} from '../../support/instant-loans.js';
import { InstantLoanBench, JOURNEY, MINUTE, PATIENT } from './instant-loan-bench.js';
import { comparisonAt, pageAt } from './offer-stage.js';

/** The audit of an application whose applicant has only chosen an offer. */
const CHOSEN = [
  'STARTED INITIATED',
  'OFFERS_ARRIVED OFFERS_RECEIVED',
  'FEE_ASKED FEE_PENDING',
  'OFFER_SELECTED FEE_PENDING',
];

const STATEMENT = /href="([^"]*\/kfs\/[^"]+)"/;

const MOBILE = newMobile();
const PAN = 'ZXCVB1234N';

let bench: InstantLoanBench;
/** For tests that change nothing. */
let unpaid: CreatedInstantLoan;

beforeAll(async () => {
  bench = await InstantLoanBench.open();
  const customer = { fullName: 'Kamala Unmistakable' };
  unpaid = await bench.apply({ mobile: MOBILE, pan: PAN, customer, loanAmount: 25_000 });
});

afterAll(() => bench?.close());

const done = ({ redirectUrl }: CreatedInstantLoan) => `${redirectUrl}/done`;

const wayBack = ({ applicationId }: CreatedInstantLoan, status: string) =>
  `/sandbox/partner?applicationId&#x3D;${applicationId}&amp;status&#x3D;${status}`;

function expectWords(page: string, words: readonly string[]): void {
  for (const one of words) expect(page).toContain(one);
}

async function ordersOf({ journeyId }: CreatedInstantLoan): Promise<string[]> {
  const rows = await bench.records.query<{ status: string }>(
    'SELECT status FROM payment_orders WHERE subject_id = $1',
    [journeyId],
  );
  return rows.map(({ status }) => status);
}

async function lenderOf({ applicationId }: CreatedInstantLoan): Promise<string> {
  const [{ name }] = await bench.records.query<{ name: string }>(
    `SELECT o.seller_name AS name FROM journeys AS j JOIN journey_offers AS o
       ON o.id = j.selected_offer_id WHERE j.id IN (${JOURNEY})`,
    [applicationId],
  );
  return name;
}

/** Changes the terms of all offers. */
async function setTerms({ journeyId }: CreatedInstantLoan, terms: object): Promise<void> {
  await bench.records.query('UPDATE journey_offers SET terms = terms || $2 WHERE journey_id = $1', [
    journeyId,
    JSON.stringify(terms),
  ]);
}

/** A day at the APR on the page, in whole rupees. */
function costADay(page: string, arrived: number): string {
  const [, apr] = /APR[\s\S]*?([\d.]+)%/.exec(page)!;
  return formatRupees(Math.round((arrived * Number(apr)) / 36_500 / 100) * 100);
}

describe('the page before the payment', () => {
  it('says above all else what is paid, to whom, before what, and what becomes of it', async () => {
    const loan = unpaid;
    const { fee } = await bench.row(loan.applicationId);
    const { text, headers } = await new ApplicantBrowser().open(loan.redirectUrl);
    expect(headers.get('cache-control')).toContain('no-store');
    const amount = formatRupees(fee);
    const inOrder = [
      `<h1>Pay ${amount}, then the lender decides`,
      await lenderOf(loan),
      'EMI × ',
      'APR',
      'to this lender',
      '₹25,000',
      'You repay, with the fee',
      '2 other offers',
      `We send all ${amount} back`,
      'The loan is agreed.',
      'you cannot cancel. No fixed time; after 30 minutes we ask.',
      'you can say no, until 5 days after payout',
      'soft enquiry, no effect on your score',
      'Saying no',
      'Free: do nothing; it ends by ',
      `${amount} back the way you paid`,
      'Approved, before the money',
      `Tell the lender and ask for ${amount}: it must return it`,
      'Until 5 days after payout',
      `about ${costADay(text, 25_000_00)} a day (by the APR), no penalty`,
      '% a year, fixed',
      'If you don’t pay',
      'RBI no.',
      'Complain to the RBI Ombudsman',
      'Asked for more money before payout? That’s fraud.',
      'Pay by ',
      'name="hasRead"',
      `Agree and pay ${amount}`,
    ];
    const shown = text.slice(text.indexOf('<h1'));
    const places = inOrder.map((words) => [words, shown.indexOf(words)] as const);
    expect(places.filter(([, place]) => place < 0)).toEqual([]);
  });

  it('names before the button whose page the payment is made on, and its address', async () => {
    const loan = unpaid;
    const { host } = new URL(bench.service.baseUrl);
    const form = paymentFormOf(await pageAt(loan.redirectUrl))!;
    expect(form).toContain('You pay at <strong>Sandbox Gateway</strong>');
    expect(form).toContain(`Its address must be <strong>${host}</strong>`);
    expect(form.indexOf(host)).toBeLessThan(form.indexOf('type="submit"'));
    const page = vi.spyOn(bench.service.get<PaymentOrders>(PaymentOrders), 'pageFor');
    page.mockResolvedValueOnce({ name: 'Razorpay', host: null });
    const unknown = await pageAt(loan.redirectUrl, 'hi');
    expect(unknown).toContain('पैसा <strong>Razorpay</strong> पर दें');
    expect(unknown).not.toContain('उसका पता');
    page.mockResolvedValueOnce(null);
    expect(await pageAt(loan.redirectUrl, 'hi')).not.toContain('UPI PIN');
    page.mockRestore();
  });

  it('takes no payment without the box, and says so', async () => {
    const words = 'पहले मुख्य तथ्य विवरण पढ़ें, फिर बॉक्स पर निशान लगाएँ';
    const loan = await bench.apply();
    const browser = new ApplicantBrowser('hi');
    const { text } = await browser.open(loan.redirectUrl);
    const hidden = hiddenIn(paymentFormOf(text)!);
    for (const form of [hidden, { ...hidden, hasRead: '' }]) {
      const pressed = await browser.send(loan.redirectUrl, form);
      expect(pressed.status).toBe(200);
      expect(pressed.text.split(words)).toHaveLength(3);
    }
    expect(await bench.trail(loan.applicationId)).toEqual(CHOSEN);
    expect(await ordersOf(loan)).toEqual([]);
    expect((await browser.press(loan.redirectUrl)).text).toContain('/sandbox/payment/');
  });

  it('speaks Hindi', async () => {
    const page = await pageAt(unpaid.redirectUrl, 'hi');
    expectWords(page, ['<html lang="hi">', 'पैसा मिलने के 5 दिन के भीतर', '₹25,000']);
  });

  it('leads to the Key Facts Statement, page and PDF, as it was frozen', async () => {
    const loan = unpaid;
    const browser = new ApplicantBrowser();
    const { text } = await browser.open(loan.redirectUrl);
    const [, path = ''] = STATEMENT.exec(text) ?? [];
    const url = new URL(path, bench.service.baseUrl).href;
    const { key_facts_hash: hash } = await bench.row(loan.applicationId);
    const statement = await pageAt(url);
    // The charges are paid first: nothing is deducted from the loan.
    expectWords(statement, ['₹25,000', hash, 'all of it arrives in your account']);
    expect(statement).not.toContain('taken off first');
    const pdf = await browser.open(`${url}.pdf`);
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect((await browser.open(url.replace('/kfs/', '/pay/'))).status).toBe(404);
  });

  it('changes nothing by being looked at, nor by a form of another site', async () => {
    const loan = unpaid;
    await pageAt(loan.redirectUrl);
    await fetch(loan.redirectUrl, { method: 'HEAD' });
    expect((await new ApplicantBrowser().send(loan.redirectUrl, {})).status).toBe(403);
    expect(await bench.trail(loan.applicationId)).toEqual(CHOSEN);
  });

  it('says so when the gateway cannot be reached, and until when a payment can begin', async () => {
    const loan = await bench.apply();
    const { expires_at: end } = await bench.row(loan.applicationId);
    const gateways = bench.service.get<PaymentGateways>(PaymentGateways);
    const away = vi.spyOn(gateways, 'create').mockRejectedValue(new PaymentsUnavailable('away'));
    const browser = new ApplicantBrowser();
    const refused = await browser.press(loan.redirectUrl);
    away.mockRestore();
    expect(refused.status).toBe(503);
    const last = formatDateTime('en', new Date(end.getTime() - SHORTEST_PAGE_LIFE_MS));
    expectWords(refused.text, ['The payment page cannot be reached.', `Pay by ${last}, `]);
    const url = await eventually(() => openGateway(browser, loan.redirectUrl), PATIENT);
    expect(url).toContain('/sandbox/payment/');
    // Once there is a page, it can be paid on until the end.
    expect(await pageAt(loan.redirectUrl)).toContain(`Pay by ${formatDateTime('en', end)}, `);
  });

  it('keeps the first agreement to the statement, with its language, however often the button is pressed', async () => {
    const loan = await bench.apply();
    const { applicationId: id } = loan;
    await openGateway(new ApplicantBrowser('hi'), loan.redirectUrl);
    await openGateway(new ApplicantBrowser('en'), loan.redirectUrl);
    const { key_facts_hash: hash } = await bench.row(id);
    expect(await bench.agreements(id)).toEqual([{ hash, language: 'hi' }]);
    expect((await bench.trail(id)).slice(CHOSEN.length)).toEqual([
      'KEY_FACTS_ACKNOWLEDGED FEE_PENDING',
      'FEE_ORDERED FEE_PENDING',
    ]);
    expect(await ordersOf(loan)).toHaveLength(1);
  });
});

it('a hard enquiry after the payment is named on the cards, before the payment and after it', async () => {
  const STAYS = 'Enquiries stay on your credit report.';
  const loan = await bench.apply({ pan: 'SANDX0013A' });
  const enquiries = { bureaus: ['CIBIL'], forOffer: 'SOFT', afterChoice: 'HARD' };
  await setTerms(loan, { creditReport: enquiries });
  const compared = await comparisonAt(loan.redirectUrl);
  expectWords(compared, [
    'Hard enquiry once you pay',
    'A hard enquiry stays on your credit report',
  ]);
  expectWords(await pageAt(loan.redirectUrl), ['Paying triggers a hard enquiry', STAYS]);
  await bench.atGateway(loan, 'pay');
  await bench.reaches(loan.applicationId, 'REJECTED');
  expect(await pageAt(done(loan))).toContain(STAYS);
});

describe('the page after it', () => {
  it('says again what is paid to whom, and what becomes of it', async () => {
    const loan = await bench.apply();
    const browser = await bench.atGateway(loan, 'leave');
    const amount = formatRupees((await bench.row(loan.applicationId)).fee);
    const { text } = await browser.open(done(loan));
    expectWords(text, [
      'Checking your payment',
      await lenderOf(loan),
      ' back the way you paid',
      'Free: do nothing; it ends by ',
      'You cannot cancel',
      `Tell the lender and ask for ${amount}`,
      'Until 5 days after payout',
      'http-equiv="refresh"',
    ]);
    expect(text).not.toContain(`>Pay ${amount}</button>`);
  });

  it('tells after a failed try money that left the account from none; the box is not asked for again', async () => {
    const loan = await bench.offered();
    await setTerms(loan, { feeOnDecline: 'KEPT' });
    const browser = await bench.atGateway(loan, 'fail');
    await bench.reaches(loan.applicationId, 'PAYMENT_FAILED');
    const { payment_order_id: orderId, fee } = await bench.row(loan.applicationId);
    const failed = await pageAt(done(loan));
    expectWords(failed, ['The lender keeps the ', `>Pay ${formatRupees(fee)}</button>`]);
    expect(failed).not.toContain('http-equiv="refresh"');
    for (const url of [done(loan), loan.redirectUrl]) {
      expectWords(await pageAt(url), [
        'left your account? If not, try again',
        'Money left your account?',
        'Don’t pay again: it counts, or it comes back',
        'your bank returns it: UPI and cards within 5 days',
        orderId,
      ]);
    }
    expect(await comparisonAt(loan.redirectUrl)).toContain(
      'Money left your account? Don’t pay again',
    );
    expectWords(await pageAt(done(loan), 'hi'), ['5 दिन में', 'दोबारा न दें', orderId]);
    const { text } = await browser.open(loan.redirectUrl);
    expect(text).not.toContain('name="hasRead"');
    expect(text).toContain('You have agreed to this loan.');
    await openGateway(browser, done(loan));
    expect(await pageAt(done(loan))).toContain('Checking your payment');
  });

  it('asks the gateway at once when the applicant comes back and no callback has come', async () => {
    const loan = await bench.apply();
    const browser = new ApplicantBrowser();
    const gatewayUrl = await openGateway(browser, loan.redirectUrl);
    const callbacks = bench.service.get<PaymentCallbacks>(PaymentCallbacks);
    const lost = vi.spyOn(callbacks, 'take').mockRejectedValue(new Error('lost on the way'));
    await atSandboxGateway(browser, gatewayUrl, 'pay');
    await eventually(async () => {
      expect(await pageAt(done(loan))).toContain(' loan is approved');
    }, PATIENT);
    lost.mockRestore();
  });

  it('says that the lender decides, and by when our team asks', async () => {
    const loan = await bench.applySlowly();
    await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.applicationId, 'PAYMENT_RECEIVED');
    await bench.records.query(
      `UPDATE lender_questions SET next_attempt_at = app_now() + interval '1 day'
       WHERE subject_id = $1 AND kind = 'DECISION'`,
      [loan.journeyId],
    );
    const [paid] = await bench.records.query<{ at: Date; reference: string }>(
      `SELECT paid_at AS at, gateway_payment_id AS reference FROM journey_fees
       WHERE journey_id = $1 AND paid_at IS NOT NULL`,
      [loan.journeyId],
    );
    const due = formatDateTime('en', new Date(paid.at.getTime() + 30 * MINUTE));
    const page = await pageAt(done(loan));
    expectWords(page, [
      'is deciding',
      'You get',
      'You repay, with the fee',
      `No time is fixed. If nothing has come by ${due}, our team asks.`,
      'You cannot cancel',
      'Until 5 days after payout',
      paid.reference,
      'http-equiv="refresh"',
    ]);
    expect(page.split('aria-current="step"')).toHaveLength(2);
    expect(page).not.toContain('hero-good');
    await bench.service.travel(31 * MINUTE);
    expect(await pageAt(done(loan))).toContain('our team keeps asking');
  });

  it('is where the link leads once there is nothing to pay, also for an earlier form', async () => {
    const loan = await bench.apply();
    const late = new ApplicantBrowser();
    const { text } = await late.open(loan.redirectUrl);
    await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.applicationId, 'SANCTIONED');
    const path = new URL(done(loan)).pathname;
    expect((await late.open(loan.redirectUrl)).location).toBe(path);
    const form = { ...hiddenIn(paymentFormOf(text)!), hasRead: '1' };
    expect((await late.send(loan.redirectUrl, form)).location).toBe(path);
    expect(await ordersOf(loan)).toEqual(['PAID']);
  });
});

describe('the page of an application that is over', () => {
  it('says after a sanction who pays, what comes next, and the way back to the partner', async () => {
    const loan = await bench.apply({ loanAmount: 25_000 });
    const browser = await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.applicationId, 'SANCTIONED');
    const { fee, gateway_payment_id: payment } = await bench.row(loan.applicationId);
    const { text } = await browser.open(done(loan));
    expectWords(text, [
      'Your ₹25,000 loan is approved',
      `By ${await lenderOf(loan)}, `,
      ' sends <strong>₹25,000</strong>',
      'It tells you the day and the account.',
      'A month after the money. Pay only the lender.',
      'Until 5 days after payout',
      `about ${costADay(text, 25_000_00)} a day (by the APR), no penalty`,
      `ask for ${formatRupees(fee)}: it must return it`,
      'href="tel:1930">1930</a>',
      String(payment),
      wayBack(loan, 'SANCTIONED'),
    ]);
    // The lender's own number, not its grievance officer's.
    expect(text).toMatch(/<p>[^<]+: <a [^>]+>1800 000 2270<\/a>/);
    expect(text).not.toContain('http-equiv="refresh"');
    for (const label of ['You get', 'You repay, with the fee'])
      expect(text.split(label)).toHaveLength(2);
    expect(await pageAt(done(loan), 'hi')).toContain('पैसा आने के 5 दिन बाद तक');
    const query = `applicationId=${loan.applicationId}&status=SANCTIONED`;
    const partner = await pageAt(`${bench.service.baseUrl}/sandbox/partner?${query}`);
    expectWords(partner, [loan.applicationId, 'SANCTIONED']);
  });

  it('says above all else that a declined fee was sent back, when, and its numbers; nobody’s name', async () => {
    const mobile = newMobile();
    const loan = await bench.apply({ mobile, pan: 'SANDX0013A' });
    await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.applicationId, 'REJECTED');
    const amount = formatRupees((await bench.row(loan.applicationId)).fee);
    await eventually(async () => {
      const [refund] = await bench.records.query<{ payment: string; id: string | null }>(
        `SELECT gateway_payment_id AS payment, gateway_refund_id AS id FROM payment_refunds
         WHERE subject_id = $1 AND status = 'DONE'`,
        [loan.journeyId],
      );
      const page = await pageAt(done(loan));
      expectWords(page, [
        `<h1>Not approved. Your ${amount} is coming back.</h1>`,
        `${await lenderOf(loan)} declined this loan. You owe nothing.`,
        `${amount} sent back, the way you paid`,
        'Within 7 working days.',
        'Complain to the RBI Ombudsman',
        'href="https://cms.rbi.org.in"',
        refund.payment,
        refund.id!,
        wayBack(loan, 'REJECTED'),
      ]);
      for (const hidden of ['POLICY', mobile, 'SANDX0013A', 'Asha'])
        expect(page).not.toContain(hidden);
    }, PATIENT);
  });
});

describe('a link that is none of ours', () => {
  it.each([
    'x',
    'app_00000000000000000000000000000000',
    'app_00000000000000000000000000000000.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '..%2f..%2fetc%2fpasswd',
    '%00',
    `${'a'.repeat(5_000)}.b`,
  ])('is a 404 in words: %s', async (token) => {
    for (const path of [`/pay/${token}`, `/pay/${token}/done`]) {
      const { status, text } = await new ApplicantBrowser().open(`${bench.service.baseUrl}${path}`);
      expect(status).toBe(404);
      expect(text).toContain('<h1');
    }
  });

  it('is one with another application’s proof', async () => {
    const [mine, other] = [unpaid, await bench.create()];
    const proof = other.redirectUrl.slice(other.redirectUrl.lastIndexOf('.'));
    const forged = mine.redirectUrl.slice(0, mine.redirectUrl.lastIndexOf('.')) + proof;
    expect((await new ApplicantBrowser().open(forged)).status).toBe(404);
  });
});

describe('what the pages and links say of the applicant', () => {
  it('is nothing', async () => {
    const { redirectUrl } = unpaid;
    for (const text of [await pageAt(redirectUrl), await pageAt(done(unpaid)), redirectUrl]) {
      for (const known of [MOBILE, PAN, 'Unmistakable']) expect(text).not.toContain(known);
    }
  });
});
