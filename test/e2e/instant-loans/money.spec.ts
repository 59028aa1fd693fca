import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { InstantLoanPages } from '../../../src/instant-loans/applicant/instant-loan-pages.js';
import { LenderGateway } from '../../../src/lenders/index.js';
import { eventually } from '../../support/eventually.js';
import type { Webhook } from '../../support/fake-razorpay.js';
import { newMobile } from '../../support/hosted-client.js';
import {
  ApplicantBrowser,
  applyForInstantLoan,
  untilOffered,
} from '../../support/instant-loans.js';
import { inForm } from '../../support/long-form.js';
import { configure } from '../../support/kept-configuration.js';
import { partnerClient } from '../../support/partner-client.js';
import { HOUR_MS, PATIENT, RazorpayBench } from '../payments/payment-bench.js';
import { pressToPay } from './instant-loan-bench.js';

/** A refund is tried at most this often. */
const ATTEMPTS = 3;
const A_RUN_MS = 25_000;

let bench: RazorpayBench;
/** The journeys whose lender refuses to decide. */
const refused = new Set<string>();

beforeAll(async () => {
  bench = await RazorpayBench.start();
  // A decision may stay open past the time to pay.
  await configure(
    bench.service,
    `UPDATE configuration SET settings = settings || '{"lenderGiveUpSeconds": 432000}'`,
  );
  // As with gateways whose links work once: a retry needs a new order.
  takePaymentsAfterFailure(false);
  const gateway = bench.service.get<LenderGateway>(LenderGateway);
  const ask = gateway.ask.bind(gateway);
  vi.spyOn(gateway, 'ask').mockImplementation((question) =>
    question.kind === 'DECISION' && refused.has(question.subjectId)
      ? Promise.resolve({
          status: 'ANSWERED',
          answerId: `${question.subjectId}-refused`,
          answer: { kind: 'REFUSED', reason: 'NOT_SERVED' },
        })
      : ask(question),
  );
});

afterAll(async () => {
  vi.restoreAllMocks();
  takePaymentsAfterFailure(true);
  await bench.close();
});

function takePaymentsAfterFailure(takesPaymentsAfterFailure: boolean): void {
  Object.assign(bench.gateway('razorpay'), { takesPaymentsAfterFailure });
}

/** What happens to one application's money. The service may receive the reports in another order. */
interface History {
  readonly verdict: 'SANCTIONED' | 'DECLINED' | 'REFUSED';
  readonly isFeeKept: boolean;
  /** Why a second page follows the first; `CLOSED`: by the gateway, and the choice was undone. */
  readonly second: 'NEVER' | 'AFTER_FAILURE' | 'OTHER_OFFER' | 'CLOSED';
  /** Payments before the time to pay ends, on each page, in rupees above the fee. */
  readonly onFirst: readonly number[];
  readonly onLast: readonly number[];
  /**
   * Whether the gateway fails to close a page in time, and when that page is paid. The report comes after the time to
   * pay.
   */
  readonly leftOpen: 'NEVER' | 'PAID_IN_TIME' | 'PAID_LATE';
  readonly late: number;
  /** How often the gateway fails each refund before it succeeds. */
  readonly failedRefunds: number;
  /** Whether the gateway's response to the first refund request is lost. */
  readonly isAnswerLost: boolean;
}

const PLAIN: History = {
  verdict: 'SANCTIONED',
  isFeeKept: true,
  second: 'NEVER',
  onFirst: [],
  onLast: [],
  leftOpen: 'NEVER',
  late: 0,
  failedRefunds: 0,
  isAnswerLost: false,
};

/** One case of each kind of payment; the long form finds rare faults. */
const ALWAYS: readonly Partial<History>[] = [
  { onLast: [1, 0, 0], late: 1, failedRefunds: 1 },
  { verdict: 'DECLINED', isFeeKept: false, onLast: [0], failedRefunds: 2, isAnswerLost: true },
  { verdict: 'DECLINED', second: 'AFTER_FAILURE', onFirst: [0], onLast: [0] },
  { leftOpen: 'PAID_LATE' },
  { leftOpen: 'PAID_IN_TIME', second: 'AFTER_FAILURE' },
  { verdict: 'REFUSED', onLast: [0] },
  { second: 'OTHER_OFFER', onFirst: [0], onLast: [0], late: 1 },
  { second: 'CLOSED', onFirst: [0], onLast: [0] },
];
const RUNS = inForm({ short: ALWAYS.length, long: 500 });

