// Isolated: two replicas race for the same orders and refunds.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Refunds } from '../../../src/payments/index.js';
import { PaymentOrdersRepository } from '../../../src/payments/store/payment-orders.repository.js';
import { eventually } from '../../support/eventually.js';
import { FakeRazorpay } from '../../support/fake-razorpay.js';
import { inForm } from '../../support/long-form.js';
import { startTwoReplicas, type TwoReplicas } from '../../support/service.js';
import { FEE, PAST_EXPIRY_MS, PATIENT, PaymentBench, razorpayConfig } from './payment-bench.js';

const LEASE_MS = 45_000;

const LINKS = /^\/v1\/payment_links$/;

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describe('orders and refunds', () => {
  const ORDERS = inForm({ short: 6, long: 24 });
  const CREATE = /^POST \/v1\/payment_links$/;
  let razorpay: FakeRazorpay;
  let replicas: TwoReplicas;
  let first: PaymentBench;
  let second: PaymentBench;

  beforeAll(async () => {
    razorpay = await new FakeRazorpay().start();
    const config = razorpayConfig(razorpay.url);
    replicas = await startTwoReplicas({ configFile: config.file });
    config.remove();
    razorpay.now = () => replicas.first.now();
    first = new PaymentBench(replicas.first);
    second = new PaymentBench(replicas.second);
  });

  afterAll(async () => {
    await first?.records.close();
    await second?.records.close();
    await replicas?.close();
    await razorpay?.stop();
  });

  function orderOnBoth(count: number): Promise<string[]> {
    const bench = (index: number) => (index % 2 === 0 ? first : second);
    return Promise.all(Array.from({ length: count }, (_, index) => bench(index).openOrder()));
  }

  const questionsAbout = (orderId: string) =>
    razorpay.callsOf('GET', /payment_links\//, razorpay.linkOf(orderId).id).length;

  describe('two replicas', () => {
    it('create each order’s link once', async () => {
      for (const id of await orderOnBoth(ORDERS)) {
        expect(razorpay.callsOf('POST', LINKS, id)).toHaveLength(1);
      }
    });

    it('open a page once when it is visited on both', async () => {
      const id = await first.order();
      const visits = [first, second, first, second].map((bench) => bench.desk.open(id));
      const urls = new Set((await Promise.all(visits)).map(({ url }) => url));
      expect(urls).toEqual(new Set([razorpay.linkOf(id).short_url]));
      expect(razorpay.callsOf('POST', LINKS, id)).toHaveLength(1);
    });

    it('ask about each order once when its callback is due and never came', async () => {
      const ids = await orderOnBoth(ORDERS);
      for (const id of ids) expect(questionsAbout(id)).toBe(0);
      await replicas.travel(140_000);
      await eventually(() => {
        for (const id of ids) expect(questionsAbout(id)).toBeGreaterThan(0);
      }, PATIENT);
      for (const id of ids) expect(questionsAbout(id)).toBe(1);
    });

    it('take a callback that reaches both at the same moment up once', async () => {
      const id = await first.openOrder();
      const payment = razorpay.pay(id);
      const webhook = razorpay.webhook('payment_link.paid', id, { payment });
      const answers = await Promise.all(
        [first, second, first, second].map((bench) => bench.callBack(webhook)),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(await first.records.payments(id)).toHaveLength(1);
      expect(await first.records.notices(id)).toEqual(['PAID']);
    });

    it('make each refund once, whichever of them is asked for it', async () => {
      razorpay.refunds.startsAs = 'processed';
      const ids = await orderOnBoth(ORDERS);
      for (const id of ids) {
        const { id: gatewayPaymentId } = razorpay.pay(id);
        await first.poll(id);
        const refund = {
          partnerId: 'demo',
          orderId: id,
          gatewayPaymentId,
          reason: 'DECLINED',
        } as const;
        const asked = await Promise.all(
          [first, second].map((bench) =>
            bench.transaction((tx) => bench.service.get<Refunds>(Refunds).request(tx, refund)),
          ),
        );
        expect(asked.filter((refundId) => refundId !== null)).toHaveLength(1);
      }
      for (const id of ids) {
        const { subject_id: subjectId } = await first.records.order(id);
        await eventually(async () => {
          expect(await first.records.refunds(subjectId)).toMatchObject([{ status: 'DONE' }]);
        }, PATIENT);
        const [{ id: paymentId }] = await first.records.payments(id);
        expect(razorpay.callsOf('POST', /refund$/, paymentId)).toHaveLength(1);
        expect(razorpay.refunds.totalOf(paymentId)).toBe(FEE);
      }
    });

    it('close each order that ran out once', async () => {
      const ids = await orderOnBoth(ORDERS);
      await replicas.travel(PAST_EXPIRY_MS);
      for (const id of ids) await first.untilStatus(id, 'EXPIRED');
      for (const id of ids) {
        expect(razorpay.callsOf('POST', /cancel$/, razorpay.linkOf(id).id)).toHaveLength(1);
        expect(await first.records.notices(id)).toEqual(['EXPIRED']);
      }
    });
  });

  describe('a holder that dies', () => {
    it('before its call leaves a lease; when that has run out, another one goes on', async () => {
      const id = await first.openOrder();
      const dead = await first.service
        .get<PaymentOrdersRepository>(PaymentOrdersRepository)
        .claimOne(id);
      expect(dead).not.toBeNull();
      razorpay.pay(id);
      expect(
        await second.service.get<PaymentOrdersRepository>(PaymentOrdersRepository).claimOne(id),
      ).toBeNull();
      expect(await second.records.status(id)).toBe('OPEN');
      await replicas.travel(LEASE_MS + 1_000);
      await second.untilStatus(id, 'PAID');
    });

    it('between its call and its record leaves one link, which another one finds', async () => {
      razorpay.failNext(CREATE, { keepWaiting: true });
      const id = await first.order();
      const link = await eventually(() => razorpay.linkOf(id), PATIENT);
      expect(await first.records.order(id)).toMatchObject({
        status: 'NEW',
        gateway_order_id: null,
      });
      await replicas.travel(LEASE_MS + 1_000);
      await second.untilStatus(id, 'OPEN');
      expect((await first.records.order(id)).gateway_order_id).toBe(link.id);
      const links = [...razorpay.links.values()].filter(({ reference_id }) => reference_id === id);
      expect(links).toHaveLength(1);
    });

    it('that was only slow finds its schedule void, and what it learned is kept', async () => {
      const id = await first.openOrder();
      const orders = first.service.get<PaymentOrdersRepository>(PaymentOrdersRepository);
      const slow = await orders.claimOne(id);
      await replicas.travel(LEASE_MS + 1_000);
      await second.poll(id);
      const { next_attempt_at: next } = await first.records.order(id);
      await first.transaction((tx) => orders.release(tx, slow!, null));
      expect((await first.records.order(id)).next_attempt_at).toEqual(next);
    });
  });
});
