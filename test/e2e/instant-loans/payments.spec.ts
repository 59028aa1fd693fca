import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { InstantLoanLinks } from '../../../src/instant-loans/access/instant-loan-links.js';
import { DecisionRequest } from '../../../src/journeys/progress/state-entry.js';
import { type LenderAnswer, LenderGateway, LenderInbox } from '../../../src/lenders/index.js';
import { PendingAnswers } from '../../../src/lenders/pending-answers.tasks.js';
import { PaymentInbox, type PaymentNoticeKind } from '../../../src/payments/index.js';
import { SandboxPaymentGateway } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { ApplicantBrowser, GOES_BACK, openGateway, orderFee } from '../../support/instant-loans.js';
import { HOUR, InstantLoanBench, JOURNEY, PATIENT } from './instant-loan-bench.js';

let bench: InstantLoanBench;
let notices = 0;

beforeAll(async () => {
  bench = await InstantLoanBench.open();
  // It has not seen the payments that these tests tell of.
  const gateway = bench.service.get<SandboxPaymentGateway>(SandboxPaymentGateway);
  vi.spyOn(gateway, 'makeRefund').mockImplementation((refund) =>
    Promise.resolve({ ...refund, gatewayRefundId: `back-${refund.key}`, status: 'DONE' }),
  );
});

afterAll(() => bench?.close());

interface NoticeParts {
  orderId?: string;
  gatewayPaymentId?: string | null;
}

/** Brings in what a payment gateway has said, as the payments module does. */
async function tell(id: string, kind: PaymentNoticeKind, parts: NoticeParts = {}): Promise<void> {
  notices += 1;
  const { journey_id: subjectId, payment_order_id, fee } = await bench.row(id);
  const notice = {
    partnerId: bench.service.partnerId,
    subjectId,
    orderId: parts.orderId ?? payment_order_id,
    kind,
    gatewayPaymentId: parts.gatewayPaymentId ?? (kind === 'PAID' ? `money-${notices}` : null),
    amount: kind === 'PAID' ? fee : null,
    at: bench.service.now(),
  };
  const { orderId, gatewayPaymentId } = notice;
  if (kind === 'PAID') await bench.recordPayment(id, orderId, gatewayPaymentId!);
  const inbox = bench.service.get<PaymentInbox>(PaymentInbox);
  await bench.transaction((tx) => inbox.receive(tx, notice));
  await settled(id);
}

/** What the applicant reads after the gateway. */
async function pageOf(id: string): Promise<string> {
  const link = bench.service.get<InstantLoanLinks>(InstantLoanLinks).returnLink(id);
  return (await new ApplicantBrowser().open(link)).text;
}

/** Waits until everything that came in about an application has been processed. */
async function settled(id: string): Promise<void> {
  await eventually(async () => {
    const waiting = await bench.records.query(
      `SELECT 1 FROM payment_inbox WHERE subject_id IN (${JOURNEY}) AND consumed_at IS NULL
       UNION ALL
       SELECT 1 FROM lender_inbox WHERE subject_id IN (${JOURNEY}) AND consumed_at IS NULL`,
      [id],
    );
    return waiting.length === 0;
  }, PATIENT);
}

async function decide(id: string, answer: LenderAnswer, answerId: string): Promise<void> {
  const { lender_code: lenderCode, journey_id: subjectId, offer_id } = await bench.row(id);
  const inbox = bench.service.get<LenderInbox>(LenderInbox);
  await bench.transaction((tx) =>
    inbox.receive(tx, {
      lenderCode,
      answerId,
      partnerId: bench.service.partnerId,
      subjectId,
      kind: 'DECISION',
      reference: offer_id!,
      answer,
    }),
  );
  await settled(id);
}

/** With one offer: where there is another, the applicant chooses again when the page is closed. */
async function newLoan(): Promise<string> {
  return (await bench.order({ pan: 'SANDX0003A' })).applicationId;
}

async function sanctioned(): Promise<string> {
  const id = await newLoan();
  await tell(id, 'PAID');
  await bench.reaches(id, 'SANCTIONED');
  return id;
}

async function standing(id: string): Promise<[string, string[]]> {
  return [await bench.status(id), await bench.flags(id)];
}