const payments = fc.array(fc.constantFrom(0, 0, 0, 1), { maxLength: 2 });
const histories = fc.record<History>({
  verdict: fc.constantFrom('SANCTIONED', 'DECLINED', 'DECLINED', 'REFUSED'),
  isFeeKept: fc.boolean(),
  second: fc.constantFrom('NEVER', 'NEVER', 'AFTER_FAILURE', 'OTHER_OFFER', 'CLOSED'),
  onFirst: payments,
  onLast: payments,
  leftOpen: fc.constantFrom('NEVER', 'NEVER', 'PAID_IN_TIME', 'PAID_LATE'),
  late: fc.integer({ min: 0, max: 1 }),
  failedRefunds: fc.integer({ min: 0, max: ATTEMPTS - 1 }),
  isAnswerLost: fc.boolean(),
});

/** What the service receives at one moment: callbacks, repeated or new, and responses to polls. */
const moments = fc.record({
  picks: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
  polls: fc.boolean(),
});
type Moment = typeof moments extends fc.Arbitrary<infer Value> ? Value : never;

interface Loan {
  /** Of the journey. */
  readonly id: string;
  /** One per page, in the order of opening. */
  readonly orders: readonly string[];
  readonly fees: readonly number[];
}

async function row(id: string) {
  const [found] = await bench.records.query<{
    state: string;
    offerId: string | null;
    orderId: string;
    fee: number;
    isTryFailed: boolean;
  }>(
    `SELECT j.state, j.selected_offer_id AS "offerId", f.order_id AS "orderId",
       f.amount::int AS fee, f.is_try_failed AS "isTryFailed"
     FROM journeys AS j LEFT JOIN journey_fees AS f ON f.journey_id = j.id
     WHERE j.id = $1 ORDER BY f.redirect_id DESC LIMIT 1`,
    [id],
  );
  return found;
}

const reaches = (id: string, expected: object) =>
  eventually(async () => expect(await row(id)).toMatchObject(expected), PATIENT);

/** An application with an ordered payment, or two if the history has a second page. */
async function order({ verdict, isFeeKept, second }: History): Promise<Loan> {
  await configure(bench.service, 'UPDATE lenders SET terms = terms || $1', [
    JSON.stringify({ feeOnDecline: isFeeKept ? 'KEPT' : 'REFUND' }),
  ]);
  const pan = verdict === 'DECLINED' ? 'SANDX0013A' : 'ABCDE1234F';
  const demo = partnerClient(bench.service);
  const { json } = await applyForInstantLoan(demo, { mobile: newMobile(), pan });
  const { journeyId: id, redirectUrl } = json.data;
  if (verdict === 'REFUSED') refused.add(id);
  await untilOffered(new ApplicantBrowser(), redirectUrl);
  const pages = bench.service.get<InstantLoanPages>(InstantLoanPages);
  const press = () => pressToPay(pages, redirectUrl);
  await press();
  const first = await row(id);
  await bench.untilStatus(first.orderId, 'OPEN');
  if (second === 'NEVER') return { id, orders: [first.orderId], fees: [first.fee] };
  if (second === 'OTHER_OFFER') await chooseAnother(id, redirectUrl);
  else await giveUp(id, first.orderId, second);
  await press();
  const last = await row(id);
  expect(last.orderId).not.toBe(first.orderId);
  await bench.untilStatus(last.orderId, 'OPEN');
  return { id, orders: [first.orderId, last.orderId], fees: [first.fee, last.fee] };
}

async function chooseAnother(id: string, redirectUrl: string): Promise<void> {
  const [other] = await bench.records.query<{ id: string }>(
    `SELECT o.id FROM journey_offers AS o JOIN journeys AS j ON j.id = o.journey_id
     WHERE j.id = $1 AND o.id <> j.selected_offer_id`,
    [id],
  );
  await new ApplicantBrowser().choose(redirectUrl, other.id);
  await reaches(id, { state: 'FEE_PENDING', offerId: other.id, orderId: null });
}

async function giveUp(id: string, first: string, why: 'AFTER_FAILURE' | 'CLOSED'): Promise<void> {
  const { razorpay } = bench;
  if (why === 'CLOSED') {
    razorpay.end(first, 'expired');
    await bench.callBack(razorpay.webhook('payment_link.expired', first));
    await reaches(id, { state: 'OFFERS_RECEIVED', offerId: null });
  } else {
    const payment = razorpay.fail(first);
    await bench.callBack(razorpay.webhook('payment.failed', first, { payment }));
    await reaches(id, { state: 'FEE_PENDING', isTryFailed: true });
  }
}

function pay(orderId: string, fee: number, rupeesMore: readonly number[]): Webhook[] {
  return rupeesMore.map((more) => {
    const payment = bench.razorpay.pay(orderId, { amount: fee + more * 100 });
    return bench.razorpay.webhook('payment_link.paid', orderId, { payment });
  });
}

const poll = ({ orders }: Loan) => orders.map((one) => bench.poll(one).catch(() => undefined));

