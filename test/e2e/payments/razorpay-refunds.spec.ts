import { describe, expect, it } from 'vitest';
import { Refunds } from '../../../src/payments/index.js';
import { RefundRefused } from '../../../src/payments/payment-gateway.js';
import { RefundFailures } from '../../../src/payments/refunds/refund-processing.js';
import { PaymentRefundsRepository } from '../../../src/payments/store/payment-refunds.repository.js';
import { eventually } from '../../support/eventually.js';
import type { Mishap } from '../../support/faulty-server.js';
import type { RefundEntity } from '../../support/fake-refunds.js';
import {
  FEE,
  HOUR_MS,
  MINUTE_MS,
  PATIENT,
  type RazorpayBench,
  razorpayTests,
} from './payment-bench.js';

const REFUND = /^POST \/v1\/payments\/pay_\w+\/refund$/;
const PATH = /\/refund$/;
const NO_BALANCE = { status: 400, body: { error: { description: 'not enough balance' } } };
const IN_PROGRESS = { status: 409, body: { error: { description: 'in progress' } } };
const DAY_MS = 24 * HOUR_MS;

let bench: RazorpayBench;

razorpayTests((started) => {
  bench = started;
});

interface Paid {
  readonly orderId: string;
  readonly subjectId: string;
  readonly paymentId: string;
}

async function paid(): Promise<Paid> {
  const orderId = await bench.openOrder();
  const { id: paymentId } = bench.razorpay.pay(orderId);
  await bench.poll(orderId);
  const { subject_id: subjectId } = await bench.records.order(orderId);
  return { orderId, subjectId, paymentId };
}

function request({ orderId, paymentId: gatewayPaymentId }: Paid): Promise<string | null> {
  const { partnerId } = bench.service;
  const refund = { partnerId, orderId, gatewayPaymentId, reason: 'DECLINED' as const };
  return bench.transaction((tx) => bench.service.get<Refunds>(Refunds).request(tx, refund));
}

async function standing({ subjectId }: Paid) {
  const [{ status, attempt }] = await bench.records.refunds(subjectId);
  return [status, attempt];
}

function reaches(one: Paid, status: string, attempt = 1): Promise<void> {
  return eventually(async () => {
    const now = await standing(one);
    // A failed request is retried after some seconds.
    if (now[0] !== status) await bench.service.travel(1_000);
    expect(now).toEqual([status, attempt]);
  }, PATIENT);
}

function made({ paymentId }: Paid): RefundEntity[] {
  return bench.razorpay.refunds.of(paymentId);
}

function tell(event: string, refund: RefundEntity): Promise<Response> {
  return bench.callBack(bench.razorpay.refundWebhook(event, refund));
}

/** A refund that Razorpay has accepted. */
async function pending(): Promise<Paid & { id: string }> {
  const one = await paid();
  const id = (await request(one))!;
  await reaches(one, 'PENDING');
  return { ...one, id };
}

/** A refund with our reference, or one made by hand without it. */
function makeAtRazorpay({ paymentId }: Paid, receipt?: string): RefundEntity {
  const body = { amount: FEE, receipt };
  const call = { method: 'POST', path: '', query: new URLSearchParams(), headers: {}, body };
  bench.razorpay.refunds.make(paymentId, call);
  return bench.razorpay.refunds.of(paymentId).at(-1)!;
}

const flagsOf = ({ subjectId }: Paid) => bench.records.paymentFlags(subjectId);

function openFlags({ subjectId }: Paid): Promise<unknown[]> {
  const open = 'SELECT kind FROM operator_flags WHERE subject_id = $1 AND resolved_at IS NULL';
  return bench.records.query(open, [subjectId]);
}

