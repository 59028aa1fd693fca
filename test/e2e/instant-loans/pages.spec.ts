import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PaymentOrders, PaymentsUnavailable } from '../../../src/payments/index.js';
import { PaymentCallbacks } from '../../../src/payments/payment-callbacks.js';
import { formatRupees } from '../../../src/platform/index.js';
import { InstantLoanDeadlinesTasks } from '../../../src/instant-loans/background/instant-loan-deadlines.tasks.js';
import { eventually } from '../../support/eventually.js';
import { newMobile } from '../../support/hosted-client.js';
import { pauseTask } from '../../support/paused-task.js';
import {
  ApplicantBrowser,
  atSandboxGateway,
  type CreatedInstantLoan,
  GOES_BACK,
  hiddenIn,
  openGateway,
  paymentFormOf,
} from '../../support/instant-loans.js';
import { HOUR, InstantLoanBench, PATIENT } from './instant-loan-bench.js';

/** What the books say of an application whose applicant has chosen an offer, and done nothing more. */
const UNTOUCHED = [
  'APPLIED PAYMENT_PENDING',
  'OFFER_CHOSEN PAYMENT_PENDING',
  'LEADING_OFFER_CHOSEN PAYMENT_PENDING',
];

let bench: InstantLoanBench;

beforeAll(async () => {
  bench = await InstantLoanBench.open();
});

afterAll(() => bench?.close());

const NOT_APPROVED = 'Not approved';

const done = ({ redirectUrl }: CreatedInstantLoan) => `${redirectUrl}/done`;

async function ordersOf({ applicationId }: CreatedInstantLoan): Promise<string[]> {
  const rows = await bench.records.query<{ status: string }>(
    'SELECT status FROM payment_orders WHERE subject_id = $1',
    [applicationId],
  );
  return rows.map(({ status }) => status);
}

/** A day of the yearly cost that a page states, in whole rupees, on so many paise that arrive. */
function costADay(page: string, arrived: number): string {
  const [, apr] = /APR[\s\S]*?([\d.]+)%/.exec(page)!;
  return formatRupees(Math.round((arrived * Number(apr)) / 36_500 / 100) * 100);
}

