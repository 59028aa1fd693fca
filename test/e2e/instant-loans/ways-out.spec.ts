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
    'If it has, do not pay again: read below. If it has not, you need not do anything else;',
    'If money has left your account all the same',
    'Do not pay again.',
    'your bank sends the money back by itself: for UPI and cards within 5 days',
    'ask your bank about the amount in your account statement, or ask us',
    'Only if money has left your account is there something to do: read above under “If money has left your account all the same”.',
  ];

  it('both pages tell money that has left the account from none, and name the payment', async () => {
    const loan = await bench.apply();
    await bench.atGateway(loan, 'fail');
    await bench.reaches(loan.applicationId, 'PAYMENT_FAILED');
    const { payment_order_id: orderId } = await bench.row(loan.applicationId);
    for (const url of [done(loan), loan.redirectUrl]) {
      const page = await pageAt(url);
      for (const words of [...UNLESS_TAKEN, orderId]) expect(page).toContain(words);
      expect(page).not.toContain('and you need not do anything:');
    }
    const compared = await comparisonAt(loan.redirectUrl);
    expect(compared).toContain(
      'Only if money has left your account is there something to do: the page of the payment says what.',
    );
    expect(compared).not.toContain('and you need not do anything:');
    const hindi = await pageAt(done(loan), 'hi');
    for (const words of ['5 दिन के अंदर', 'दोबारा भुगतान न करें', orderId])
      expect(hindi).toContain(words);
  });
});

describe('a hard enquiry', () => {
  const BEFORE = 'has made for its offer stays on your credit report all the same';
  const AFTER = 'stays on your credit report, also if you leave the loan or it is not approved';
  const BY_THE_FEE =
    /goes back to you by itself[^<]*<span[^>]*>The hard enquiry stays|Goes back to you<span[^>]*>The hard enquiry stays/;

  it.each([
    ['HARD', 'SOFT', true, true],
    ['SOFT', 'HARD', false, true],
    ['SOFT', 'SOFT', false, false],
    ['NONE', 'NONE', false, false],
  ] as const)(
    'for the offer %s, after the payment %s: stands beside what a no costs once it is made',
    async (forOffer, afterChoice, before, after) => {
      const loan = await bench.apply({ pan: 'SANDX0013A' });
      await asking(loan, forOffer, afterChoice);
      for (const page of [await pageAt(loan.redirectUrl), await comparisonAt(loan.redirectUrl)]) {
        expect(page.includes(BEFORE)).toBe(before);
        expect(page).not.toContain(AFTER);
        expect(BY_THE_FEE.test(page)).toBe(after);
        // What going on means for the credit report stands where offers are compared, too.
        for (const kind of ['hard', 'soft'] as const) {
          const said = `looks at your credit report with a ${kind} enquiry`;
          expect(page.includes(said)).toBe(afterChoice === kind.toUpperCase());
        }
      }
      await bench.atGateway(loan, 'pay');
      await bench.reaches(loan.applicationId, 'REJECTED');
      const page = await pageAt(done(loan));
      expect([page.includes(BEFORE), page.includes(AFTER)]).toEqual([false, after]);
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
      'No time is fixed for the decision.',
      `one of our staff is told if Kaverisetu Finserv Private Limited has not decided by ${due}`,
      'stays on your credit report, also if you leave the loan',
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
    expect(await pageAt(done(loan))).toContain('one of our staff has been told');
  });

  it('an approval says who may still say no, and names the payment', async () => {
    const loan = await bench.apply();
    const before = await pageAt(loan.redirectUrl);
    expect(before).toContain('You can begin to pay until');
    expect(before).toContain('can be finished up to 16 minutes later');
    expect(before).toContain(
      'If it has not decided about 30 minutes later, one of our staff is told',
    );
    const moment = 'You say no after the approval, before the money comes';
    const words = 'After its approval the lender cannot say no any more.';
    const fee = 'Your fee of ₹176 does not go back by itself: tell';
    for (const said of [moment, words, fee]) expect(before).toContain(said);
    expect(before).toContain('You can then complain to the RBI Ombudsman.');
    expect(before).toContain('<a href="tel:1930">1930</a>');
    await bench.atGateway(loan, 'pay');
    await bench.reaches(loan.applicationId, 'SANCTIONED');
    const { gateway_payment_id: payment } = await bench.row(loan.applicationId);
    const page = await pageAt(done(loan));
    for (const said of [moment, words, fee, 'It must give it back', String(payment)])
      expect(page).toContain(said);
    expect(await pageAt(done(loan), 'hi')).toContain('मंज़ूरी के बाद, पैसा आने से पहले आप मना करें');
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