async function deliver(
  loan: Loan,
  webhooks: readonly Webhook[],
  { picks, polls }: Moment,
): Promise<void> {
  const repeats = webhooks.length > 0 ? picks.map((pick) => webhooks[pick % webhooks.length]) : [];
  await Promise.all([
    ...repeats.map((webhook) => bench.callBack(webhook)),
    ...(polls ? poll(loan) : []),
  ]);
}

/** Waits until everything that was received is processed. */
async function settles(id: string, states: readonly string[]): Promise<string> {
  const waiting = `SELECT 1 FROM payment_inbox WHERE subject_id = $1 AND consumed_at IS NULL
    UNION ALL SELECT 1 FROM lender_inbox WHERE subject_id = $1 AND consumed_at IS NULL`;
  return eventually(async () => {
    expect(await bench.records.query(waiting, [id])).toEqual([]);
    const { state } = await row(id);
    expect(states).toContain(state);
    return state;
  }, PATIENT);
}

/** Ends the time to pay while callbacks come in; a page that the gateway cannot close is paid. */
async function endTime(
  loan: Loan,
  { leftOpen }: History,
  meanwhile: () => Promise<void>,
): Promise<Webhook[]> {
  if (leftOpen === 'NEVER') {
    await Promise.all([bench.service.travel(73 * HOUR_MS), meanwhile()]);
    return [];
  }
  const silence = Array.from({ length: 1_000 }, () => ({ status: 503 }));
  bench.razorpay.failNext(/payment_links/, ...silence);
  const payLast = () => pay(loan.orders.at(-1)!, loan.fees.at(-1)!, [0]);
  const inTime = leftOpen === 'PAID_IN_TIME' ? payLast() : [];
  await bench.service.travel(73 * HOUR_MS);
  const paid = [...inTime, ...(leftOpen === 'PAID_LATE' ? payLast() : [])];
  bench.razorpay.recover();
  await Promise.all([...poll(loan), ...paid.map((webhook) => bench.callBack(webhook))]);
  return paid;
}

/** The possible ends of an application, depending on the payment that is reported first. */
function endsOf({ onFirst, onLast, second, leftOpen, verdict }: History): string[] {
  const inTime = [...(second === 'AFTER_FAILURE' ? onFirst : []), ...onLast];
  const isOpenPaid = leftOpen === 'PAID_IN_TIME';
  const isPaid = inTime.includes(0) || isOpenPaid;
  // An abandoned page is closed: a payment there may be reported too late.
  const isSure = leftOpen === 'NEVER' ? onLast.includes(0) : isOpenPaid;
  const paid = verdict === 'SANCTIONED' ? verdict : 'REJECTED';
  return [...(isPaid ? [paid] : []), ...(isSure ? [] : ['ABANDONED'])];
}

/** The gateway ends each refund after the failures of the history; every payment is settled. */
async function giveBack({ id }: Loan, { failedRefunds }: History, hears: boolean): Promise<void> {
  const { refunds } = bench.razorpay;
  const inVain = new Map<string, number>();
  const open = `SELECT p.id FROM payments AS p LEFT JOIN payment_refunds AS r ON r.payment_id = p.id
    WHERE p.subject_id = $1 AND coalesce(r.status <> 'DONE', p.unsettled_at IS NOT NULL)`;
  await eventually(
    async () => {
      if ((await bench.records.query(open, [id])).length === 0) return;
      await bench.workOnRefunds();
      const recorded = await bench.records.refunds(id);
      for (const { gateway_payment_id: payment } of recorded) {
        for (const refund of refunds.of(payment).filter(({ status }) => status === 'pending')) {
          const times = inVain.get(payment) ?? 0;
          inVain.set(payment, times + 1);
          const isFailing = times < failedRefunds;
          refunds.end(refund, isFailing ? 'failed' : 'processed');
          const event = isFailing ? 'refund.failed' : 'refund.processed';
          const webhook = bench.razorpay.refundWebhook(event, { ...refund });
          if (hears) await Promise.all([bench.callBack(webhook), bench.callBack(webhook)]);
        }
      }
      await bench.service.travel(hears ? 0 : 7 * HOUR_MS);
      if (failedRefunds > 0) await bench.service.travel(28 * HOUR_MS);
      throw new Error('money is still to go back');
    },
    { withinMs: 60_000 },
  );
}