describe('the page before the payment', () => {
  it('shows who lends, what it costs, what is paid now and what arrives', async () => {
    const loan = await bench.apply({ loanAmount: 25_000 });
    const { fee } = await bench.row(loan.applicationId);
    const { status, text, headers } = await new ApplicantBrowser().open(loan.redirectUrl);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toContain('no-store');
    const rupees = `₹${(fee / 100).toLocaleString('en-IN')}`;
    expect(text).toContain(`Agree and pay ${rupees}`);
    for (const words of [
      '₹25,000',
      'APR',
      'until 5 days after payout',
      '% a year, fixed',
      'to this lender',
    ]) {
      expect(text).toContain(words);
    }
    // The others stand beside the one that was chosen, a link away.
    expect(text).toContain('2 other offers');
    const compared = await new ApplicantBrowser().open(`${loan.redirectUrl}/offers`);
    for (const lender of await lenderNames()) expect(compared.text).toContain(lender);
  });

  it('says above all else what is paid, to whom, before what, and what becomes of it', async () => {
    const loan = await bench.apply({ loanAmount: 25_000 });
    const { fee, lender_code: code } = await bench.row(loan.applicationId);
    const { text } = await new ApplicantBrowser().open(loan.redirectUrl);
    const lender = await lenderNamed(code);
    const amount = formatRupees(fee);
    const inOrder = [
      `<h1>Pay ${amount}, then the lender decides`,
      lender,
      'EMI × ',
      'to this lender',
      'You repay, with the fee',
      `We send all ${amount} back`,
      'The loan is agreed.',
      'you cannot cancel. No fixed time',
      'you can say no, until 5 days after payout',
      'Saying no',
      'Free: do nothing; it ends by ',
      `${amount} back the way you paid`,
      'Approved, before the money',
      'Until 5 days after payout',
      `about ${costADay(text, 25_000_00)} a day (by the APR), no penalty`,
      'Asked for more money before payout? That’s fraud.',
      'name="hasRead"',
    ];
    const places = inOrder.map((words) => text.indexOf(words));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    // The box comes after what the lender is, and who contacts a borrower who does not pay.
    for (const words of ['RBI no.', 'If you don’t pay']) {
      expect(text.indexOf(words)).toBeGreaterThan(0);
      expect(text.indexOf(words)).toBeLessThan(text.indexOf('name="hasRead"'));
    }
  });

  it('names before the button whose page the payment is made on, and its address', async () => {
    const loan = await bench.apply();
    const { text } = await new ApplicantBrowser().open(loan.redirectUrl);
    const { host } = new URL(bench.service.baseUrl);
    const form = paymentFormOf(text)!;
    expect(form).toContain('You pay at <strong>Sandbox Gateway</strong>');
    expect(form).toContain(`Its address must be <strong>${host}</strong>`);
    expect(form.indexOf(host)).toBeLessThan(form.indexOf('type="submit"'));
  });

  it('names the gateway alone where its address is not configured, and nothing where none takes money', async () => {
    const loan = await bench.apply();
    const page = vi.spyOn(bench.service.get<PaymentOrders>(PaymentOrders), 'pageFor');
    page.mockResolvedValueOnce({ name: 'Razorpay', host: null });
    const { text } = await new ApplicantBrowser('hi').open(loan.redirectUrl);
    expect(text).toContain('पैसा <strong>Razorpay</strong> पर दें');
    expect(text).not.toContain('उसका पता');
    page.mockResolvedValueOnce(null);
    const { status, text: bare } = await new ApplicantBrowser('hi').open(loan.redirectUrl);
    page.mockRestore();
    expect(status).toBe(200);
    expect(bare).not.toContain('UPI PIN');
  });

  it.each([
    ['en', 'Read the Key Facts Statement, then tick the box'],
    ['hi', 'पहले मुख्य तथ्य विवरण पढ़ें, फिर बॉक्स पर निशान लगाएँ'],
  ] as const)('takes no payment without the box, and says so: %s', async (language, words) => {
    const loan = await bench.apply();
    const browser = new ApplicantBrowser(language);
    const { text } = await browser.open(loan.redirectUrl);
    const hidden = hiddenIn(paymentFormOf(text)!);
    const forms: Record<string, string>[] = [{}, { hasRead: '' }];
    for (const form of forms) {
      const pressed = await browser.send(loan.redirectUrl, { ...hidden, ...form });
      expect(pressed.status).toBe(200);
      expect(pressed.text.split(words)).toHaveLength(3);
    }
    expect(await bench.trail(loan.applicationId)).toEqual(UNTOUCHED);
    expect(await ordersOf(loan)).toEqual([]);
    expect((await browser.press(loan.redirectUrl)).text).toContain('/sandbox/payment/');
  });

  it('asks for the box once: whoever has ticked it is not asked again', async () => {
    const loan = await bench.apply();
    const browser = await bench.atGateway(loan, 'fail');
    await bench.reaches(loan.applicationId, 'PAYMENT_FAILED');
    const { text } = await browser.open(loan.redirectUrl);
    expect(text).not.toContain('name="hasRead"');
    expect(text).toContain('You have agreed to this loan.');
    expect((await browser.press(loan.redirectUrl)).text).toContain('/sandbox/payment/');
  });

  it('speaks Hindi', async () => {
    const loan = await bench.apply();
    const { text } = await new ApplicantBrowser('hi').open(loan.redirectUrl);
    expect(text).toContain('<html lang="hi">');
    expect(text).toContain('पैसा मिलने के 5 दिन के भीतर');
    expect(text).toContain('₹25,000');
  });

  it('leads to the Key Facts Statement, page and PDF, as it was frozen', async () => {
    const loan = await bench.apply({ loanAmount: 30_000 });
    const browser = new ApplicantBrowser();
    const { text } = await browser.open(loan.redirectUrl);
    const [, path = ''] = /href="(\/kfs\/[^"]+)"/.exec(text) ?? [];
    const { key_facts_hash: hash } = await bench.row(loan.applicationId);
    const statement = await browser.open(`${bench.service.baseUrl}${path}`);
    expect(statement.status).toBe(200);
    expect(statement.text).toContain('₹30,000');
    expect(statement.text).toContain(loan.applicationId);
    expect(statement.text).toContain(hash);
    // The charges are paid up front: nothing may be said to be taken off the loan.
    expect(statement.text).toContain('all of it arrives in your account');
    expect(statement.text).not.toContain('taken off first');
    const pdf = await browser.open(`${bench.service.baseUrl}${path}.pdf`);
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    // The statement's link opens nothing but the statement.
    const token = path.slice('/kfs/'.length);
    expect((await browser.open(`${bench.service.baseUrl}/pay/${token}`)).status).toBe(404);
  });

  it('changes nothing by being looked at: a preview of the link is not an agreement', async () => {
    const loan = await bench.apply();
    for (let look = 0; look < 3; look += 1) await new ApplicantBrowser().open(loan.redirectUrl);
    await fetch(loan.redirectUrl, { method: 'HEAD' });
    expect(await bench.trail(loan.applicationId)).toEqual(UNTOUCHED);
  });

  it('takes no form from another site', async () => {
    const loan = await bench.apply();
    const { status } = await new ApplicantBrowser().send(loan.redirectUrl, {});
    expect(status).toBe(403);
    expect(await bench.trail(loan.applicationId)).toEqual(UNTOUCHED);
  });

  it('says so kindly when the gateway cannot be reached, and nothing has changed', async () => {
    const loan = await bench.apply();
    const desk = bench.service.get<PaymentOrders>(PaymentOrders);
    const away = vi.spyOn(desk, 'open').mockRejectedValueOnce(new PaymentsUnavailable('away'));
    const browser = new ApplicantBrowser();
    const refused = await browser.press(loan.redirectUrl);
    away.mockRestore();
    expect(refused.status).toBe(503);
    expect(refused.text).toContain('The payment page cannot be reached.');
    expect(await openGateway(browser, loan.redirectUrl)).toContain('/sandbox/payment/');
  });

  it('keeps the first agreement to the statement, with its language, however often the button is pressed', async () => {
    const loan = await bench.apply();
    await openGateway(new ApplicantBrowser('hi'), loan.redirectUrl);
    await openGateway(new ApplicantBrowser('en'), loan.redirectUrl);
    const agreed = await bench.records.query<{ hash: string }>(
      `SELECT a.detail, l.key_facts_hash AS hash FROM instant_loan_audit AS a
       JOIN instant_loans AS l ON l.id = a.application_id
       WHERE l.id = $1 AND a.trigger = 'KEY_FACTS_AGREED'`,
      [loan.applicationId],
    );
    const [{ hash }] = agreed;
    expect(agreed).toEqual([{ detail: { keyFactsHash: hash, language: 'hi' }, hash }]);
    expect(await bench.trail(loan.applicationId)).toEqual([
      ...UNTOUCHED,
      'KEY_FACTS_AGREED PAYMENT_PENDING',
      'ORDERED PAYMENT_PENDING',
    ]);
    expect(await ordersOf(loan)).toHaveLength(1);
  });
});

