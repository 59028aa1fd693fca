import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Refunds } from '../../../src/payments/index.js';
import { PaymentOrdersRepository } from '../../../src/payments/store/payment-orders.repository.js';
import { eventually } from '../../support/eventually.js';
import { inForm } from '../../support/long-form.js';
import { sharedReplicas, type SharedReplicas } from '../../support/shared-service.js';
import { FEE, PAST_EXPIRY_MS, PATIENT, PaymentBench, RazorpayBench } from './payment-bench.js';

const ORDERS = inForm({ short: 4, long: 24 });
const LEASE_MS = 45_000;
const LINKS = /^\/v1\/payment_links$/;

let replicas: SharedReplicas;
let first: RazorpayBench;
let second: PaymentBench;

beforeAll(async () => {
  replicas = await sharedReplicas();
  first = await RazorpayBench.of(replicas.first);
  // The second replica reads the configuration again.
  await replicas.travel(1_001);
  second = new PaymentBench(replicas.second);
});

afterEach(() => first?.razorpay.recover());

afterAll(async () => {
  await second?.close();
  await first?.close();
});

const bothTimes = (count: number) =>
  Array.from({ length: count }, (_, index) => (index % 2 === 0 ? first : second));

const orderOnBoth = (count: number) =>
  Promise.all(bothTimes(count).map((bench) => bench.openOrder()));

const ordersAt = (bench: PaymentBench) =>
  bench.service.get<PaymentOrdersRepository>(PaymentOrdersRepository);

describe('two replicas', () => {
  it('create each link once, also when its page is visited on both, ask about each order once, and close it once', async () => {
    const { razorpay } = first;
    const visited = await first.order();
    const visits = bothTimes(4).map((bench) => bench.desk.open(visited));
    const urls = new Set((await Promise.all(visits)).map(({ url }) => url));
    expect(urls).toEqual(new Set([razorpay.linkOf(visited).short_url]));
    const ids = [visited, ...(await orderOnBoth(ORDERS))];
    const calls = (method: string, path: RegExp) =>
      ids.map((id) => razorpay.callsOf(method, path, razorpay.linkOf(id).id).length);
    const once = ids.map(() => 1);
    for (const id of ids) expect(razorpay.callsOf('POST', LINKS, id)).toHaveLength(1);
    await replicas.travel(140_000);
    const questions = () => calls('GET', /payment_links\//);
    const leased = 'SELECT 1 FROM payment_orders WHERE id = ANY ($1) AND lease_until IS NOT NULL';
    await eventually(async () => {
      expect(Math.min(...questions())).toBeGreaterThan(0);
      expect(await first.records.query(leased, [ids])).toEqual([]);
    }, PATIENT);
    expect(questions()).toEqual(once);
    await replicas.travel(PAST_EXPIRY_MS);
    for (const id of ids) {
      await first.untilStatus(id, 'EXPIRED');
      expect(await first.records.notices(id)).toEqual(['EXPIRED']);
    }
    expect(calls('POST', /cancel$/)).toEqual(once);
  });

  it('take a callback that reaches both once, and make each refund once, whichever is asked for it', async () => {
    const { razorpay } = first;
    razorpay.refunds.startsAs = 'processed';
    for (const id of await orderOnBoth(ORDERS)) {
      const payment = razorpay.pay(id);
      const webhook = razorpay.webhook('payment_link.paid', id, { payment });
      const answers = await Promise.all(bothTimes(4).map((bench) => bench.callBack(webhook)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(await first.records.payments(id)).toHaveLength(1);
      expect(await first.records.notices(id)).toEqual(['PAID']);
      const { partnerId } = replicas.first;
      const refund = { partnerId, orderId: id, gatewayPaymentId: payment.id } as const;
      const request = (bench: PaymentBench) =>
        bench.transaction((tx) =>
          bench.service.get<Refunds>(Refunds).request(tx, { ...refund, reason: 'DECLINED' }),
        );
      const asked = await Promise.all(bothTimes(2).map(request));
      expect(asked.filter((refundId) => refundId !== null)).toHaveLength(1);
      const { subject_id: subjectId } = await first.records.order(id);
      await eventually(async () => {
        expect(await first.records.refunds(subjectId)).toMatchObject([{ status: 'DONE' }]);
      }, PATIENT);
      expect(razorpay.callsOf('POST', /refund$/, payment.id)).toHaveLength(1);
      expect(razorpay.refunds.totalOf(payment.id)).toBe(FEE);
    }
  });
});

describe('a holder that dies', () => {
  it('leaves a lease, which another one takes when it has expired; one that was only slow finds its schedule void', async () => {
    const id = await first.openOrder();
    const slow = await ordersAt(first).claimOne(id);
    expect(await ordersAt(second).claimOne(id)).toBeNull();
    await replicas.travel(LEASE_MS + 1_000);
    await second.poll(id);
    const { next_attempt_at: next } = await first.records.order(id);
    await first.transaction((tx) => ordersAt(first).release(tx, slow!, null));
    expect((await first.records.order(id)).next_attempt_at).toEqual(next);
  });
});