describe('a payment', () => {
  it('that the gateway tells of twice counts once', async () => {
    const loan = await bench.apply();
    await bench.atGateway(loan, 'pay', { twice: true });
    await bench.reaches(loan.applicationId, 'SANCTIONED');
    const trail = await bench.trail(loan.applicationId);
    expect(trail.filter((step) => /^FEE_(TAKEN|PAID)/.test(step))).toEqual([
      'FEE_TAKEN FEE_PENDING',
      'FEE_PAID DECISION_PENDING',
    ]);
    expect(await bench.flags(loan.applicationId)).toEqual([]);
  });

  it('puts the question to the lender in its own transaction', async () => {
    const id = await newLoan();
    const spy = vi.spyOn(bench.service.get<DecisionRequest>(DecisionRequest), 'ask');
    spy.mockRejectedValueOnce(new Error('the disk is full'));
    const { journey_id: subjectId, payment_order_id: orderId, fee } = await bench.row(id);
    const inbox = bench.service.get<PaymentInbox>(PaymentInbox);
    const paid = {
      partnerId: bench.service.partnerId,
      subjectId,
      orderId,
      kind: 'PAID' as const,
    };
    const at = bench.service.now();
    const notice = { ...paid, gatewayPaymentId: 'money-of-a-full-disk', amount: fee, at };
    await bench.transaction((tx) => inbox.receive(tx, notice));
    await eventually(() => expect(spy).toHaveBeenCalledTimes(2), PATIENT);
    spy.mockRestore();
    // The first try left nothing behind, the second did it all.
    await bench.reaches(id, 'SANCTIONED');
    expect((await bench.trail(id)).slice(-4)).toEqual([
      'FEE_ORDERED FEE_PENDING',
      'FEE_TAKEN FEE_PENDING',
      'FEE_PAID DECISION_PENDING',
      'LOAN_SANCTIONED SANCTIONED',
    ]);
    expect((await bench.row(id)).gateway_payment_id).toBe('money-of-a-full-disk');
  });

  it('makes a loan whose payout its lender does not tell us of', async () => {
    const id = await sanctioned();
    const references = await bench.records.query<{ told: boolean }>(
      'SELECT DISTINCT is_payout_told AS told FROM lender_references WHERE application_id = $1',
      [id],
    );
    expect(references).toEqual([{ told: false }]);
  });

  it('the second of one application goes back, and changes nothing', async () => {
    const id = await sanctioned();
    const { gateway_payment_id: counted } = await bench.row(id);
    await tell(id, 'PAID');
    expect(await standing(id)).toEqual(['SANCTIONED', []]);
    expect(await bench.refunds(id)).toEqual(['PAID_TWICE']);
    expect(await bench.trail(id)).toContain('FEE_RETURNED SANCTIONED');
    expect((await bench.row(id)).gateway_payment_id).toBe(counted);
    const page = await pageOf(id);
    for (const words of [' loan is approved', 'Money coming back to you']) {
      expect(page).toContain(words);
    }
    expect(page).toMatch(GOES_BACK);
  });

  it('after the expiry is recorded and goes back, and the status stays', async () => {
    const id = await newLoan();
    await tell(id, 'EXPIRED');
    await tell(id, 'PAID');
    expect(await standing(id)).toEqual(['EXPIRED', []]);
    expect(await bench.refunds(id)).toEqual(['PAID_TOO_LATE']);
    expect(await bench.trail(id)).toContain('FEE_RETURNED ABANDONED');
    const page = await pageOf(id);
    expect(page).toMatch(GOES_BACK);
    expect(page).not.toContain('It comes back; we tell you by SMS.');
    const [row] = await bench.records.query<{ detail: object }>(
      `SELECT detail FROM journey_audit WHERE journey_id IN (${JOURNEY}) AND trigger = 'FEE_RETURNED'`,
      [id],
    );
    const { fee: amount, payment_order_id: orderId } = await bench.row(id);
    const refundId: unknown = expect.stringMatching(/^rfd_/);
    expect(row.detail).toMatchObject({ orderId, amount, reason: 'PAID_TOO_LATE', refundId });
  });

  it('of an earlier order counts, and the one in its place is cancelled', async () => {
    const loan = await bench.order();
    const id = loan.applicationId;
    const { payment_order_id: first } = await bench.row(id);
    await bench.atGateway(loan, 'fail');
    await bench.reaches(id, 'PAYMENT_FAILED');
    await openGateway(new ApplicantBrowser(), `${loan.redirectUrl}/done`);
    const { payment_order_id: second } = await bench.row(id);
    expect(second).not.toBe(first);
    await tell(id, 'PAID', { orderId: first });
    await bench.reaches(id, 'SANCTIONED');
    expect((await bench.row(id)).payment_order_id).toBe(first);
    await eventually(async () => {
      const [order] = await bench.records.query<{ status: string }>(
        'SELECT status FROM payment_orders WHERE id = $1',
        [second],
      );
      expect(order.status).toBe('CANCELLED');
    }, PATIENT);
    expect(await bench.flags(id)).toEqual([]);
  });
});