async function lenderNames(): Promise<string[]> {
  const rows = await bench.records.query<{ name: string }>('SELECT name FROM lenders');
  return rows.map(({ name }) => name);
}

async function lenderNamed(code: string): Promise<string> {
  const [{ name }] = await bench.records.query<{ name: string }>(
    'SELECT name FROM lenders WHERE code = $1',
    [code],
  );
  return name;
}

/** As it stands in a page. */
const wayBack = ({ applicationId }: CreatedInstantLoan, status: string) =>
  `/sandbox/partner?applicationId&#x3D;${applicationId}&amp;status&#x3D;${status}`;

describe('the page of an application that is over', () => {
  it('says after a sanction who pays, what comes next, and the way back to the partner', async () => {
    const loan = await bench.apply({ loanAmount: 25_000 });
    const browser = await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.applicationId, 'SANCTIONED');
    const { text } = await browser.open(done(loan));
    const { lender_code: code, fee } = await bench.row(loan.applicationId);
    const lender = await lenderNamed(code);
    for (const words of [
      'Your ₹25,000 loan is approved',
      `By ${lender}, `,
      ' sends <strong>₹25,000</strong>',
      'It tells you the day and the account.',
      'A month after the money. Pay only the lender.',
      'Until 5 days after payout',
      `about ${costADay(text, 25_000_00)} a day (by the APR), no penalty`,
      `ask for ${formatRupees(fee)}: it must return it`,
      'href="tel:1930">1930</a>',
      wayBack(loan, 'SANCTIONED'),
    ]) {
      expect(text).toContain(words);
    }
    // No fact stands twice.
    for (const label of ['You get', 'You repay, with the fee']) {
      expect(text.split(label)).toHaveLength(2);
    }
    const partner = await browser.open(
      `${bench.service.baseUrl}/sandbox/partner?applicationId=${loan.applicationId}&status=SANCTIONED`,
    );
    expect(partner.text).toContain(loan.applicationId);
    expect(partner.text).toContain('SANCTIONED');
  });

  it('says above all else that a declined fee was sent back, and when', async () => {
    const loan = await bench.apply({ pan: 'SANDX0013A' });
    const browser = await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.applicationId, 'REJECTED');
    const { fee } = await bench.row(loan.applicationId);
    await eventually(async () => {
      const { text } = await browser.open(done(loan));
      expect(text).toContain(`<h1>Not approved. Your ${formatRupees(fee)} is coming back.</h1>`);
      expect(text).toContain('declined this loan. You owe nothing.');
      expect(text).toContain(`${formatRupees(fee)} sent back, the way you paid`);
      expect(text).toContain('Within 7 working days.');
      expect(text).toContain(wayBack(loan, 'REJECTED'));
    }, PATIENT);
  });

  it('says that a lender whose terms keep the fee keeps it, before the payment and after the no', async () => {
    const loan = await bench.apply({ pan: 'SANDX0013A' });
    await bench.records.query(`UPDATE instant_loans SET fee_on_decline = 'KEPT' WHERE id = $1`, [
      loan.applicationId,
    ]);
    const before = await new ApplicantBrowser().open(loan.redirectUrl);
    expect(before.text).toContain('<strong>Declined? The lender keeps the ₹176.</strong>');
    expect(before.text).toContain('If I’m declined, the lender keeps it.');
    const browser = await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.applicationId, 'REJECTED');
    const { text } = await browser.open(done(loan));
    expect(text).toContain(`<h1>${NOT_APPROVED}</h1>`);
    expect(text).toContain('The lender keeps the ₹176');
    expect(text).not.toMatch(GOES_BACK);
  });

  it('says that nothing was paid where no lender makes an offer, and leads back', async () => {
    const loan = await bench.create({ pan: 'SANDX0001A' });
    await bench.reaches(loan.applicationId, 'REJECTED');
    const { text } = await new ApplicantBrowser().open(done(loan));
    expect(text).toContain('You owe nothing.');
    expect(text).toContain(wayBack(loan, 'REJECTED'));
  });
});

