import { describe, expect, it } from 'vitest';
import { Refunds } from '../../../src/payments/index.js';
import { RefundRefused } from '../../../src/payments/payment-gateway.js';
import type { LeasedRefund } from '../../../src/payments/payment-order.js';
import { RefundFailures } from '../../../src/payments/refunds/refund-processing.js';
import { PaymentRefundsRepository } from '../../../src/payments/store/payment-refunds.repository.js';
import { eventually } from '../../support/eventually.js';
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
const LEASE_MS = 45_000;
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
    bench.lookForWork();
    expect(await standing(one)).toEqual([status, attempt]);
  }, PATIENT);
}

function made({ paymentId }: Paid): RefundEntity[] {
  return bench.razorpay.refunds.of(paymentId);
}

function tell(event: string, refund: RefundEntity): Promise<Response> {
  return bench.callBack(bench.razorpay.refundWebhook(event, refund));
}

const REFUSED = new RefundRefused('not enough balance');

/** One that has failed since then, as who works on it has it; the worker leaves it alone from now on. */
async function leased8DaysLater(
  id: string,
  since: 'refused_since' | 'failing_since',
): Promise<LeasedRefund> {
  const isLeft = () => {
    bench.lookForWork();
    return bench.records.query(
      `UPDATE payment_refunds SET ${since} = app_now() - interval '8 days',
         next_attempt_at = app_now() + interval '1 day'
       WHERE id = $1 AND ${since} IS NOT NULL AND lease_until IS NULL RETURNING id`,
      [id],
    );
  };
  await eventually(async () => expect(await isLeft()).toHaveLength(1), PATIENT);
  const refunds = bench.service.get<PaymentRefundsRepository>(PaymentRefundsRepository);
  return (await bench.transaction((tx) => refunds.lock(tx, id)))!;
}