describe('a try that failed', () => {
  it('leaves the application to be paid again, and reported twice it changes nothing', async () => {
    const id = await newLoan();
    await tell(id, 'FAILED', { gatewayPaymentId: 'try-1' });
    await tell(id, 'FAILED', { gatewayPaymentId: 'try-2' });
    expect(await standing(id)).toEqual(['PAYMENT_FAILED', []]);
    expect((await bench.trail(id)).slice(-2)).toEqual([
      'FEE_ORDERED FEE_PENDING',
      'FEE_TRY_FAILED FEE_PENDING',
    ]);
  });

  it('changes nothing once the application is paid, or over', async () => {
    const paid = await sanctioned();
    await tell(paid, 'FAILED');
    expect(await standing(paid)).toEqual(['SANCTIONED', []]);
    const over = await newLoan();
    await tell(over, 'EXPIRED');
    await tell(over, 'FAILED');
    expect(await standing(over)).toEqual(['EXPIRED', []]);
  });
});

describe('a page that is closed', () => {
  it('after the payment ends nothing', async () => {
    const paid = await sanctioned();
    await tell(paid, 'CANCELLED');
    expect(await standing(paid)).toEqual(['SANCTIONED', []]);
  });

  it('gives way to a payment that waits in the inbox with it', async () => {
    const id = await newLoan();
    const { journey_id: subjectId, payment_order_id: orderId, fee } = await bench.row(id);
    const inbox = bench.service.get<PaymentInbox>(PaymentInbox);
    const about = {
      partnerId: bench.service.partnerId,
      subjectId,
      orderId,
      at: bench.service.now(),
    };
    await bench.transaction(async (tx) => {
      await inbox.receive(tx, { ...about, kind: 'EXPIRED', gatewayPaymentId: null, amount: null });
      await inbox.receive(tx, { ...about, kind: 'PAID', gatewayPaymentId: 'm', amount: fee });
    });
    await bench.reaches(id, 'SANCTIONED');
    expect(await bench.flags(id)).toEqual([]);
  });
});

