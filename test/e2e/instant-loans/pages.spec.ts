import { beforeAll, describe, expect, it, vi } from 'vitest';
import { PaymentOrders } from '../../../src/payments/index.js';
import { PaymentCallbacks } from '../../../src/payments/payment-callbacks.js';
import { formatRupees } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { newMobile } from '../../support/hosted-client.js';
import {
  ApplicantBrowser,
  type CreatedInstantLoan,
  hiddenIn,
  openGateway,
  paymentFormOf,
} from '../../support/instant-loans.js';
import { InstantLoanBench, JOURNEY, PATIENT } from './instant-loan-bench.js';
import { comparisonAt, pageAt } from './offer-stage.js';
import { ofFile } from '../../support/of-file.js';

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

const bench = ofFile(() => InstantLoanBench.open());
/** For tests that change nothing. */
let unpaid: CreatedInstantLoan;

beforeAll(async () => {
  const customer = { fullName: 'Kamala Unmistakable' };
  unpaid = await bench.apply({ mobile: MOBILE, pan: PAN, customer, loanAmount: 25_000 });
});

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

/** The cost of a day at the APR on the page, in whole rupees. */
function costADay(page: string, arrived: number): string {
  const [, apr] = /APR[\s\S]*?([\d.]+)%/.exec(page)!;
  return formatRupees(Math.round((arrived * Number(apr)) / 36_500 / 100) * 100);
}

describe('the page before the payment', () => {
  it('says what is paid, to whom and where, before what, and what becomes of it; nothing of the applicant', async () => {
    const { fee } = await bench.row(unpaid.applicationId);
    const { text, headers } = await new ApplicantBrowser().open(unpaid.redirectUrl);
    expect(headers.get('cache-control')).toContain('no-store');
    const amount = formatRupees(fee);
    expectWords(text, [
      `<h1>Pay ${amount}, then the lender decides`,
      await lenderOf(unpaid),
      '₹25,000',
      '2 other offers',
      `Tell the lender and ask for ${amount}: it must return it`,
      `about ${costADay(text, 25_000_00)} a day (by the APR), no penalty`,
    ]);
    const { host } = new URL(bench.service.baseUrl);
    const form = paymentFormOf(text)!;
    expectWords(form, [
      'Pay by ',
      'You pay at <strong>Sandbox Gateway</strong>',
      `Agree and pay ${amount}`,
    ]);
    const before = form.slice(0, form.indexOf('type="submit"'));
    expect(before).toContain(`Its address must be <strong>${host}</strong>`);
    const known = [MOBILE, PAN, 'Unmistakable'];
    for (const shown of [text, await pageAt(done(unpaid)), unpaid.redirectUrl])
      expect(known.filter((one) => shown.includes(one))).toEqual([]);
  });

  it('speaks Hindi, also of a gateway whose address is not known', async () => {
    const page = vi.spyOn(bench.service.get<PaymentOrders>(PaymentOrders), 'pageFor');
    page.mockResolvedValueOnce({ name: 'Razorpay', host: null });
    const unknown = await pageAt(unpaid.redirectUrl, 'hi');
    expectWords(unknown, ['<html lang="hi">', 'पैसा <strong>Razorpay</strong> पर दें']);
    expect(unknown).not.toContain('उसका पता');
    page.mockResolvedValueOnce(null);
    expect(await pageAt(unpaid.redirectUrl, 'hi')).not.toContain('UPI PIN');
    page.mockRestore();
  });

  it('takes no payment without the box, and says so; it keeps the first agreement to the statement, with its language', async () => {
    const words = 'पहले मुख्य तथ्य विवरण पढ़ें, फिर बॉक्स पर निशान लगाएँ';
    const loan = await bench.apply();
    const { applicationId: id } = loan;
    const browser = new ApplicantBrowser('hi');
    const { text } = await browser.open(loan.redirectUrl);
    const hidden = hiddenIn(paymentFormOf(text)!);
    for (const form of [hidden, { ...hidden, hasRead: '' }]) {
      const pressed = await browser.send(loan.redirectUrl, form);
      expect(pressed.status).toBe(200);
      expect(pressed.text.split(words)).toHaveLength(3);
    }
    expect((await new ApplicantBrowser().send(loan.redirectUrl, {})).status).toBe(403);
    await fetch(loan.redirectUrl, { method: 'HEAD' });
    expect(await bench.trail(id)).toEqual(CHOSEN);
    expect(await ordersOf(loan)).toEqual([]);
    await openGateway(browser, loan.redirectUrl);
    await openGateway(new ApplicantBrowser('en'), loan.redirectUrl);
    const { key_facts_hash: hash } = await bench.row(id);
    expect(await bench.agreements(id)).toEqual([{ hash, language: 'hi' }]);
    expect((await bench.trail(id)).slice(CHOSEN.length)).toEqual([
      'KEY_FACTS_ACKNOWLEDGED FEE_PENDING',
      'FEE_ORDERED FEE_PENDING',
    ]);
    expect(await ordersOf(loan)).toHaveLength(1);
  });

  it('leads to the Key Facts Statement, page and PDF, as it was frozen', async () => {
    const loan = unpaid;
    const browser = new ApplicantBrowser();
    const { text } = await browser.open(loan.redirectUrl);
    const [, path = ''] = STATEMENT.exec(text) ?? [];
    const url = new URL(path, bench.service.baseUrl).href;
    const { key_facts_hash: hash } = await bench.row(loan.applicationId);
    const statement = await pageAt(url);
    // The charges are paid first, so the whole loan is paid out.
    expectWords(statement, ['₹25,000', hash, 'all of it arrives in your account']);
    expect(statement).not.toContain('taken off first');
    const pdf = await browser.open(`${url}.pdf`);
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect((await browser.open(url.replace('/kfs/', '/pay/'))).status).toBe(404);
  });
});

