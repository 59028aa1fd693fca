import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatDateTime } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { newMobile } from '../../support/hosted-client.js';
import type { CreatedInstantLoan } from '../../support/instant-loans.js';
import { InstantLoanBench, MINUTE, PATIENT } from './instant-loan-bench.js';
import { comparisonAt, pageAt } from './offer-stage.js';

let bench: InstantLoanBench;

beforeAll(async () => {
  bench = await InstantLoanBench.open();
});

afterAll(() => bench?.close());

const done = ({ redirectUrl }: CreatedInstantLoan) => `${redirectUrl}/done`;

/** All offers of an application as those of lenders that ask for the credit report in this way. */
async function asking(
  { applicationId }: CreatedInstantLoan,
  forOffer: string,
  afterChoice: string,
): Promise<void> {
  const creditReport = { bureaus: ['CIBIL'], forOffer, afterChoice };
  await bench.records.query(
    `UPDATE instant_offers SET terms = terms || jsonb_build_object('creditReport', $2::jsonb)
     WHERE application_id = $1 AND terms IS NOT NULL`,
    [applicationId, JSON.stringify(creditReport)],
  );
}

describe('after a payment that failed', () => {
  const UNLESS_TAKEN = [
    'left your account? If not, try again',
    'Money left your account?',
    'Don’t pay again: it counts, or it comes back',
    'your bank returns it: UPI and cards within 5 days',
    'ask your bank or call <a class="nowrap" href="tel:',
  ];

  it('both pages tell money that has left the account from none, and name the payment', async () => {
    const loan = await bench.apply();
    await bench.atGateway(loan, 'fail');
    await bench.reaches(loan.applicationId, 'PAYMENT_FAILED');
    const { payment_order_id: orderId } = await bench.row(loan.applicationId);
    for (const url of [done(loan), loan.redirectUrl]) {
      const page = await pageAt(url);
      for (const words of [...UNLESS_TAKEN, orderId]) expect(page).toContain(words);
    }
    const compared = await comparisonAt(loan.redirectUrl);
    expect(compared).toContain(
      'Money left your account? Don’t pay again: it counts, or it comes back',
    );
    const hindi = await pageAt(done(loan), 'hi');
    for (const words of ['5 दिन में', 'दोबारा न दें', orderId]) expect(hindi).toContain(words);
  });
});

describe('a hard enquiry', () => {
  const STAYS = 'Enquiries stay on your credit report.';

  it.each([
    [
      'HARD',
      'SOFT',
      true,
      'Soft enquiry, score unaffected',
      '</strong> soft enquiry, no effect on your score.',
    ],
    ['SOFT', 'HARD', true, 'Hard enquiry once you pay', 'Paying triggers a hard enquiry'],
    [
      'SOFT',
      'SOFT',
      false,
      'Soft enquiry, score unaffected',
      '</strong> soft enquiry, no effect on your score.',
    ],
    ['NONE', 'NONE', false, 'No further enquiry', 'Agree and pay'],
  ] as const)(
    'for the offer %s, after the payment %s: is named on the cards, before the payment and after it',
    async (forOffer, afterChoice, stays, onCard, toPay) => {
      const loan = await bench.apply({ pan: 'SANDX0013A' });
      await asking(loan, forOffer, afterChoice);
      const compared = await comparisonAt(loan.redirectUrl);
      expect(compared).toContain(onCard);
      expect(compared.includes('hard enquiry made for this offer')).toBe(forOffer === 'HARD');
      expect(compared.includes('A hard enquiry stays on your credit report')).toBe(stays);
      const before = await pageAt(loan.redirectUrl);
      expect(before).toContain(toPay);
      expect(before.includes(STAYS)).toBe(stays);
      await bench.atGateway(loan, 'pay');
      await bench.reaches(loan.applicationId, 'REJECTED');
      const page = await pageAt(done(loan));
      expect(page.includes(STAYS)).toBe(stays);
    },
  );
});

describe('while and after the lender decides', () => {
  it('the page says until when it may be silent before a person is told, and that one was', async () => {
    const loan = await bench.applySlowly();
    await asking(loan, 'SOFT', 'HARD');
    await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.applicationId, 'PAYMENT_RECEIVED');
    const row = await bench.row(loan.applicationId);
    const due = formatDateTime('en', row.decision_due_at as Date);
    const waiting = await pageAt(done(loan));
    for (const words of [
      `No time is fixed. If nothing has come by ${due}, our team asks.`,
      'Enquiries stay on your credit report.',
      String(row.gateway_payment_id),
    ]) {
      expect(waiting).toContain(words);
    }
    await bench.records.query(
      `UPDATE lender_questions SET next_attempt_at = app_now() + interval '1 day'
       WHERE subject_id = $1 AND kind = 'DECISION'`,
      [loan.applicationId],
    );
    await bench.service.travel(31 * MINUTE);
    await eventually(
      async () => expect(await bench.flags(loan.applicationId)).toEqual(['LENDER_SILENT']),
      PATIENT,
    );
    expect(await pageAt(done(loan))).toContain('our team keeps asking');
  });

  it('an approval says who may still say no, and names the payment', async () => {
    const loan = await bench.apply();
    const before = await pageAt(loan.redirectUrl);
    for (const said of [
      'Pay by ',
      'No fixed time; after 30 minutes we ask.',
      'Approved?</strong> The loan is agreed.',
      'Tell the lender and ask for ₹176: it must return it',
      'Complain to the RBI Ombudsman',
      'href="tel:1930">1930</a>',
    ])
      expect(before).toContain(said);
    await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.applicationId, 'SANCTIONED');
    const { gateway_payment_id: payment } = await bench.row(loan.applicationId);
    const page = await pageAt(done(loan));
    for (const said of ['ask for ₹176: it must return it', String(payment)])
      expect(page).toContain(said);
    expect(await pageAt(done(loan), 'hi')).toContain('पैसा आने के 5 दिन बाद तक');
  });
});

describe('a fee that goes back', () => {
  it('has the numbers of its payment and of its refund on the page, and nobody’s name', async () => {
    const mobile = newMobile();
    const loan = await bench.apply({ mobile, pan: 'SANDX0013A' });
    await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.applicationId, 'REJECTED');
    await eventually(async () => {
      const [refund] = await bench.records.query<{ payment: string; id: string | null }>(
        `SELECT gateway_payment_id AS payment, gateway_refund_id AS id FROM payment_refunds
         WHERE subject_id = $1 AND status = 'DONE'`,
        [loan.applicationId],
      );
      const page = await pageAt(done(loan));
      expect(refund.id).not.toBeNull();
      for (const number of [refund.payment, refund.id!]) expect(page).toContain(number);
      for (const known of [mobile, 'SANDX0013A', 'Asha']) expect(page).not.toContain(known);
    }, PATIENT);
  });
});
