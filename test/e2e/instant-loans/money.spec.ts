import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { InstantLoanPages } from '../../../src/instant-loans/applicant/instant-loan-pages.js';
import { LenderGateway } from '../../../src/lenders/index.js';
import { LenderCatalogue } from '../../../src/settings/index.js';
import { eventually } from '../../support/eventually.js';
import type { RefundEntity } from '../../support/fake-refunds.js';
import type { Webhook } from '../../support/fake-razorpay.js';
import { newMobile } from '../../support/hosted-client.js';
import {
  ApplicantBrowser,
  applyForInstantLoan,
  untilOffered,
} from '../../support/instant-loans.js';
import { driveTo, journeyIn, readJourney } from '../../support/journey-driver.js';
import { inForm } from '../../support/long-form.js';
import { configure } from '../../support/kept-configuration.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { openRedirect } from '../../support/redirect-visit.js';
import { HOUR_MS, PATIENT, RazorpayBench } from '../payments/payment-bench.js';
import { pressToPay } from './instant-loan-bench.js';

/** The long form finds rare faults, the short one has only what is in every run. */
const RUNS = inForm({ short: 10, long: 500 });
const A_RUN_MS = 25_000;
/** A refund is tried at most this often. */
const ATTEMPTS = 3;
const KYC_REFUSED = 'SANDX0005A';

let bench: RazorpayBench;
let demo: PartnerClient;
/** What the lenders' terms say of the fee of a loan that they decline. */
let terms: 'KEPT' | 'REFUND' | null = null;
/** The journeys whose lender refuses the question whether it sanctions them. */
const refused = new Set<string>();

