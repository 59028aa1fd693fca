import { beforeAll, describe, expect, it, vi } from 'vitest';
import { InstantLoanLinks } from '../../../src/instant-loans/access/instant-loan-links.js';
import { DecisionRequest } from '../../../src/journeys/progress/state-entry.js';
import { type LenderAnswer, LenderGateway, LenderInbox } from '../../../src/lenders/index.js';
import { PaymentInbox, type PaymentNoticeKind } from '../../../src/payments/index.js';
import { SandboxPaymentGateway } from '../../../src/sandbox/index.js';
import { eventually } from '../../support/eventually.js';
import { ApplicantBrowser, GOES_BACK, openGateway } from '../../support/instant-loans.js';
import { HOUR, InstantLoanBench, JOURNEY, PATIENT, MINUTE } from './instant-loan-bench.js';
import { FeeSettlement, SettlementTasks } from '../../../src/instant-loans/fee/fee-settlement.js';
import { HeldLock } from '../../support/held-lock.js';
import { ofFile } from '../../support/of-file.js';

const ONE_OFFER = 'SANDX0003A';

const bench = ofFile(() => InstantLoanBench.open());
let notices = 0;
let answers = 0;

beforeAll(() => {
  // The gateway does not know the reported payments, so their refunds are mocked.
  const gateway = bench.service.get<SandboxPaymentGateway>(SandboxPaymentGateway);
  vi.spyOn(gateway, 'makeRefund').mockImplementation((refund) =>
    Promise.resolve({ ...refund, gatewayRefundId: `back-${refund.key}`, status: 'DONE' }),
  );
});

interface NoticeParts {
  orderId?: string;
  gatewayPaymentId?: string | null;
}

/** Records a payment notice, as the payments module does. */
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

/** The page to which the gateway returns the applicant. */
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