describe('a refund', () => {
  it('is asked for under our own id, as its receipt and idempotency key, and for all of it', async () => {
    const one = await paid();
    const id = await request(one);
    await reaches(one, 'PENDING');
    const [call, ...others] = bench.razorpay.callsOf('POST', PATH, one.paymentId);
    expect(others).toEqual([]);
    expect(call.body).toEqual({ amount: FEE, speed: 'normal', receipt: `${id}-1` });
    expect(call.headers['x-refund-idempotency']).toBe(`${id}-1`);
    expect(await request(one)).toBeNull();
    expect(made(one)).toHaveLength(1);
  });

  it.each(['refund.created', 'refund.processed'])(
    'is done when %s says so, once, however often it comes',
    async (event) => {
      const one = await paid();
      await request(one);
      await reaches(one, 'PENDING');
      const [refund] = made(one);
      bench.razorpay.refunds.end(refund, 'processed');
      const webhook = bench.razorpay.refundWebhook(event, refund);
      const answers = [await bench.callBack(webhook), await bench.callBack(webhook)];
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(await standing(one)).toEqual(['DONE', 1]);
      const trail = await bench.records.trailOf(one.orderId);
      expect(trail.filter((step) => step.startsWith('REFUND'))).toEqual([
        'REFUND_REQUESTED REQUESTED',
        'REFUND_PENDING PENDING',
        'REFUND_DONE DONE',
      ]);
    },
  );

  it('is asked about when no callback comes', async () => {
    const one = await paid();
    await request(one);
    await reaches(one, 'PENDING');
    bench.razorpay.refunds.end(made(one)[0], 'processed');
    await bench.service.travel(3 * MINUTE_MS);
    await reaches(one, 'DONE');
    expect(made(one)).toHaveLength(1);
  });

  it('whose answer was lost is found by its receipt, even when Razorpay has forgotten the key', async () => {
    const one = await paid();
    bench.razorpay.failNext(REFUND, { loseAnswer: true });
    bench.razorpay.refunds.forgetsKeys = true;
    await request(one);
    await reaches(one, 'PENDING');
    bench.razorpay.refunds.forgetsKeys = false;
    expect(made(one)).toHaveLength(1);
  });

  it('that is just being made (409) is waited for', async () => {
    const one = await paid();
    const description = 'Another request with the same idempotency key is in progress.';
    bench.razorpay.failNext(REFUND, { status: 409, body: { error: { description } } });
    await request(one);
    await reaches(one, 'PENDING');
    expect(await bench.records.paymentFlags(one.subjectId)).toEqual([]);
  });

  it('that Razorpay gave up is asked for again under another name, and told of late changes nothing', async () => {
    const one = await paid();
    await request(one);
    await reaches(one, 'PENDING');
    const [first] = made(one);
    await tell('refund.failed', bench.razorpay.refunds.end(first, 'failed'));
    expect(await standing(one)).toEqual(['REQUESTED', 2]);
    await bench.service.travel(2 * HOUR_MS);
    await reaches(one, 'PENDING', 2);
    const [, second] = made(one);
    expect(second.receipt).not.toBe(first.receipt);
    await tell('refund.failed', first);
    expect(await standing(one)).toEqual(['PENDING', 2]);
    await tell('refund.processed', bench.razorpay.refunds.end(second, 'processed'));
    expect(await standing(one)).toEqual(['DONE', 2]);
    expect(await bench.records.paymentFlags(one.subjectId)).toEqual([]);
  });

  it('that Razorpay gave up three times has failed: a person sees to it', async () => {
    const one = await paid();
    await request(one);
    for (const attempt of [1, 2, 3]) {
      await reaches(one, 'PENDING', attempt);
      await tell('refund.failed', bench.razorpay.refunds.end(made(one).at(-1)!, 'failed'));
      await bench.service.travel(28 * HOUR_MS);
    }
    expect(await standing(one)).toEqual(['FAILED', 3]);
    expect(await bench.records.paymentFlags(one.subjectId)).toEqual(['REFUND_FAILED']);
    expect(bench.razorpay.refunds.totalOf(one.paymentId)).toBe(0);
  });

  it('that Razorpay turns down is put before the operator once, and made when that is mended', async () => {
    const one = await paid();
    const description =
      'Your account does not have enough balance to carry out the refund operation.';
    const refusal = { status: 400, body: { error: { code: 'BAD_REQUEST_ERROR', description } } };
    bench.razorpay.failNext(REFUND, refusal, refusal);
    await request(one);
    await reaches(one, 'PENDING');
    expect(await bench.records.paymentFlags(one.subjectId)).toEqual(['GATEWAY_REFUSED']);
    expect(made(one)).toHaveLength(1);
  });

  it('that Razorpay turns down for a week has failed: the money went back by hand, say', async () => {
    const one = await paid();
    const body = { amount: FEE };
    bench.razorpay.refunds.make(one.paymentId, {
      method: 'POST',
      path: '',
      query: new URLSearchParams(),
      headers: {},
      body,
    });
    await request(one);
    await eventually(
      async () =>
        expect(await bench.records.paymentFlags(one.subjectId)).toEqual(['GATEWAY_REFUSED']),
      PATIENT,
    );
    expect(await standing(one)).toEqual(['REQUESTED', 1]);
    await bench.service.travel(8 * DAY_MS);
    await reaches(one, 'FAILED');
    expect(await bench.records.paymentFlags(one.subjectId)).toEqual([
      'GATEWAY_REFUSED',
      'REFUND_FAILED',
    ]);
    // What was done by hand is none of ours.
    const [byHand] = made(one);
    bench.razorpay.refunds.end(byHand, 'processed');
    expect((await tell('refund.processed', byHand)).status).toBe(200);
    expect(await standing(one)).toEqual(['FAILED', 1]);
  });

  it('that Razorpay calls back about while it turns a call down is not given up', async () => {
    const one = await paid();
    bench.razorpay.failNext(REFUND, NO_BALANCE);
    const id = (await request(one))!;
    const leased = await leased8DaysLater(id, 'refused_since');
    const body = { amount: FEE, receipt: `${id}-1` };
    const call = { method: 'POST', path: '', query: new URLSearchParams(), headers: {}, body };
    bench.razorpay.refunds.make(one.paymentId, call);
    expect((await tell('refund.created', made(one)[0])).status).toBe(200);
    await bench.service.get<RefundFailures>(RefundFailures).record(leased, REFUSED);
    expect(await standing(one)).toEqual(['PENDING', 1]);
    expect(await bench.records.paymentFlags(one.subjectId)).toEqual(['GATEWAY_REFUSED']);
  });

  it('that Razorpay turns down after a week of silence is not given up', async () => {
    const one = await paid();
    bench.razorpay.failNext(REFUND, { hangUp: true });
    const leased = await leased8DaysLater((await request(one))!, 'failing_since');
    await bench.service.get<RefundFailures>(RefundFailures).record(leased, REFUSED);
    expect(await standing(one)).toEqual(['REQUESTED', 1]);
  });

  it.each(['created', 'a_state_of_tomorrow'])(
    'that Razorpay answers as %s is on its way, and is not asked for again',
    async (state) => {
      const one = await paid();
      bench.razorpay.refunds.startsAs = state;
      await request(one);
      await reaches(one, 'PENDING');
      bench.razorpay.refunds.startsAs = 'pending';
      expect(made(one)).toHaveLength(1);
      bench.razorpay.refunds.end(made(one)[0], 'processed');
      await bench.service.travel(3 * MINUTE_MS);
      await reaches(one, 'DONE');
    },
  );

  it('that Razorpay reverses is asked for again', async () => {
    const one = await paid();
    await request(one);
    await reaches(one, 'PENDING');
    bench.razorpay.refunds.end(made(one)[0], 'reversed');
    await bench.service.travel(3 * MINUTE_MS);
    await reaches(one, 'REQUESTED', 2);
    expect(await bench.records.paymentFlags(one.subjectId)).toEqual([]);
  });

  it('that Razorpay takes back after it was done is put before the operator, once', async () => {
    const one = await paid();
    await request(one);
    await reaches(one, 'PENDING');
    const [refund] = made(one);
    await tell('refund.processed', bench.razorpay.refunds.end(refund, 'processed'));
    expect(await standing(one)).toEqual(['DONE', 1]);
    bench.razorpay.refunds.end(refund, 'failed');
    await bench.callBack(bench.razorpay.refundWebhook('refund.failed', refund));
    await bench.callBack(bench.razorpay.refundWebhook('refund.failed', refund));
    expect(await standing(one)).toEqual(['DONE', 1]);
    expect(await bench.records.paymentFlags(one.subjectId)).toEqual(['REFUND_FAILED']);
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
    const failures = async () => {
      bench.lookForWork();
      const [row] = await bench.records.query<{ failures: number }>(
        'SELECT failures FROM payment_refunds WHERE subject_id = $1',
        [one.subjectId],
      );
      return row.failures;
    };
    // Of this payment alone: refunds of earlier tests are tried again after the days.
    const ownRefund = new RegExp(`/payments/${one.paymentId}/refund$`);
    bench.razorpay.failNext(ownRefund, wrongKey);
    await request(one);
    await eventually(async () => expect(await failures()).toBe(1), PATIENT);
    bench.razorpay.failNext(ownRefund, silence, NO_BALANCE);
    await bench.service.travel(8 * DAY_MS);
    await eventually(async () => expect(await failures()).toBe(2), PATIENT);
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

  it('that has failed is made once more when a person says so, and its flag is closed', async () => {
    const one = await paid();
    const id = await request(one);
    await reaches(one, 'PENDING');
    const retry = () =>
      bench.transaction((tx) => bench.service.get<Refunds>(Refunds).retry(tx, id!));
    expect(await retry()).toBe(false);
    await bench.records.query(`UPDATE payment_refunds SET attempt = 3 WHERE id = $1`, [id]);
    const [first] = made(one);
    bench.razorpay.refunds.end(first, 'failed');
    await tell('refund.failed', { ...first, receipt: `${id}-3` });
    expect(await standing(one)).toEqual(['FAILED', 3]);
    const open = () =>
      bench.records.query(
        'SELECT 1 FROM operator_flags WHERE subject_id = $1 AND resolved_at IS NULL',
        [one.subjectId],
      );
    expect(await open()).toHaveLength(1);
    expect(await retry()).toBe(true);
    await reaches(one, 'PENDING', 4);
    expect(await open()).toEqual([]);
    expect(made(one).at(-1)).toMatchObject({ receipt: `${id}-4`, amount: FEE });
  });

  it('that is done after it had failed closes its flag: nobody pays it another way', async () => {
    const one = await paid();
    await request(one);
    await reaches(one, 'PENDING');
    const [refund] = made(one);
    await bench.records.query(
      `WITH failed AS (
         UPDATE payment_refunds SET status = 'FAILED' WHERE subject_id = $1 RETURNING *)
       INSERT INTO operator_flags (partner_id, subject_id, kind, cause, detail)
       SELECT partner_id, subject_id, 'REFUND_FAILED', id, jsonb_build_object('refundId', id) FROM failed`,
      [one.subjectId],
    );
    await tell('refund.processed', bench.razorpay.refunds.end(refund, 'processed'));
    expect(await standing(one)).toEqual(['DONE', 1]);
    const open = await bench.records.query(
      'SELECT 1 FROM operator_flags WHERE subject_id = $1 AND resolved_at IS NULL',
      [one.subjectId],
    );
    expect(open).toEqual([]);
  });

  it('that is on its way for two weeks is put before the operator once, and still followed', async () => {
    const one = await paid();
    await request(one);
    await reaches(one, 'PENDING');
    await bench.service.travel(15 * DAY_MS);
    const late = async () =>
      expect(await bench.records.paymentFlags(one.subjectId)).toEqual(['REFUND_LATE']);
    await eventually(late, PATIENT);
    bench.razorpay.refunds.end(made(one)[0], 'processed');
    await bench.service.travel(7 * HOUR_MS);
    await reaches(one, 'DONE');
    await late();
  });

  it('of a payment of another amount is made by itself, and the link may be paid rightly', async () => {
    const orderId = await bench.openOrder();
    const { id: paymentId } = bench.razorpay.pay(orderId, { amount: FEE + 100 });
    await bench.poll(orderId);
    const { subject_id: subjectId } = await bench.records.order(orderId);
    const one = { orderId, subjectId, paymentId };
    await reaches(one, 'PENDING');
    expect(made(one)).toMatchObject([{ amount: FEE + 100 }]);
    expect(await bench.records.paymentFlags(subjectId)).toEqual(['PAYMENT_DIFFERS']);
    bench.razorpay.refunds.end(made(one)[0], 'processed');
    // The link is paid, and shows no payment any more: that is an answer, too.
    await bench.poll(orderId);
    expect((await bench.records.order(orderId)).failures).toBe(0);
  });

  it('whose callback is signed with another secret changes nothing', async () => {
    const one = await paid();
    await request(one);
    await reaches(one, 'PENDING');
    const [refund] = made(one);
    const { headers, body } = bench.razorpay.refundWebhook('refund.processed', {
      ...refund,
      status: 'processed',
    });
    const forged = { headers: { ...headers, 'x-razorpay-signature': '0'.repeat(64) }, body };
    expect((await bench.callBack(forged)).status).toBe(401);
    expect(await standing(one)).toEqual(['PENDING', 1]);
  });

  it.each([
    ['amount', { amount: 100 }],
    ['payment', { payment_id: 'pay_OfSomebodyElse' }],
  ])('that names another %s is not this one', async (_, differently) => {
    const one = await paid();
    await request(one);
    await reaches(one, 'PENDING');
    const [refund] = made(one);
    await tell('refund.processed', { ...refund, status: 'processed', ...differently });
    expect(await standing(one)).toEqual(['PENDING', 1]);
  });

  it('whose holder died after the call leaves a lease; another one finds what was made', async () => {
    const one = await paid();
    bench.razorpay.failNext(REFUND, { keepWaiting: true });
    await request(one);
    await eventually(() => expect(made(one)).toHaveLength(1), PATIENT);
    expect(await standing(one)).toEqual(['REQUESTED', 1]);
    await bench.service.travel(LEASE_MS + 1_000);
    await reaches(one, 'PENDING');
    expect(made(one)).toHaveLength(1);
  });
});