beforeAll(async () => {
  bench = await RazorpayBench.start();
  demo = partnerClient(bench.service);
  await configure(
    bench.service,
    `UPDATE products SET steps = '{OFFERS,FEE,KYC,BANK_ACCOUNT,ESIGN,DISBURSEMENT}'
     WHERE code = 'ONLINE_PERSONAL'`,
  );
  // A decision may stay open while the time to pay ends.
  await configure(
    bench.service,
    `UPDATE configuration SET settings = settings || '{"lenderGiveUpSeconds": 432000}'`,
  );
  // A failed try is then followed by an order of its own, as with gateways without lasting links.
  takePaymentsAfterFailure(false);
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(async () => {
  takePaymentsAfterFailure(true);
  await bench.close();
});

function takePaymentsAfterFailure(takesPaymentsAfterFailure: boolean): void {
  Object.assign(bench.gateway('razorpay'), { takesPaymentsAfterFailure });
}

/** What happens to one application's money; the service hears of it in another order. */
interface History {
  /** `FEE_STEP`: a partner's journey of an ordinary product that has a fee before KYC. */
  readonly product: 'INSTANT' | 'FEE_STEP';
  /** How many of the lenders make an offer. */
  readonly offers: 'ALL' | 'ONE' | 'NONE';
  /** Whether the button is pressed on two devices at once, as soon as there is something to pay. */
  readonly isPressedTwice: boolean;
  /** The lender's answer after the payment; `DECLINED` only where every lender makes an offer. */
  readonly verdict: 'SANCTIONED' | 'DECLINED' | 'REFUSED';
  /** Whether the chosen lender is switched off, before the button is pressed or after it. */
  readonly lenderGoes: 'NEVER' | 'BEFORE_PRESS' | 'AFTER_PRESS';
  readonly isFeeKept: boolean;
  /** Whether another offer than the best is chosen before the button is pressed, where there is one. */
  readonly choosesOther: boolean;
  /** Why a second page follows the first: `CLOSED`: the gateway closed it, and the choice was undone. */
  readonly secondOrder: 'NEVER' | 'AFTER_FAILURE' | 'OTHER_OFFER' | 'CLOSED';
  /** Payments before the time to pay is over, on each page, in rupees more than the fee. */
  readonly onFirst: readonly number[];
  readonly onLast: readonly number[];
  /**
   * Whether the gateway cannot be reached when the time to pay is over, so that its page is left open. Its
   * payment is reported afterwards; it is made before that time or after it.
   */
  readonly leftOpen: 'NEVER' | 'PAID_IN_TIME' | 'PAID_LATE';
  readonly late: number;
  /** How often the gateway gives each refund up before it makes it. */
  readonly failedRefunds: number;
  /** Whether the gateway's answer to the first request for a refund is lost. */
  readonly isAnswerLost: boolean;
}

const payments = fc.array(fc.constantFrom(0, 0, 0, 1), { maxLength: 2 });
const histories = fc.record<History>({
  product: fc.constantFrom('INSTANT', 'INSTANT', 'INSTANT', 'FEE_STEP'),
  offers: fc.constantFrom('ALL', 'ALL', 'ALL', 'ONE', 'NONE'),
  isPressedTwice: fc.boolean(),
  verdict: fc.constantFrom('SANCTIONED', 'DECLINED', 'DECLINED', 'REFUSED'),
  lenderGoes: fc.constantFrom('NEVER', 'NEVER', 'NEVER', 'NEVER', 'BEFORE_PRESS', 'AFTER_PRESS'),
  isFeeKept: fc.boolean(),
  choosesOther: fc.boolean(),
  secondOrder: fc.constantFrom('NEVER', 'NEVER', 'AFTER_FAILURE', 'OTHER_OFFER', 'CLOSED'),
  onFirst: payments,
  onLast: payments,
  leftOpen: fc.constantFrom('NEVER', 'NEVER', 'PAID_IN_TIME', 'PAID_LATE'),
  late: fc.integer({ min: 0, max: 1 }),
  failedRefunds: fc.integer({ min: 0, max: ATTEMPTS - 1 }),
  isAnswerLost: fc.boolean(),
});

const PLAIN: History = {
  product: 'INSTANT',
  offers: 'ALL',
  isPressedTwice: false,
  verdict: 'SANCTIONED',
  lenderGoes: 'NEVER',
  isFeeKept: true,
  choosesOther: false,
  secondOrder: 'NEVER',
  onFirst: [],
  onLast: [],
  leftOpen: 'NEVER',
  late: 0,
  failedRefunds: 0,
  isAnswerLost: false,
};

/** Of each kind of money that moves one. */
const ALWAYS: readonly Partial<History>[] = [
  { onLast: [1, 0, 0], late: 1, failedRefunds: 1 },
  { verdict: 'DECLINED', isFeeKept: false, onLast: [0], failedRefunds: 2, isAnswerLost: true },
  {
    verdict: 'DECLINED',
    secondOrder: 'AFTER_FAILURE',
    onFirst: [0],
    onLast: [0],
    isPressedTwice: true,
  },
  { leftOpen: 'PAID_LATE' },
  { leftOpen: 'PAID_IN_TIME', secondOrder: 'AFTER_FAILURE', lenderGoes: 'AFTER_PRESS' },
  { verdict: 'REFUSED', onLast: [0] },
  { secondOrder: 'OTHER_OFFER', onFirst: [0], onLast: [0], late: 1 },
  { secondOrder: 'CLOSED', choosesOther: true, onFirst: [0], onLast: [0] },
  { product: 'FEE_STEP', secondOrder: 'AFTER_FAILURE', onFirst: [0], onLast: [0], late: 1 },
  { product: 'FEE_STEP', verdict: 'DECLINED', isFeeKept: false, onLast: [0] },
  // Only in the long form.
  { late: 1 },
  { product: 'FEE_STEP', leftOpen: 'PAID_LATE' },
];

/** Not every combination is possible. */
function possible(history: History): History {
  if (history.product === 'FEE_STEP') {
    const { verdict, secondOrder } = history;
    return {
      ...history,
      offers: 'ALL',
      lenderGoes: 'NEVER',
      choosesOther: false,
      verdict: verdict === 'REFUSED' ? 'DECLINED' : verdict,
      secondOrder: secondOrder === 'NEVER' ? 'NEVER' : 'AFTER_FAILURE',
    };
  }
  const hasOther = history.offers === 'ALL' && history.lenderGoes === 'NEVER';
  if (hasOther || history.secondOrder === 'NEVER') return history;
  return { ...history, secondOrder: 'AFTER_FAILURE' };
}

/** What the service hears at one moment: callbacks, the same or others, and the answers to polls. */
const moments = fc.record({
  picks: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
  polls: fc.boolean(),
});
type Moment = typeof moments extends fc.Arbitrary<infer Value> ? Value : never;

interface Loan {
  /** Of the journey. */
  readonly id: string;
  /** Of each page, in the order in which they were opened. */
  readonly orders: readonly string[];
  /** Of each of them what its offer asks for. */
  readonly fees: readonly number[];
  /** Takes the steps after the payment, up to the lender's verdict. */
  readonly goOn: () => Promise<void>;
}

type OpenedLoan = Pick<Loan, 'id' | 'goOn'> & {
  /** Goes on to the payment, as the button does. */
  readonly press: () => Promise<unknown>;
  readonly redirectUrl: string;
};

interface LoanRow {
  readonly state: string;
  readonly offerId: string | null;
  /** Of the newest fee. */
  readonly orderId: string | null;
  readonly fee: number;
  readonly isTryFailed: boolean;
}

async function row(id: string): Promise<LoanRow> {
  const [found] = await bench.records.query<LoanRow & Record<string, unknown>>(
    `SELECT j.state, j.selected_offer_id AS "offerId", f.order_id AS "orderId",
       f.amount::int AS fee, f.is_try_failed AS "isTryFailed"
     FROM journeys AS j LEFT JOIN journey_fees AS f ON f.journey_id = j.id
     WHERE j.id = $1 ORDER BY f.redirect_id DESC LIMIT 1`,
    [id],
  );
  return found;
}

async function orderOf(id: string): Promise<{ orderId: string; fee: number }> {
  const { orderId, fee } = await row(id);
  if (orderId === null) throw new Error(`${id} has no order`);
  return { orderId, fee };
}

async function reaches(id: string, expected: Partial<LoanRow>): Promise<void> {
  await eventually(async () => {
    expect(await row(id)).toMatchObject(expected);
  }, PATIENT);
}

/** Every lender's terms, as `config apply` brings them. */
async function setTerms(feeOnDecline: 'KEPT' | 'REFUND'): Promise<void> {
  if (terms === feeOnDecline) return;
  await configure(bench.service, 'UPDATE lenders SET terms = terms || $1', [
    JSON.stringify({ feeOnDecline }),
  ]);
  terms = feeOnDecline;
}

function panOf({ offers, verdict }: History): string {
  if (offers === 'NONE') return 'SANDX0001A';
  if (offers === 'ONE') return 'SANDX0003A';
  return verdict === 'DECLINED' ? 'SANDX0013A' : 'ABCDE1234F';
}

/** It ends without an order. */
async function expectNothingToPay(
  { id, press }: OpenedLoan,
  state: 'REJECTED' | 'ABANDONED',
): Promise<null> {
  if (state === 'ABANDONED') {
    expect(await press()).toEqual({ kind: 'NOTHING_TO_PAY' });
    await bench.service.travel(73 * HOUR_MS);
  }
  await reaches(id, { state });
  expect(await press()).toEqual({ kind: 'NOTHING_TO_PAY' });
  const orders = await bench.records.query('SELECT 1 FROM payment_orders WHERE subject_id = $1', [
    id,
  ]);
  expect(orders).toEqual([]);
  return null;
}

/** The lenders of these applications refuse the question; everything else goes as in life. */
function refuseDecisions(): void {
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
}

/** No lender lends anything until that is restored. */
function switchOffLenders(): void {
  const catalogue = bench.service.get<LenderCatalogue>(LenderCatalogue);
  vi.spyOn(catalogue, 'serving').mockResolvedValue([]);
}

/** Chooses the dearest offer other than the chosen one, by its button. @returns its id; null: there is no other */
async function chooseAnother({ id, redirectUrl }: OpenedLoan): Promise<string | null> {
  const { offerId } = await row(id);
  const offers = await bench.records.query<{ id: string }>(
    `SELECT id FROM journey_offers WHERE journey_id = $1 ORDER BY (figures ->> 'apr')::float`,
    [id],
  );
  const other = offers.filter((offer) => offer.id !== (offerId ?? offers[0].id)).at(-1);
  if (!other) return null;
  const { status } = await new ApplicantBrowser().choose(redirectUrl, other.id);
  expect(status).toBe(303);
  return other.id;
}

/** An application whose payment is ordered; null when there is nothing to pay. */
async function apply(history: History): Promise<Loan | null> {
  await setTerms(history.isFeeKept ? 'KEPT' : 'REFUND');
  if (history.product === 'FEE_STEP') return order(history, await applyForJourney(history));
  const { json } = await applyForInstantLoan(demo, { mobile: newMobile(), pan: panOf(history) });
  const { journeyId: id, redirectUrl } = json.data;
  const press = () =>
    pressToPay(bench.service.get<InstantLoanPages>(InstantLoanPages), redirectUrl);
  const loan = { id, redirectUrl, press, goOn: () => Promise.resolve() };
  // Before the lenders have answered there is no payment; they may have answered by now.
  const isOrdered = history.isPressedTwice && (await press())?.kind === 'GATEWAY';
  if (history.offers === 'NONE') return expectNothingToPay(loan, 'REJECTED');
  await untilOffered(new ApplicantBrowser(), redirectUrl);
  if (history.verdict === 'REFUSED') refused.add(id);
  if (history.choosesOther && !isOrdered) await chooseAnother(loan);
  if (history.lenderGoes === 'BEFORE_PRESS' && !isOrdered) {
    switchOffLenders();
    return expectNothingToPay(loan, 'ABANDONED');
  }
  return order(history, loan);
}

/** A partner's journey that waits for its fee. */
async function applyForJourney({ verdict }: History): Promise<OpenedLoan> {
  const end = verdict === 'DECLINED' ? 'REJECTED' : 'SANCTIONED';
  const pan = verdict === 'DECLINED' ? KYC_REFUSED : 'ABCDE1234F';
  const journey = await journeyIn(demo, 'FEE_PENDING', { mobile: newMobile(), pan });
  const { id } = journey;
  const redirectUrl = (await readJourney(demo, journey)).currentNextAction.url!;
  const press = () => openRedirect(redirectUrl);
  const goOn = async () => {
    if ((await row(id)).state === 'KYC_PENDING') await driveTo(demo, journey, end);
  };
  return { id, redirectUrl, press, goOn };
}

/** Orders the payment once, and a second time where the history says so. */
async function order(history: History, loan: OpenedLoan): Promise<Loan> {
  const { id, press, goOn } = loan;
  await Promise.all(history.isPressedTwice ? [press(), press()] : [press()]);
  const { orderId: first, fee } = await orderOf(id);
  await bench.untilStatus(first, 'OPEN');
  if (history.lenderGoes !== 'NEVER') switchOffLenders();
  if (history.secondOrder === 'NEVER') return { id, fees: [fee], orders: [first], goOn };
  await giveUpFirst(history, loan, first);
  await press();
  const { orderId: second, fee: last } = await orderOf(id);
  expect(second).not.toBe(first);
  await bench.untilStatus(second, 'OPEN');
  return { id, fees: [fee, last], orders: [first, second], goOn };
}

async function giveUpFirst(
  { secondOrder }: History,
  loan: OpenedLoan,
  first: string,
): Promise<void> {
  const { id } = loan;
  const { razorpay } = bench;
  if (secondOrder === 'OTHER_OFFER') {
    const offerId = await chooseAnother(loan);
    await reaches(id, { state: 'FEE_PENDING', offerId, orderId: null });
  } else if (secondOrder === 'CLOSED') {
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

async function deliver(
  { orders }: Loan,
  webhooks: readonly Webhook[],
  { picks, polls }: Moment,
): Promise<void> {
  const told = webhooks.length > 0 ? picks.map((pick) => webhooks[pick % webhooks.length]) : [];
  await Promise.all([
    ...told.map((webhook) => bench.callBack(webhook)),
    ...(polls ? orders.map((one) => bench.poll(one).catch(() => undefined)) : []),
  ]);
}

/** Everything that came in is processed. */
async function settles(id: string, states: readonly string[]): Promise<string> {
  await eventually(async () => {
    const waiting = await bench.records.query(
      `SELECT 1 FROM payment_inbox WHERE subject_id = $1 AND consumed_at IS NULL
       UNION ALL SELECT 1 FROM lender_inbox WHERE subject_id = $1 AND consumed_at IS NULL`,
      [id],
    );
    expect(waiting).toEqual([]);
    expect(states).toContain((await row(id)).state);
  }, PATIENT);
  return (await row(id)).state;
}

/** The settlement has decided on every payment of a loan that is over. */
async function isSettled(id: string): Promise<void> {
  await eventually(async () => {
    const undecided = await bench.records.query(
      `SELECT 1 FROM payments AS p WHERE p.subject_id = $1 AND p.unsettled_at IS NOT NULL
         AND NOT EXISTS (SELECT FROM payment_refunds AS r WHERE r.payment_id = p.id)`,
      [id],
    );
    expect(undecided).toEqual([]);
  }, PATIENT);
}

/** The time to pay is over, while callbacks come in; a page that the gateway cannot close is paid. */
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
  const polls = loan.orders.map((one) => bench.poll(one).catch(() => undefined));
  await Promise.all([...polls, ...paid.map((webhook) => bench.callBack(webhook))]);
  return paid;
}

/** How an application may end: which of its payments is reported first decides. */
function endsOf(history: History): string[] {
  const { product, onFirst, onLast, secondOrder, leftOpen, verdict, offers } = history;
  const isOneFee = secondOrder === 'AFTER_FAILURE';
  const inTime = [...(isOneFee ? onFirst : []), ...onLast];
  const isDeclined = verdict === 'REFUSED' || (verdict === 'DECLINED' && offers === 'ALL');
  // Only an instant loan's offer binds no longer than until a time.
  const isOpenPaid =
    leftOpen === 'PAID_IN_TIME' || (leftOpen === 'PAID_LATE' && product === 'FEE_STEP');
  const isPaid = inTime.includes(0) || isOpenPaid;
  // A page that was given up is closed: a payment there may be reported too late.
  const isSure = leftOpen === 'NEVER' ? onLast.includes(0) : isOpenPaid;
  return [
    ...(isPaid ? [isDeclined ? 'REJECTED' : 'SANCTIONED'] : []),
    // Nobody drives a partner's journey on that was paid so late.
    ...(isOpenPaid && product === 'FEE_STEP' ? ['KYC_PENDING'] : []),
    ...(isSure ? [] : ['ABANDONED']),
  ];
}

/** The gateway ends each refund, as often in vain as the history says. */
async function giveBack({ id }: Loan, { failedRefunds }: History, hears: boolean): Promise<void> {
  const inVain = new Map<string, number>();
  await eventually(
    async () => {
      const refunds = await bench.records.refunds(id);
      const open = refunds.filter(({ status }) => status !== 'DONE');
      if (open.length === 0) return;
      await bench.workOnRefunds();
      const ours = new Set(refunds.map(({ gateway_payment_id: payment }) => payment));
      const pending = bench.razorpay.refunds.made.filter(
        ({ payment_id: payment, status }) => ours.has(payment) && status === 'pending',
      );
      for (const refund of pending) await end(refund);
      await bench.service.travel(hears ? 0 : 7 * HOUR_MS);
      if (failedRefunds > 0) await bench.service.travel(28 * HOUR_MS);
      throw new Error(`${open.length} refunds are not done`);
    },
    { withinMs: 60_000 },
  );

  async function end(refund: RefundEntity): Promise<void> {
    const times = inVain.get(refund.payment_id) ?? 0;
    const fails = times < failedRefunds;
    inVain.set(refund.payment_id, times + 1);
    bench.razorpay.refunds.end(refund, fails ? 'failed' : 'processed');
    const event = fails ? 'refund.failed' : 'refund.processed';
    const webhook = bench.razorpay.refundWebhook(event, { ...refund });
    if (hears) await Promise.all([bench.callBack(webhook), bench.callBack(webhook)]);
  }
}

/** What the gateway has taken of an application and has not given back, by its own books. */
function moneyLeft({ orders }: Loan): number {
  return orders
    .flatMap((one) => bench.razorpay.paidOn(one))
    .reduce((sum, { id, amount }) => sum + amount - bench.razorpay.refunds.totalOf(id), 0);
}

/** The gateway's page asks for what the lender's own offer says. */
async function expectOfferedFees({ id, fees, orders }: Loan): Promise<void> {
  const offered = await bench.records.query<{ fee: number }>(
    `SELECT (o.figures ->> 'processingFees')::int AS fee FROM journeys AS j
     JOIN journey_offers AS o ON o.id = j.selected_offer_id WHERE j.id = $1`,
    [id],
  );
  expect(offered).toEqual([{ fee: fees.at(-1) }]);
  expect(orders.map((one) => bench.razorpay.linkOf(one).amount)).toEqual(fees);
}

/**
 * The audit says of every payment why it was kept, or why it was refunded, how often that failed, and that it
 * was done; one payment counts at most.
 */
async function expectReasons(
  { id, orders }: Loan,
  state: string,
  failedRefunds: number,
): Promise<void> {
  const rows = await bench.records.query<{
    payment: string;
    isCounted: boolean;
    reason: string | null;
    refund: string | null;
  }>(
    `SELECT p.gateway_payment_id AS payment, p.is_counted AS "isCounted", r.reason, r.id AS refund
     FROM payments p LEFT JOIN payment_refunds r ON r.payment_id = p.id
     WHERE p.subject_id = $1`,
    [id],
  );
  const taken = orders.flatMap((one) => bench.razorpay.paidOn(one)).map(({ id: paid }) => paid);
  expect(rows.map(({ payment }) => payment).toSorted()).toEqual(taken.toSorted());
  const trail = await bench.records.query<{ trigger: string; detail: Record<string, unknown> }>(
    'SELECT trigger, detail FROM journey_audit WHERE journey_id = $1 ORDER BY id',
    [id],
  );
  const said = (trigger: string, detail: Record<string, unknown>) =>
    trail.filter(
      (one) =>
        one.trigger === trigger &&
        Object.entries(detail).every(([name, value]) => one.detail[name] === value),
    ).length;
  expect(said('FEE_TAKEN', {})).toBe(state === 'ABANDONED' ? 0 : 1);
  const questions = await bench.records.query(
    `SELECT 1 FROM lender_questions WHERE subject_id = $1 AND kind IN ('DECISION', 'DISBURSEMENT')`,
    [id],
  );
  expect(questions.length).toBeLessThanOrEqual(state === 'ABANDONED' ? 0 : 1);
  for (const { payment, isCounted, reason, refund } of rows) {
    expect(reason === 'OTHER_AMOUNT').toBe(!isCounted);
    if (refund === null) {
      const kept = state === 'REJECTED' ? 'FEE_KEPT' : 'FEE_TAKEN';
      expect([payment, said(kept, { gatewayPaymentId: payment })]).toEqual([payment, 1]);
      continue;
    }
    // Of another amount, only the order's audit.
    const back = said('FEE_RETURNED', { gatewayPaymentId: payment, reason, refundId: refund });
    expect([payment, back]).toEqual([payment, isCounted ? 1 : 0]);
    const steps = await bench.records.query<{ trigger: string }>(
      `SELECT trigger FROM payment_audit WHERE detail->>'refundId' = $1 ORDER BY id`,
      [refund],
    );
    expect(steps.at(0)?.trigger).toBe('REFUND_REQUESTED');
    expect(steps.at(-1)?.trigger).toBe('REFUND_DONE');
    const inVain = steps.filter(({ trigger }) => trigger === 'REFUND_TRIED_AGAIN');
    expect(inVain).toHaveLength(failedRefunds);
    expect(said('REFUND_TOLD', { refundId: refund })).toBe(1);
  }
}

/** What becomes of an application, reported in pieces; and what is left of its money. */
async function expectMoneyRight(
  history: History,
  plan: readonly Moment[],
  hears: boolean,
): Promise<void> {
  const loan = await apply(history);
  if (loan === null) return;
  const { id, fees, orders } = loan;
  await expectOfferedFees(loan);
  if (history.isAnswerLost) bench.razorpay.failNext(/\/refund$/, { loseAnswer: true });
  const isTwo = history.secondOrder !== 'NEVER';
  const first = isTwo ? pay(orders[0], fees[0], history.onFirst) : [];
  const early = [...first, ...pay(orders.at(-1)!, fees.at(-1)!, history.onLast)];
  for (const moment of plan.slice(1)) await deliver(loan, early, moment);
  await settles(id, ['FEE_PENDING', 'KYC_PENDING', 'SANCTIONED', 'REJECTED']);
  await loan.goOn();
  const overdue = await endTime(loan, history, async () => {
    if (plan.length > 0) await deliver(loan, early, plan[0]);
  });
  const ends = endsOf(history);
  // A poll may have found the payment just before the time was over.
  await settles(id, [...ends, 'KYC_PENDING']);
  if (history.leftOpen === 'NEVER') await loan.goOn();
  await settles(id, ends);
  const late = pay(
    orders[0],
    fees[0],
    Array.from({ length: history.late }, () => 0),
  );
  const all = [...early, ...overdue, ...late];
  const answers = await Promise.all(all.map((webhook) => bench.callBack(webhook)));
  expect(answers.map(({ status }) => status)).toEqual(all.map(() => 200));
  const state = await settles(id, ends);
  if (state !== 'KYC_PENDING') await isSettled(id);
  await giveBack(loan, history, hears);
  bench.razorpay.recover();

  const isKept = history.isFeeKept && history.verdict === 'DECLINED';
  const keeps = state === 'ABANDONED' ? false : state !== 'REJECTED' || isKept;
  expect(moneyLeft(loan)).toBe(keeps ? fees.at(-1) : 0);
  await eventually(() => expectReasons(loan, state, history.failedRefunds), PATIENT);
  await expectFlags(loan, history, state);
}

/**
 * A payment of another amount is flagged, though it is refunded automatically; so is an instant loan's lender
 * that does not keep to the offer that was paid for.
 */
async function expectFlags({ id }: Loan, history: History, state: string): Promise<void> {
  const { product, secondOrder, onFirst, onLast } = history;
  const inTime = [...(secondOrder === 'NEVER' ? [] : onFirst), ...onLast];
  const expected = [
    ...(inTime.includes(1) ? ['PAYMENT_DIFFERS'] : []),
    ...(state === 'REJECTED' && product === 'INSTANT' ? ['OFFER_NOT_KEPT'] : []),
  ];
  const kinds = new Set(await bench.records.flags(id));
  // A gateway that is silent for days is flagged.
  if (history.leftOpen !== 'NEVER') kinds.delete('GATEWAY_SILENT');
  expect([...kinds].toSorted()).toEqual(expected.toSorted());
}

it(
  'money taken less money refunded is what a sanctioned loan’s terms keep, whatever happened',
  async () => {
    const examples = ALWAYS.map((one, index): [History, Moment[], boolean] => [
      { ...PLAIN, ...one },
      [{ picks: [0], polls: true }],
      index % 2 === 0,
    ]);
    await fc.assert(
      fc.asyncProperty(
        histories,
        fc.array(moments, { maxLength: 3 }),
        fc.boolean(),
        async (drawn, plan, hears) => {
          refuseDecisions();
          const run = expectMoneyRight(possible(drawn), plan, hears);
          await run.finally(() => vi.restoreAllMocks());
        },
      ),
      { numRuns: RUNS, examples },
    );
  },
  RUNS * A_RUN_MS,
);