async function decide(id: string, answer: LenderAnswer): Promise<void> {
  answers += 1;
  const { lender_code: lenderCode, journey_id: subjectId, offer_id } = await bench.row(id);
  const inbox = bench.service.get<LenderInbox>(LenderInbox);
  await bench.transaction((tx) =>
    inbox.receive(tx, {
      lenderCode,
      answerId: `${id}-${answers}`,
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

it('a second payment of one loan goes back, and later notices of its order change nothing', async () => {
  const id = await newLoan();
  await tell(id, 'PAID');
  await bench.reaches(id, 'SANCTIONED');
  const paid = await bench.row(id);
  for (const kind of ['PAID', 'FAILED', 'CANCELLED'] as const) await tell(id, kind);
  expect(await standing(id)).toEqual(['SANCTIONED', []]);
  expect(await bench.row(id)).toEqual(paid);
  expect(await bench.refunds(id)).toEqual(['PAID_TWICE']);
  expect(await bench.trail(id)).toContain('FEE_RETURNED SANCTIONED');
});

it('a payment puts the question to the lender in its own transaction', async () => {
  const id = await newLoan();
  const spy = vi.spyOn(bench.service.get<DecisionRequest>(DecisionRequest), 'ask');
  spy.mockRejectedValueOnce(new Error('the disk is full'));
  await tell(id, 'PAID');
  expect(spy).toHaveBeenCalledTimes(2);
  spy.mockRestore();
  // The first attempt was rolled back; the second one completed.
  await bench.reaches(id, 'SANCTIONED');
  expect((await bench.trail(id)).slice(-4)).toEqual([
    'FEE_ORDERED FEE_PENDING',
    'FEE_TAKEN FEE_PENDING',
    'FEE_PAID DECISION_PENDING',
    'LOAN_SANCTIONED SANCTIONED',
  ]);
});

it.each(['its own', 'an earlier'] as const)(
  'a page that is closed gives way to a payment on %s page that waits in the inbox with it; what replaced that page is cancelled',
  async (page) => {
    const id = await newLoan();
    const { journey_id: subjectId, fee: amount } = await bench.row(id);
    const { first, second } = await retried(id);
    const orderId = page === 'its own' ? second : first;
    const inbox = bench.service.get<PaymentInbox>(PaymentInbox);
    const about = { partnerId: bench.service.partnerId, subjectId, at: bench.service.now() };
    const gatewayPaymentId = `money-of-${id}`;
    await bench.recordPayment(id, orderId, gatewayPaymentId);
    const none = { gatewayPaymentId: null, amount: null };
    // In one transaction, so that the end is sure to be processed first.
    await bench.transaction(async (tx) => {
      await inbox.receive(tx, { ...about, ...none, kind: 'EXPIRED', orderId: second });
      await inbox.receive(tx, { ...about, kind: 'PAID', orderId, gatewayPaymentId, amount });
    });
    await bench.reaches(id, 'SANCTIONED');
    expect(await bench.flags(id)).toEqual([]);
    expect((await bench.row(id)).payment_order_id).toBe(orderId);
    const status = 'SELECT status FROM payment_orders WHERE id = $1';
    const expected = [{ status: page === 'its own' ? 'OPEN' : 'CANCELLED' }];
    await eventually(
      async () => expect(await bench.records.query(status, [second])).toEqual(expected),
      PATIENT,
    );
  },
);

describe('72 hours without a payment', () => {
  it('do not end a loan that was paid in the last moment, though the callback is late', async () => {
    const loan = await bench.order();
    await bench.service.travel(72 * HOUR - 60_000);
    // The callback comes ten seconds later by the service's clock.
    await bench.atGateway(loan, 'pay', { late: true });
    await bench.service.travel(61_000);
    await bench.reaches(loan.applicationId, 'SANCTIONED');
    expect(await bench.flags(loan.applicationId)).toEqual([]);
  });

  it('do not end one as long as the gateway does not report the payment’s status', async () => {
    const { applicationId: id } = await bench.order();
    const gateway = bench.service.get<SandboxPaymentGateway>(SandboxPaymentGateway);
    const away = vi.spyOn(gateway, 'fetchOrder').mockRejectedValue(new Error('away'));
    await bench.service.travel(73 * HOUR);
    await eventually(() => expect(away).toHaveBeenCalled(), PATIENT);
    expect(await bench.status(id)).toBe('PAYMENT_PENDING');
    // The page must not call the payment late: it may have been made in time.
    const text = await pageOf(id);
    expect(text).toContain('Checking your payment');
    for (const untrue of ['Not paid? Pay', 'time to pay is over'])
      expect(text).not.toContain(untrue);
    away.mockRestore();
    await bench.service.travel(HOUR);
    await bench.reaches(id, 'EXPIRED');
  });
});

it('the lender’s decision before any payment, otherwise than before or neither way is put before the operator, and moves nothing', async () => {
  const id = await newLoan();
  const gateway = bench.service.get<LenderGateway>(LenderGateway);
  const silent = vi
    .spyOn(gateway, 'ask')
    .mockResolvedValue({ status: 'PENDING', askAgainInMs: 100 * HOUR });
  const sanctioned = { kind: 'SANCTIONED', reference: 'at last' } as const;
  const flags: string[] = [];
  for (const [answer, status, ...raised] of [
    [sanctioned, 'PAYMENT_PENDING', 'LATE_ANSWER'],
    [{ kind: 'NOTED' }, 'PAYMENT_RECEIVED', 'UNREADABLE_ANSWER'],
    [sanctioned, 'SANCTIONED'],
    [sanctioned, 'SANCTIONED'],
    [{ kind: 'DECLINED', reason: 'POLICY' }, 'SANCTIONED', 'LATE_ANSWER'],
  ] as const) {
    if (status === 'PAYMENT_RECEIVED') await tell(id, 'PAID');
    flags.push(...raised);
    await decide(id, answer);
    expect(await standing(id)).toEqual([status, flags]);
  }
  silent.mockRestore();
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

it('a payment that was only recorded goes back once the loan is decided, and what counted stays', async () => {
  const [paid, unpaid] = [await bench.apply(), await bench.order()];
  await bench.atGateway(paid, 'pay');
  const [id, late] = [paid.applicationId, unpaid.applicationId];
  await bench.reaches(id, 'SANCTIONED');
  const { payment_order_id: orderId } = await bench.row(id);
  await bench.recordPayment(id, orderId, `${id}-second`);
  await bench.recordPayment(late, (await bench.row(late)).payment_order_id, `${late}-late`);
  await looksLater();
  await isSettled(id);
  expect(await bench.refunds(id)).toEqual(['PAID_TWICE']);
  expect(await bench.refunds(late)).toEqual([]);
  await bench.service.travel(73 * HOUR);
  await bench.reaches(late, 'EXPIRED');
  await looksLater();
  await refundsAre(late, ['PAID_TOO_LATE']);
  await isSettled(late);
});