/** Every payment is recorded and counted at most once. The audit says why it was kept or refunded. */
async function expectReasons({ id, orders }: Loan, state: string, failed: number): Promise<void> {
  const rows = await bench.records.query<{
    payment: string;
    isCounted: boolean;
    reason: string | null;
    refundId: string | null;
  }>(
    `SELECT p.gateway_payment_id AS payment, p.is_counted AS "isCounted", r.reason, r.id AS "refundId"
     FROM payments AS p LEFT JOIN payment_refunds AS r ON r.payment_id = p.id
     WHERE p.subject_id = $1`,
    [id],
  );
  const taken = orders.flatMap((one) => bench.razorpay.paidOn(one)).map(({ id: paid }) => paid);
  expect(rows.map(({ payment }) => payment).toSorted()).toEqual(taken.toSorted());
  const count = async (sql: string, values: unknown[]) =>
    (await bench.records.query(sql, values)).length;
  const said = (trigger: string, detail: object) =>
    count('SELECT 1 FROM journey_audit WHERE journey_id = $1 AND trigger = $2 AND detail @> $3', [
      id,
      trigger,
      JSON.stringify(detail),
    ]);
  expect(await said('FEE_TAKEN', {})).toBe(state === 'ABANDONED' ? 0 : 1);
  const decisions = `SELECT 1 FROM lender_questions WHERE subject_id = $1 AND kind = 'DECISION'`;
  expect(await count(decisions, [id])).toBeLessThanOrEqual(state === 'ABANDONED' ? 0 : 1);
  for (const { payment: gatewayPaymentId, isCounted, reason, refundId } of rows) {
    expect(reason === 'OTHER_AMOUNT').toBe(!isCounted);
    if (refundId === null) {
      const kept = state === 'REJECTED' ? 'FEE_KEPT' : 'FEE_TAKEN';
      expect(await said(kept, { gatewayPaymentId })).toBe(1);
      continue;
    }
    // If the amount differs, only the order has an audit entry.
    const back = await said('FEE_RETURNED', { gatewayPaymentId, reason, refundId });
    expect([gatewayPaymentId, back]).toEqual([gatewayPaymentId, isCounted ? 1 : 0]);
    const again = `SELECT 1 FROM payment_audit
      WHERE detail ->> 'refundId' = $1 AND trigger = 'REFUND_TRIED_AGAIN'`;
    expect(await count(again, [refundId])).toBe(failed);
    expect(await said('REFUND_TOLD', { refundId })).toBe(1);
  }
}

/** Checks the application's end and its money after reports in this order. */
async function expectMoneyRight(
  history: History,
  plan: readonly Moment[],
  hears: boolean,
): Promise<void> {
  const loan = await order(history);
  const { id, fees, orders } = loan;
  expect(orders.map((one) => bench.razorpay.linkOf(one).amount)).toEqual(fees);
  if (history.isAnswerLost) bench.razorpay.failNext(/\/refund$/, { loseAnswer: true });
  const first = history.second === 'NEVER' ? [] : pay(orders[0], fees[0], history.onFirst);
  const early = [...first, ...pay(orders.at(-1)!, fees.at(-1)!, history.onLast)];
  for (const moment of plan.slice(1)) await deliver(loan, early, moment);
  await settles(id, ['FEE_PENDING', 'SANCTIONED', 'REJECTED']);
  const overdue = await endTime(loan, history, async () => {
    if (plan.length > 0) await deliver(loan, early, plan[0]);
  });
  const ends = endsOf(history);
  await settles(id, ends);
  const late = history.late > 0 ? pay(orders[0], fees[0], [0]) : [];
  const all = [...early, ...overdue, ...late];
  const answers = await Promise.all(all.map((webhook) => bench.callBack(webhook)));
  expect(answers.map(({ status }) => status)).toEqual(all.map(() => 200));
  const state = await settles(id, ends);
  await giveBack(loan, history, hears);
  bench.razorpay.recover();

  const keeps =
    state === 'SANCTIONED' ||
    (state === 'REJECTED' && history.isFeeKept && history.verdict === 'DECLINED');
  // Calculated from the gateway's records.
  const left = orders
    .flatMap((one) => bench.razorpay.paidOn(one))
    .reduce((sum, { id: paid, amount }) => sum + amount - bench.razorpay.refunds.totalOf(paid), 0);
  expect(left).toBe(keeps ? fees.at(-1) : 0);
  await eventually(() => expectReasons(loan, state, history.failedRefunds), PATIENT);
}

it(
  'money taken less money refunded is what a sanctioned loan’s terms keep, whatever happened',
  async () => {
    const examples = ALWAYS.map((one, index): [History, Moment[], boolean] => [
      { ...PLAIN, ...one },
      [{ picks: [0], polls: true }],
      index % 2 === 0,
    ]);
    const property = fc.asyncProperty(
      histories,
      fc.array(moments, { maxLength: 3 }),
      fc.boolean(),
      expectMoneyRight,
    );
    await fc.assert(property, { numRuns: RUNS, examples });
  },
  RUNS * A_RUN_MS,
);