describe('a refund', () => {
  it('is asked for under our own id, for all of it, and done once when its own callback says so', async () => {
    const one = await pending();
    const [call, ...others] = bench.razorpay.callsOf('POST', PATH, one.paymentId);
    expect(others).toEqual([]);
    expect(call.body).toEqual({ amount: FEE, speed: 'normal', receipt: `${one.id}-1` });
    expect(call.headers['x-refund-idempotency']).toBe(`${one.id}-1`);
    expect(await request(one)).toBeNull();
    const [refund, ...more] = made(one);
    expect(more).toEqual([]);
    const done = { ...refund, status: 'processed' };
    for (const other of [{ amount: 100 }, { payment_id: 'pay_OfSomebodyElse' }])
      await tell('refund.processed', { ...done, ...other });
    const { headers, body } = bench.razorpay.refundWebhook('refund.processed', done);
    const forged = { headers: { ...headers, 'x-razorpay-signature': '0'.repeat(64) }, body };
    expect((await bench.callBack(forged)).status).toBe(401);
    expect(await standing(one)).toEqual(['PENDING', 1]);
    bench.razorpay.refunds.end(refund, 'processed');
    for (const event of ['refund.created', 'refund.created', 'refund.processed'])
      expect((await tell(event, refund)).status).toBe(200);
    expect(await standing(one)).toEqual(['DONE', 1]);
    const trail = await bench.records.trailOf(one.orderId);
    expect(trail.filter((step) => step.startsWith('REFUND'))).toEqual([
      'REFUND_REQUESTED REQUESTED',
      'REFUND_PENDING PENDING',
      'REFUND_DONE DONE',
    ]);
  });

  it.each<[string, Mishap[], state: string, flags: string[]]>([
    ['the answer is lost and the key forgotten', [{ loseAnswer: true }], 'pending', []],
    ['another call is in progress', [IN_PROGRESS], 'pending', []],
    ['Razorpay refuses it twice', [NO_BALANCE, NO_BALANCE], 'pending', ['GATEWAY_REFUSED']],
    ['Razorpay answers a state of tomorrow', [], 'a_state_of_tomorrow', []],
  ])('is made once when %s, and asked about until it is done', async (_, mishaps, state, flags) => {
    const { refunds } = bench.razorpay;
    const one = await paid();
    Object.assign(refunds, { forgetsKeys: true, startsAs: state });
    bench.razorpay.failNext(REFUND, ...mishaps);
    await request(one);
    await reaches(one, 'PENDING');
    Object.assign(refunds, { forgetsKeys: false, startsAs: 'pending' });
    expect(made(one)).toHaveLength(1);
    expect(await flagsOf(one)).toEqual(flags);
    refunds.end(made(one)[0], 'processed');
    await bench.service.travel(3 * MINUTE_MS);
    await reaches(one, 'DONE');
  });

  it('that Razorpay gave up is asked for again under another name; after the third a person decides, and a failure of an earlier one changes nothing', async () => {
    const { refunds } = bench.razorpay;
    const one = await pending();
    const retry = () =>
      bench.transaction((tx) => bench.service.get<Refunds>(Refunds).retry(tx, one.id));
    expect(await retry()).toBe(false);
    const [first] = made(one);
    await tell('refund.failed', refunds.end(first, 'failed'));
    expect(await standing(one)).toEqual(['REQUESTED', 2]);
    await bench.service.travel(2 * HOUR_MS);
    await reaches(one, 'PENDING', 2);
    const [, second] = made(one);
    expect(second.receipt).not.toBe(first.receipt);
    await tell('refund.failed', first);
    expect(await standing(one)).toEqual(['PENDING', 2]);
    refunds.end(second, 'reversed');
    await bench.service.travel(3 * MINUTE_MS);
    await reaches(one, 'REQUESTED', 3);
    expect(await flagsOf(one)).toEqual([]);
    await bench.service.travel(28 * HOUR_MS);
    await reaches(one, 'PENDING', 3);
    await tell('refund.failed', refunds.end(made(one).at(-1)!, 'failed'));
    expect(await standing(one)).toEqual(['FAILED', 3]);
    expect(await flagsOf(one)).toEqual(['REFUND_FAILED']);
    expect(refunds.totalOf(one.paymentId)).toBe(0);
    expect(await retry()).toBe(true);
    await reaches(one, 'PENDING', 4);
    expect(await openFlags(one)).toEqual([]);
    const last = made(one).at(-1)!;
    expect(last).toMatchObject({ receipt: `${one.id}-4`, amount: FEE });
    await tell('refund.processed', refunds.end(last, 'processed'));
    await tell('refund.failed', second);
    expect([await standing(one), await openFlags(one)]).toEqual([['DONE', 4], []]);
  });

  it('that Razorpay turns down for a week has failed, whatever was made by hand; done after all its flag is closed', async () => {
    const one = await paid();
    const byHand = makeAtRazorpay(one);
    const id = await request(one);
    await eventually(async () => expect(await flagsOf(one)).toEqual(['GATEWAY_REFUSED']), PATIENT);
    expect(await standing(one)).toEqual(['REQUESTED', 1]);
    await bench.service.travel(8 * DAY_MS);
    await reaches(one, 'FAILED');
    expect(await flagsOf(one)).toEqual(['GATEWAY_REFUSED', 'REFUND_FAILED']);
    const done = bench.razorpay.refunds.end(byHand, 'processed');
    expect((await tell('refund.processed', done)).status).toBe(200);
    expect(await standing(one)).toEqual(['FAILED', 1]);
    await tell('refund.processed', { ...done, receipt: `${id}-1` });
    expect(await standing(one)).toEqual(['DONE', 1]);
    expect(await openFlags(one)).toEqual([{ kind: 'GATEWAY_REFUSED' }]);
  });

  it.each([
    ['created', 'PENDING'],
    ['processed', 'DONE'],
  ])(
    'that Razorpay calls back about as %s while it turns a call down is %s, not given up',
    async (event, status) => {
      const one = await paid();
      bench.razorpay.failNext(REFUND, NO_BALANCE);
      const id = (await request(one))!;
      // Rejected for eight days: the worker does not try again.
      const isLeft = () => {
        bench.lookForWork();
        return bench.records.query(
          `UPDATE payment_refunds SET refused_since = app_now() - interval '8 days',
           next_attempt_at = app_now() + interval '1 day'
         WHERE id = $1 AND refused_since IS NOT NULL AND lease_until IS NULL RETURNING id`,
          [id],
        );
      };
      await eventually(async () => expect(await isLeft()).toHaveLength(1), PATIENT);
      const refunds = bench.service.get<PaymentRefundsRepository>(PaymentRefundsRepository);
      const leased = (await bench.transaction((tx) => refunds.lock(tx, id)))!;
      const refund = { ...makeAtRazorpay(one, `${id}-1`), status: event };
      expect((await tell(`refund.${event}`, refund)).status).toBe(200);
      const refused = new RefundRefused('not enough balance');
      await bench.service.get<RefundFailures>(RefundFailures).record(leased, refused);
      expect(await standing(one)).toEqual([status, 1]);
      expect(await flagsOf(one)).toEqual(['GATEWAY_REFUSED']);
    },
  );

  it('that takes two weeks is put before the operator and still followed; so is one taken back after it was done, once', async () => {
    const one = await pending();
    const [refund] = made(one);
    await bench.service.travel(15 * DAY_MS);
    await eventually(async () => expect(await flagsOf(one)).toEqual(['REFUND_LATE']), PATIENT);
    bench.razorpay.refunds.end(refund, 'processed');
    await bench.service.travel(7 * HOUR_MS);
    await reaches(one, 'DONE');
    bench.razorpay.refunds.end(refund, 'failed');
    for (let time = 0; time < 2; time += 1) await tell('refund.failed', refund);
    expect(await standing(one)).toEqual(['DONE', 1]);
    expect(await flagsOf(one)).toEqual(['REFUND_LATE', 'REFUND_FAILED']);
    const trail = await bench.records.trailOf(one.orderId);
    expect(trail.filter((step) => step === 'REFUND_TAKEN_BACK DONE')).toHaveLength(1);
    const isRevoked = async () => {
      const refunds = bench.service.get<Refunds>(Refunds);
      const back = await bench.transaction((tx) =>
        refunds.of(tx, bench.service.partnerId, one.subjectId),
      );
      return back.map((money) => money.isRevoked);
    };
    expect(await isRevoked()).toEqual([true]);
    await bench.records.query(
      'UPDATE operator_flags SET resolved_at = app_now() WHERE subject_id = $1',
      [one.subjectId],
    );
    expect(await isRevoked()).toEqual([false]);
  });

  it('is not given up for a key that Razorpay does not take, nor for its silence', async () => {
    const one = await paid();
    const description = 'The api key provided is invalid';
    const wrongKey = { status: 401, body: { error: { code: 'BAD_REQUEST_ERROR', description } } };
    const silence = { status: 503, body: {} };
    const hasFailed = (times: number) =>
      eventually(async () => {
        await bench.service.travel(1_000);
        expect(await bench.records.refunds(one.subjectId)).toMatchObject([{ failures: times }]);
      }, PATIENT);
    // Only this payment: refunds of earlier tests are retried after those days, too.
    const ownRefund = new RegExp(`/payments/${one.paymentId}/refund$`);
    bench.razorpay.failNext(ownRefund, wrongKey);
    await request(one);
    await hasFailed(1);
    bench.razorpay.failNext(ownRefund, silence, NO_BALANCE);
    await bench.service.travel(8 * DAY_MS);
    await hasFailed(2);
    await bench.service.travel(2 * HOUR_MS);
    await reaches(one, 'PENDING');
    expect(made(one)).toHaveLength(1);
    const causes = await bench.records.query<{ cause: string }>(
      `SELECT split_part(cause, ' ', 2) AS cause FROM operator_flags
       WHERE subject_id = $1 AND kind = 'GATEWAY_REFUSED' ORDER BY id`,
      [one.subjectId],
    );
    expect(causes.map(({ cause }) => cause)).toEqual(['', 'REFUND']);
  });

  it('of a payment of another amount is made automatically, and the link may be paid rightly', async () => {
    const orderId = await bench.openOrder();
    const { id: paymentId } = bench.razorpay.pay(orderId, { amount: FEE + 100 });
    await bench.poll(orderId);
    const { subject_id: subjectId } = await bench.records.order(orderId);
    const one = { orderId, subjectId, paymentId };
    await reaches(one, 'PENDING');
    expect(made(one)).toMatchObject([{ amount: FEE + 100 }]);
    expect(await bench.records.paymentFlags(subjectId)).toEqual(['PAYMENT_DIFFERS']);
    bench.razorpay.refunds.end(made(one)[0], 'processed');
    // The link is paid but shows no payment: a valid answer, too.
    await bench.poll(orderId);
    expect((await bench.records.order(orderId)).failures).toBe(0);
  });
});