describe('72 hours without a payment', () => {
  it('end the application: nothing can be paid any more', async () => {
    const loan = await bench.apply();
    await openGateway(new ApplicantBrowser(), loan.redirectUrl);
    await bench.service.travel(72 * HOUR - 60_000);
    expect(await bench.status(loan.applicationId)).toBe('PAYMENT_PENDING');
    await bench.service.travel(61_000);
    await bench.reaches(loan.applicationId, 'EXPIRED');
    const browser = new ApplicantBrowser();
    const page = await browser.open(loan.redirectUrl);
    expect([page.status, page.location]).toEqual([
      303,
      new URL(`${loan.redirectUrl}/done`).pathname,
    ]);
    expect((await browser.open(`${loan.redirectUrl}/done`)).text).toContain(
      'The time to pay is over',
    );
  });

  it('end it too when nobody ever opened the link', async () => {
    const { applicationId: id } = await bench.offered();
    await bench.service.travel(73 * HOUR);
    await bench.reaches(id, 'EXPIRED');
    expect((await bench.trail(id)).slice(-2)).toEqual([
      'OFFERS_ARRIVED OFFERS_RECEIVED',
      'FEE_UNPAID ABANDONED',
    ]);
  });

  it('do not, when it was paid in the last moment and the callback is late', async () => {
    const loan = await bench.order();
    await bench.service.travel(72 * HOUR - 60_000);
    // The callback comes ten seconds later, by the service's clock.
    await bench.atGateway(loan, 'pay', { late: true });
    await bench.service.travel(61_000);
    await bench.reaches(loan.applicationId, 'SANCTIONED');
    expect(await bench.flags(loan.applicationId)).toEqual([]);
  });

  it('do not end it as long as the gateway does not say how the payment stands', async () => {
    const loan = await bench.apply();
    await openGateway(new ApplicantBrowser(), loan.redirectUrl);
    const gateway = bench.service.get<SandboxPaymentGateway>(SandboxPaymentGateway);
    const away = vi.spyOn(gateway, 'fetchOrder').mockRejectedValue(new Error('away'));
    await bench.service.travel(73 * HOUR);
    await eventually(() => expect(away).toHaveBeenCalled(), PATIENT);
    expect(await bench.status(loan.applicationId)).toBe('PAYMENT_PENDING');
    // Who comes back from the payment is told of no end: it may have been paid in the last moment.
    const { text } = await new ApplicantBrowser().open(`${loan.redirectUrl}/done`);
    expect(text).toContain('Checking your payment');
    expect(text).toContain('http-equiv="refresh"');
    const untrue = ['Not paid? Pay', 'It comes back; we tell you', 'time to pay is over'];
    expect(untrue.filter((words) => text.includes(words))).toEqual([]);
    away.mockRestore();
    await bench.service.travel(HOUR);
    await bench.reaches(loan.applicationId, 'EXPIRED');
  });
});

describe('the lender’s decision', () => {
  it('said twice is not news; said otherwise later it is flagged and moves nothing', async () => {
    const id = await sanctioned();
    await decide(id, { kind: 'SANCTIONED', reference: 'again' }, `${id}-again`);
    expect(await bench.flags(id)).toEqual([]);
    await decide(id, { kind: 'DECLINED', reason: 'POLICY' }, `${id}-otherwise`);
    expect(await standing(id)).toEqual(['SANCTIONED', ['LATE_ANSWER']]);
  });

  it('before any payment moves nothing', async () => {
    const id = await newLoan();
    await decide(id, { kind: 'SANCTIONED', reference: 'early' }, `${id}-early`);
    expect(await standing(id)).toEqual(['PAYMENT_PENDING', ['LATE_ANSWER']]);
  });

  it('that says neither is flagged, and the question stays open', async () => {
    const loan = await bench.applySlowly();
    const id = loan.applicationId;
    await orderFee(bench.records, loan);
    await tell(id, 'PAID');
    await decide(id, { kind: 'NOTED' }, `${id}-neither`);
    expect(await standing(id)).toEqual(['PAYMENT_RECEIVED', ['UNREADABLE_ANSWER']]);
    await bench.service.travel(11_000);
    await bench.reaches(id, 'SANCTIONED');
  });

  it('that does not come is put before the operator, once, and is waited for', async () => {
    const id = await newLoan();
    const gateway = bench.service.get<LenderGateway>(LenderGateway);
    const silent = vi
      .spyOn(gateway, 'ask')
      .mockResolvedValue({ status: 'PENDING', askAgainInMs: 100 * HOUR });
    await tell(id, 'PAID');
    expect(await bench.status(id)).toBe('PAYMENT_RECEIVED');
    const looks = async (afterMs: number) => {
      await bench.service.travel(afterMs);
      await bench.service.get<PendingAnswers>(PendingAnswers).run();
    };
    await looks(31 * 60_000);
    expect(await standing(id)).toEqual(['PAYMENT_RECEIVED', ['ANSWER_PENDING']]);
    await looks(HOUR);
    expect(await standing(id)).toEqual(['PAYMENT_RECEIVED', ['ANSWER_PENDING']]);
    await decide(id, { kind: 'SANCTIONED', reference: 'at last' }, `${id}-at-last`);
    expect(await bench.status(id)).toBe('SANCTIONED');
    silent.mockRestore();
  });
});