describe('the page after it', () => {
  it('waits for the gateway, without JavaScript, and leads back to the payment', async () => {
    const loan = await bench.apply();
    const browser = await bench.atGateway(loan, 'leave');
    const { text } = await browser.open(done(loan));
    expect(text).toContain('Checking your payment');
    expect(text).toContain('http-equiv="refresh"');
    expect(text).toContain(`href="${new URL(loan.redirectUrl).pathname}"`);
  });

  it.each([
    ['leave', 'Checking your payment', 'REFUND', ' back the way you paid'],
    ['fail', 'The payment did not go through', 'KEPT', 'The lender keeps the '],
  ] as const)(
    'says again what is paid to whom, and what becomes of it (%s)',
    async (press, heading, feeOnDecline, fate) => {
      const loan = await bench.apply({ loanAmount: 25_000 });
      await bench.records.query('UPDATE instant_loans SET fee_on_decline = $2 WHERE id = $1', [
        loan.applicationId,
        feeOnDecline,
      ]);
      const browser = await bench.atGateway(loan, press);
      const { fee, lender_code: code } = await bench.row(loan.applicationId);
      const lender = await lenderNamed(code);
      await eventually(async () => {
        const { text } = await browser.open(done(loan));
        for (const words of [heading, formatRupees(fee), lender, fate]) {
          expect(text).toContain(words);
        }
        expect(text.includes(`>Pay ${formatRupees(fee)}</button>`)).toBe(press === 'fail');
        expect(text.includes('Look here again')).toBe(press === 'fail');
        for (const words of [
          'Free: do nothing; it ends by ',
          'You cannot cancel',
          `Tell the lender and ask for ${formatRupees(fee)}`,
          'Until 5 days after payout',
        ]) {
          expect(text).toContain(words);
        }
      }, PATIENT);
    },
  );

  it('asks the gateway at once when the applicant comes back and no callback has come', async () => {
    const loan = await bench.apply();
    const browser = new ApplicantBrowser();
    const gatewayUrl = await openGateway(browser, loan.redirectUrl);
    const callbacks = bench.service.get<PaymentCallbacks>(PaymentCallbacks);
    const lost = vi.spyOn(callbacks, 'take').mockRejectedValue(new Error('lost on the way'));
    await atSandboxGateway(browser, gatewayUrl, 'pay');
    await eventually(async () => {
      const { text } = await browser.open(done(loan));
      expect(text).toContain(' loan is approved');
    }, PATIENT);
    lost.mockRestore();
  });

  it('waits for a second try, too, as long as nothing is known of it', async () => {
    const loan = await bench.apply();
    const browser = await bench.atGateway(loan, 'fail');
    await bench.reaches(loan.applicationId, 'PAYMENT_FAILED');
    expect((await browser.open(done(loan))).text).toContain('The payment did not go through');
    const gatewayUrl = await openGateway(browser, done(loan));
    expect((await browser.open(done(loan))).text).toContain('Checking your payment');
    await atSandboxGateway(browser, gatewayUrl, 'fail');
    await eventually(async () => {
      expect((await browser.open(done(loan))).text).toContain('The payment did not go through');
    }, PATIENT);
    expect(await bench.status(loan.applicationId)).toBe('PAYMENT_FAILED');
  });

  it('says that the lender decides, and what was decided', async () => {
    const loan = await bench.applySlowly();
    const browser = await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.applicationId, 'PAYMENT_RECEIVED');
    const waiting = await browser.open(done(loan));
    for (const words of [
      'Kaverisetu Finserv Private Limited is deciding',
      'You get',
      'You repay, with the fee',
      'No time is fixed.',
      'You cannot cancel',
      'Until 5 days after payout',
    ]) {
      expect(waiting.text).toContain(words);
    }
    // That it is waited for is the one sign: no mark of something that is done.
    expect(waiting.text.split('aria-current="step"')).toHaveLength(2);
    expect(waiting.text).not.toContain('hero-good');
    expect(waiting.text).toContain('http-equiv="refresh"');
    await bench.service.travel(11_000);
    await bench.reaches(loan.applicationId, 'SANCTIONED');
    const { text } = await browser.open(done(loan));
    expect(text).toContain(' loan is approved');
    // The lender's own number, not that of its grievance officer.
    expect(text).toMatch(/<p>[^<]+: <a [^>]+>1800 000 2270<\/a>/);
    expect(text).not.toContain('http-equiv="refresh"');
  });

  it('says so when the lender declines, and whom to ask', async () => {
    const loan = await bench.apply({ pan: 'SANDX0013A' });
    const before = await new ApplicantBrowser().open(loan.redirectUrl);
    expect(before.text).toContain('We send all ₹176 back');
    expect(before.text).toContain('soft enquiry, no effect on your score');
    const browser = await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.applicationId, 'REJECTED');
    const { text } = await browser.open(done(loan));
    expect(text).toContain(NOT_APPROVED);
    expect(text).toContain('Kaverisetu Finserv Private Limited declined this loan.');
    expect(text).toMatch(GOES_BACK);
    expect(text).not.toContain('POLICY');
    expect(text).toContain('Complain to the RBI Ombudsman');
    expect(text).toContain('href="https://cms.rbi.org.in"');
  });

  it('is where the link leads once there is nothing to pay, also for an earlier form', async () => {
    const loan = await bench.apply();
    const late = new ApplicantBrowser();
    const { text } = await late.open(loan.redirectUrl);
    const token = /name="csrf" value="([^"]+)"/.exec(text)![1];
    await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.applicationId, 'SANCTIONED');
    const path = new URL(done(loan)).pathname;
    const again = await late.open(loan.redirectUrl);
    expect([again.status, again.location]).toEqual([303, path]);
    const pressed = await late.send(loan.redirectUrl, { csrf: token });
    expect([pressed.status, pressed.location]).toEqual([303, path]);
    expect(await ordersOf(loan)).toEqual(['PAID']);
  });

  it('says that the time is over as soon as it is', async () => {
    const loan = await bench.apply();
    await bench.service.travel(73 * HOUR);
    const { text } = await new ApplicantBrowser().open(done(loan));
    expect(text).toContain('The time to pay is over');
  });
});