describe('the page after it', () => {
  it('tells after a failed try money that left the account from none; the box is not asked for again', async () => {
    const loan = await bench.apply();
    const browser = await bench.atGateway(loan, 'fail');
    await bench.reaches(loan.applicationId, 'PAYMENT_FAILED');
    const { payment_order_id: orderId, fee } = await bench.row(loan.applicationId);
    for (const url of [done(loan), loan.redirectUrl]) {
      const page = await pageAt(url);
      expectWords(page, [orderId, 'Don’t pay again: it counts, or it comes back']);
      for (const absent of ['http-equiv="refresh"', 'name="hasRead"'])
        expect(page).not.toContain(absent);
    }
    expect(await pageAt(done(loan))).toContain(`>Pay ${formatRupees(fee)}</button>`);
    expect(await comparisonAt(loan.redirectUrl)).toContain(
      'Money left your account? Don’t pay again',
    );
    await openGateway(browser, done(loan));
    expect(await pageAt(done(loan))).toContain('Checking your payment');
  });

  it('asks the gateway at once when the applicant comes back and no callback has come; after the sanction it says what comes next', async () => {
    const loan = await bench.apply({ loanAmount: 25_000 });
    const late = new ApplicantBrowser();
    const { text: paying } = await late.open(loan.redirectUrl);
    const browser = await bench.atGateway(loan, 'leave');
    const { fee } = await bench.row(loan.applicationId);
    const { text } = await browser.open(done(loan));
    expectWords(text, ['Checking your payment', ' back the way you paid', 'http-equiv="refresh"']);
    expect(text).not.toContain(`>Pay ${formatRupees(fee)}</button>`);
    const callbacks = bench.service.get<PaymentCallbacks>(PaymentCallbacks);
    const lost = vi.spyOn(callbacks, 'take').mockRejectedValue(new Error('lost on the way'));
    await bench.atGateway(loan, 'pay');
    const page = await eventually(async () => {
      const now = await pageAt(done(loan));
      expect(now).toContain('Your ₹25,000 loan is approved');
      return now;
    }, PATIENT);
    lost.mockRestore();
    expectWords(page, [
      `By ${await lenderOf(loan)}, `,
      ' sends <strong>₹25,000</strong>',
      'Until 5 days after payout',
      `ask for ${formatRupees(fee)}: it must return it`,
      (await bench.row(loan.applicationId)).gateway_payment_id!,
      wayBack(loan, 'SANCTIONED'),
    ]);
    // The lender's own number, not that of its grievance officer.
    expect(page).toMatch(/<p>[^<]+: <a [^>]+>1800 000 2270<\/a>/);
    const path = new URL(done(loan)).pathname;
    expect((await late.open(loan.redirectUrl)).location).toBe(path);
    const form = { ...hiddenIn(paymentFormOf(paying)!), hasRead: '1' };
    expect((await late.send(loan.redirectUrl, form)).location).toBe(path);
    expect(await ordersOf(loan)).toEqual(['PAID']);
  });
});

it('SANDX0013A: the lender declines after the payment, the fee goes back, and an SMS and the page tell so; no name', async () => {
  const mobile = newMobile();
  const loan = await bench.apply({ mobile, pan: 'SANDX0013A' });
  const enquiries = { bureaus: ['CIBIL'], forOffer: 'SOFT', afterChoice: 'HARD' };
  await setTerms(loan, { creditReport: enquiries });
  expect(await pageAt(loan.redirectUrl)).toContain('Paying triggers a hard enquiry');
  await bench.atGateway(loan, 'pay');
  await bench.reaches(loan.applicationId, 'REJECTED');
  const amount = formatRupees((await bench.row(loan.applicationId)).fee);
  await bench.service.travel(3_000);
  await eventually(async () => {
    const [newest] = await bench.inbox(mobile);
    expect(newest?.text).toContain('has been sent back to you');
  }, PATIENT);
  const [refund] = await bench.records.query<{ payment: string; id: string }>(
    `SELECT gateway_payment_id AS payment, gateway_refund_id AS id FROM payment_refunds
     WHERE subject_id = $1 AND status = 'DONE' AND reason = 'DECLINED'`,
    [loan.journeyId],
  );
  const page = await pageAt(done(loan));
  expectWords(page, [
    `<h1>Not approved. Your ${amount} is coming back.</h1>`,
    `${await lenderOf(loan)} declined this loan. You owe nothing.`,
    `${amount} sent back, the way you paid`,
    'Enquiries stay on your credit report.',
    refund.payment,
    refund.id,
    wayBack(loan, 'REJECTED'),
  ]);
  for (const hidden of ['POLICY', mobile, 'SANDX0013A', 'Asha']) expect(page).not.toContain(hidden);
  // The offer was binding.
  expect(await bench.flags(loan.applicationId)).toEqual(['OFFER_NOT_KEPT']);
});

it('a link that is not ours is a 404 in words, also one with another application’s proof', async () => {
  const { redirectUrl: other } = await bench.create();
  const proof = other.slice(other.lastIndexOf('.'));
  const [, token] = unpaid.redirectUrl.split('/pay/');
  for (const forged of [
    token.slice(0, token.lastIndexOf('.')) + proof,
    'app_00000000000000000000000000000000',
    'app_00000000000000000000000000000000.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    '..%2f..%2fetc%2fpasswd',
    '%00',
    `${'a'.repeat(5_000)}.b`,
  ]) {
    for (const path of [`/pay/${forged}`, `/pay/${forged}/done`]) {
      const page = await new ApplicantBrowser().open(`${bench.service.baseUrl}${path}`);
      expect([path, page.status]).toEqual([path, 404]);
      expect(page.text).toContain('<h1');
    }
  }
});
