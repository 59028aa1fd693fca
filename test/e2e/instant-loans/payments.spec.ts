import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { InstantLoanLinks } from '../../../src/instant-loans/access/instant-loan-links.js';
import { DecisionRequest } from '../../../src/journeys/progress/state-entry.js';
import { type LenderAnswer, LenderGateway, LenderInbox } from '../../../src/lenders/index.js';
import { PendingAnswers } from '../../../src/lenders/pending-answers.tasks.js';
import { PaymentInbox, type PaymentNoticeKind } from '../../../src/payments/index.js';
import { SandboxPaymentGateway } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { ApplicantBrowser, GOES_BACK, openGateway } from '../../support/instant-loans.js';
import { HOUR, InstantLoanBench, JOURNEY, PATIENT, MINUTE } from './instant-loan-bench.js';
import { FeeSettlement, SettlementTasks } from '../../../src/instant-loans/fee/fee-settlement.js';
import { HeldLock } from '../../support/held-lock.js';

const ONE_OFFER = 'SANDX0003A';

let bench: InstantLoanBench;
let notices = 0;

beforeAll(async () => {
  bench = await InstantLoanBench.open();
  // The gateway does not know the payments that these tests report.
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

/** Records a notice of a payment gateway as the payments module does. */
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

/** The page that the applicant sees after the gateway. */
async function pageOf(id: string): Promise<string> {
  const link = bench.service.get<InstantLoanLinks>(InstantLoanLinks).returnLink(id);
  return (await new ApplicantBrowser().open(link)).text;
}

/** Waits until every notice about an application is processed. */
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

/** With one offer only; with several the applicant would choose again after a page is closed. */
async function newLoan(): Promise<string> {
  return (await bench.order({ pan: ONE_OFFER })).applicationId;
}

async function standing(id: string): Promise<[string, string[]]> {
  return [await bench.status(id), await bench.flags(id)];
}

/** A failed order, and the order that replaced it. */
async function retried(id: string): Promise<{ first: string; second: string }> {
  const { payment_order_id: first } = await bench.row(id);
  await bench.records.query(`UPDATE payment_orders SET status = 'FAILED' WHERE id = $1`, [first]);
  await tell(id, 'FAILED', { gatewayPaymentId: 'try-1' });
  await tell(id, 'FAILED', { gatewayPaymentId: 'try-2' });
  expect(await standing(id)).toEqual(['PAYMENT_FAILED', []]);
  const steps = await bench.trail(id);
  expect(steps.filter((step) => step.startsWith('FEE_TRY_FAILED'))).toHaveLength(1);
  const link = bench.service.get<InstantLoanLinks>(InstantLoanLinks).returnLink(id);
  await openGateway(new ApplicantBrowser(), link);
  const { payment_order_id: second } = await bench.row(id);
  expect(second).not.toBe(first);
  return { first, second };
}

describe('a payment', () => {
  it('that the gateway tells of twice counts once; the second of one application goes back, and changes nothing', async () => {
    const loan = await bench.apply({ pan: ONE_OFFER });
    const id = loan.applicationId;
    await bench.atGateway(loan, 'pay', { twice: true });
    await bench.reaches(id, 'SANCTIONED');
    const paid = await bench.row(id);
    // A repeat changes nothing, nor does another notice of its order.
    for (const kind of ['PAID', 'FAILED', 'CANCELLED'] as const) await tell(id, kind);
    expect(await standing(id)).toEqual(['SANCTIONED', []]);
    expect(await bench.row(id)).toEqual(paid);
    expect(await bench.refunds(id)).toEqual(['PAID_TWICE']);
    const trail = await bench.trail(id);
    expect(trail.filter((step) => /^FEE_(TAKEN|PAID|RETURNED|TRY)/.test(step))).toEqual([
      'FEE_TAKEN FEE_PENDING',
      'FEE_PAID DECISION_PENDING',
      'FEE_RETURNED SANCTIONED',
    ]);
    const page = await pageOf(id);
    for (const words of [' loan is approved', 'Money coming back to you'])
      expect(page).toContain(words);
    expect(page).toMatch(GOES_BACK);
    // The lender sends no message about the payout.
    const references = await bench.records.query(
      'SELECT DISTINCT is_payout_told FROM lender_references WHERE application_id = $1',
      [id],
    );
    expect(references).toEqual([{ is_payout_told: false }]);
  });

  it('puts the question to the lender in its own transaction', async () => {
    const id = await newLoan();
    const spy = vi.spyOn(bench.service.get<DecisionRequest>(DecisionRequest), 'ask');
    spy.mockRejectedValueOnce(new Error('the disk is full'));
    await tell(id, 'PAID');
    expect(spy).toHaveBeenCalledTimes(2);
    spy.mockRestore();
    // The first try left nothing; the second did everything.
    await bench.reaches(id, 'SANCTIONED');
    expect((await bench.trail(id)).slice(-4)).toEqual([
      'FEE_ORDERED FEE_PENDING',
      'FEE_TAKEN FEE_PENDING',
      'FEE_PAID DECISION_PENDING',
      'LOAN_SANCTIONED SANCTIONED',
    ]);
  });

  it('of an earlier order counts, and the one in its place is cancelled once', async () => {
    const id = await newLoan();
    const { first, second } = await retried(id);
    await tell(id, 'PAID', { orderId: first });
    await bench.reaches(id, 'SANCTIONED');
    expect((await bench.row(id)).payment_order_id).toBe(first);
    const cancelled = `SELECT status FROM payment_orders AS o
      JOIN payment_audit AS a ON a.order_id = o.id AND trigger = 'CALLED_OFF' WHERE o.id = $1`;
    await eventually(
      async () =>
        expect(await bench.records.query(cancelled, [second])).toEqual([{ status: 'CANCELLED' }]),
      PATIENT,
    );
    expect(await bench.flags(id)).toEqual([]);
  });
});

describe('a page that is closed', () => {
  it('ends nothing as long as another may bring money; then it does, and a payment after the expiry is recorded and goes back', async () => {
    const id = await newLoan();
    const { first, second } = await retried(id);
    const setEnded = `UPDATE payment_orders SET status = 'CANCELLED' WHERE id = $1`;
    await bench.records.query(setEnded, [first]);
    await tell(id, 'CANCELLED', { orderId: first });
    expect(await standing(id)).toEqual(['PAYMENT_FAILED', []]);
    await tell(id, 'EXPIRED', { orderId: second });
    for (const kind of ['FAILED', 'PAID'] as const) await tell(id, kind, { orderId: first });
    expect(await standing(id)).toEqual(['EXPIRED', []]);
    expect(await bench.refunds(id)).toEqual(['PAID_TOO_LATE']);
    for (const step of ['FEE_UNPAID ABANDONED', 'FEE_RETURNED ABANDONED'])
      expect(await bench.trail(id)).toContain(step);
    const page = await pageOf(id);
    expect(page).toMatch(GOES_BACK);
    expect(page).not.toContain('It comes back; we tell you by SMS.');
  });

  it.each(['its own', 'an earlier'] as const)(
    'gives way to a payment on %s page that waits in the inbox with it',
    async (page) => {
      const id = await newLoan();
      const { fee } = await bench.row(id);
      const { first, second } = await retried(id);
      const orderId = page === 'its own' ? second : first;
      const inbox = bench.service.get<PaymentInbox>(PaymentInbox);
      const { journey_id: subjectId } = await bench.row(id);
      const about = { partnerId: bench.service.partnerId, subjectId, at: bench.service.now() };
      await bench.recordPayment(id, orderId, `money-of-${id}`);
      const paid = {
        kind: 'PAID',
        orderId,
        gatewayPaymentId: `money-of-${id}`,
        amount: fee,
      } as const;
      const none = { gatewayPaymentId: null, amount: null };
      // In one transaction, so that the end is processed first.
      await bench.transaction(async (tx) => {
        await inbox.receive(tx, { ...about, ...none, kind: 'EXPIRED', orderId: second });
        await inbox.receive(tx, { ...about, ...paid });
      });
      await bench.reaches(id, 'SANCTIONED');
      expect(await bench.flags(id)).toEqual([]);
    },
  );
});

describe('72 hours without a payment', () => {
  it('end the application: nothing can be paid any more', async () => {
    const [loan, unseen] = [await bench.order(), await bench.offered()];
    await bench.service.travel(72 * HOUR - 60_000);
    expect(await bench.status(loan.applicationId)).toBe('PAYMENT_PENDING');
    await bench.service.travel(61_000);
    for (const { applicationId: id } of [loan, unseen]) {
      await bench.reaches(id, 'EXPIRED');
      expect((await bench.trail(id)).at(-1)).toBe('FEE_UNPAID ABANDONED');
    }
    const { location } = await new ApplicantBrowser().open(loan.redirectUrl);
    expect(location).toBe(new URL(`${loan.redirectUrl}/done`).pathname);
    expect(await pageOf(loan.applicationId)).toContain('The time to pay is over');
  });

  it('do not, when it was paid in the last moment and the callback is late', async () => {
    const loan = await bench.order();
    await bench.service.travel(72 * HOUR - 60_000);
    // The callback comes ten seconds later by the service's clock.
    await bench.atGateway(loan, 'pay', { late: true });
    await bench.service.travel(61_000);
    await bench.reaches(loan.applicationId, 'SANCTIONED');
    expect(await bench.flags(loan.applicationId)).toEqual([]);
  });

  it('do not end it as long as the gateway does not report the payment’s status', async () => {
    const { applicationId: id } = await bench.order();
    const gateway = bench.service.get<SandboxPaymentGateway>(SandboxPaymentGateway);
    const away = vi.spyOn(gateway, 'fetchOrder').mockRejectedValue(new Error('away'));
    await bench.service.travel(73 * HOUR);
    await eventually(() => expect(away).toHaveBeenCalled(), PATIENT);
    expect(await bench.status(id)).toBe('PAYMENT_PENDING');
    // The return page mentions no end: the payment may have arrived in the last moment.
    const text = await pageOf(id);
    for (const words of ['Checking your payment', 'http-equiv="refresh"'])
      expect(text).toContain(words);
    const untrue = ['Not paid? Pay', 'It comes back; we tell you', 'time to pay is over'];
    expect(untrue.filter((words) => text.includes(words))).toEqual([]);
    away.mockRestore();
    await bench.service.travel(HOUR);
    await bench.reaches(id, 'EXPIRED');
  });
});

describe('the lender’s decision', () => {
  it('before any payment, or otherwise than before, is flagged and moves nothing; said twice it is no news', async () => {
    const id = await newLoan();
    await decide(id, { kind: 'SANCTIONED', reference: 'early' }, `${id}-early`);
    expect(await standing(id)).toEqual(['PAYMENT_PENDING', ['LATE_ANSWER']]);
    await tell(id, 'PAID');
    await bench.reaches(id, 'SANCTIONED');
    await decide(id, { kind: 'SANCTIONED', reference: 'again' }, `${id}-again`);
    expect(await standing(id)).toEqual(['SANCTIONED', ['LATE_ANSWER']]);
    await decide(id, { kind: 'DECLINED', reason: 'POLICY' }, `${id}-otherwise`);
    expect(await standing(id)).toEqual(['SANCTIONED', ['LATE_ANSWER', 'LATE_ANSWER']]);
  });

  it('that does not come, or says neither, is put before the operator once, and waited for', async () => {
    const id = await newLoan();
    const gateway = bench.service.get<LenderGateway>(LenderGateway);
    const silent = vi
      .spyOn(gateway, 'ask')
      .mockResolvedValue({ status: 'PENDING', askAgainInMs: 100 * HOUR });
    await tell(id, 'PAID');
    await decide(id, { kind: 'NOTED' }, `${id}-neither`);
    expect(await standing(id)).toEqual(['PAYMENT_RECEIVED', ['UNREADABLE_ANSWER']]);
    for (const afterMs of [31 * 60_000, HOUR]) {
      await bench.service.travel(afterMs);
      await bench.service.get<PendingAnswers>(PendingAnswers).run();
      const flags = ['UNREADABLE_ANSWER', 'ANSWER_PENDING'];
      expect(await standing(id)).toEqual(['PAYMENT_RECEIVED', flags]);
    }
    await decide(id, { kind: 'SANCTIONED', reference: 'at last' }, `${id}-at-last`);
    expect(await bench.status(id)).toBe('SANCTIONED');
    silent.mockRestore();
  });
});

/** Runs due work on two replicas at once. */
async function looksLater(): Promise<void> {
  await bench.service.travel(12 * MINUTE);
  const tasks = bench.service.get<SettlementTasks>(SettlementTasks);
  await Promise.all([tasks.run(), tasks.run()]);
}

const refundsAre = (id: string, reasons: string[]) =>
  eventually(async () => expect(await bench.refunds(id)).toEqual(reasons), PATIENT);

/** Whether every payment of the application is settled. */
const isSettled = (id: string) =>
  eventually(async () => {
    const unsettled = await bench.records.query(
      `SELECT 1 FROM payments WHERE subject_id IN (${JOURNEY}) AND unsettled_at IS NOT NULL`,
      [id],
    );
    expect(unsettled).toEqual([]);
  }, PATIENT);

describe('a declined fee', () => {
  it('whose settlement fails goes back, and the page says so from then on', async () => {
    const settle = vi
      .spyOn(bench.service.get<FeeSettlement>(FeeSettlement), 'settle')
      .mockRejectedValue(new Error('the disk is full'));
    const loan = await bench.apply({ pan: 'SANDX0013A' });
    const id = loan.applicationId;
    await bench.atGateway(loan, 'pay');
    await bench.reaches(id, 'REJECTED');
    await eventually(() => expect(settle).toHaveBeenCalled(), PATIENT);
    const [page, refunds] = [await pageOf(id), await bench.refunds(id)];
    settle.mockRestore();
    expect(refunds).toEqual([]);
    expect(page).not.toContain('The lender keeps');
    await refundsAre(id, ['DECLINED']);
    expect(await pageOf(id)).toMatch(GOES_BACK);
    expect(await bench.trail(id)).toContain('FEE_RETURNED REJECTED');
    await isSettled(id);
    expect(await bench.flags(id)).toEqual(['OFFER_NOT_KEPT']);
  });

  it('keeps no loan from ending while its payment is being settled', async () => {
    const loan = await bench.order({ pan: 'SANDX0013A' });
    const id = loan.applicationId;
    const declining = await HeldLock.atWrite(
      bench.service.databaseUrl,
      'BEFORE UPDATE ON journeys',
      `NEW.state = 'REJECTED' AND NEW.application_id = '${id}'`,
    );
    await bench.atGateway(loan, 'pay');
    await declining.waiting('UPDATE journeys');
    const settling = await HeldLock.take(
      bench.service.databaseUrl,
      `SELECT 1 FROM payments WHERE subject_id IN (${JOURNEY}) FOR NO KEY UPDATE`,
      [id],
    );
    await declining.release();
    await bench.reaches(id, 'REJECTED');
    expect(await bench.refunds(id)).toEqual([]);
    await settling.release();
    await looksLater();
    await refundsAre(id, ['DECLINED']);
  });
});

describe('a payment that was only recorded', () => {
  it('goes back when another counted, when it is of another amount, and when the application had expired', async () => {
    const [paid, unpaid] = [await bench.apply(), await bench.order()];
    await bench.atGateway(paid, 'pay');
    const [id, late] = [paid.applicationId, unpaid.applicationId];
    await bench.reaches(id, 'SANCTIONED');
    await looksLater();
    await isSettled(id);
    expect(await bench.refunds(id)).toEqual([]);
    const { payment_order_id: orderId, gateway_payment_id: counted } = await bench.row(id);
    for (const name of ['second', 'other']) await bench.recordPayment(id, orderId, `${id}-${name}`);
    const uncount = 'UPDATE payments SET is_counted = false WHERE gateway_payment_id = $1';
    await bench.records.query(uncount, [`${id}-other`]);
    await bench.recordPayment(late, (await bench.row(late)).payment_order_id, `${late}-late`);
    await looksLater();
    await isSettled(id);
    expect((await bench.refunds(id)).toSorted()).toEqual(['OTHER_AMOUNT', 'PAID_TWICE']);
    const back = 'SELECT 1 FROM payment_refunds WHERE gateway_payment_id = $1';
    expect(await bench.records.query(back, [counted])).toEqual([]);
    // It waits until there is a decision.
    await looksLater();
    expect(await bench.refunds(late)).toEqual([]);
    await bench.service.travel(73 * HOUR);
    await bench.reaches(late, 'EXPIRED');
    await looksLater();
    await refundsAre(late, ['PAID_TOO_LATE']);
    await isSettled(late);
  });
});