describe('when the time to pay is over, and no task has called the application off', () => {
  it('the button of a page that was opened before leads to no payment', async () => {
    const resume = pauseTask(
      bench.service,
      InstantLoanDeadlinesTasks,
      'instant-loan-deadlines',
      'run',
    );
    const loan = await bench.apply();
    const browser = new ApplicantBrowser();
    const { text } = await browser.open(loan.redirectUrl);
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)![1];
    await bench.service.travel(72 * HOUR + 1_000);
    const pressed = await browser.send(loan.redirectUrl, { csrf });
    expect([pressed.status, pressed.location]).toEqual([303, new URL(done(loan)).pathname]);
    expect(await bench.trail(loan.applicationId)).toEqual(UNTOUCHED);
    resume();
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
    const [mine, other] = [await bench.apply(), await bench.apply()];
    const proof = other.redirectUrl.slice(other.redirectUrl.lastIndexOf('.'));
    const forged = mine.redirectUrl.slice(0, mine.redirectUrl.lastIndexOf('.')) + proof;
    expect((await new ApplicantBrowser().open(forged)).status).toBe(404);
  });
});

describe('what the pages and links say of the applicant', () => {
  it('is nothing', async () => {
    const mobile = newMobile();
    const pan = 'ZXCVB1234N';
    const customer = { fullName: 'Kamala Unmistakable' };
    const loan = await bench.apply({ mobile, pan, customer });
    const browser = new ApplicantBrowser();
    const pages = [await browser.open(loan.redirectUrl), await browser.open(done(loan))];
    for (const { text } of [...pages, { text: loan.redirectUrl }]) {
      for (const known of [mobile, pan, 'Unmistakable']) expect(text).not.toContain(known);
    }
  });
});
