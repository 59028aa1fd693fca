import { describe, expect, it, vi } from 'vitest';
import { PaymentOrderClosed, SHORTEST_PAGE_LIFE_MS } from '../../../src/payments/index.js';
import { eventually } from '../../support/eventually.js';
import {
  MINUTE_MS,
  PAST_EXPIRY_MS,
  PATIENT,
  type RazorpayBench,
  razorpayTests,
} from './payment-bench.js';

const CREATE = /^POST \/v1\/payment_links$/;

let bench: RazorpayBench;

razorpayTests((started) => {
  bench = started;
});

describe('an order that nobody paid in its time', () => {
  it('is paid all the same when that was in the last moment, or between the question and the cancellation', async () => {
    const [early, id] = await Promise.all([bench.openOrder(), bench.openOrder()]);
    bench.razorpay.pay(early);
    const { id: link } = bench.razorpay.linkOf(id);
    bench.razorpay.failNext(new RegExp(`GET /v1/payment_links/${link}$`), {
      status: 200,
      body: { ...bench.razorpay.linkOf(id) },
    });
    bench.razorpay.pay(id);
    await bench.service.travel(PAST_EXPIRY_MS);
    for (const paid of [early, id]) {
      await bench.untilStatus(paid, 'PAID');
      expect(await bench.records.notices(paid)).toEqual(['PAID']);
    }
    expect(bench.razorpay.callsOf('POST', /cancel$/, link)).toHaveLength(1);
  });

  it('stays as it is until the gateway has said so, and takes up money that arrives after its end', async () => {
    const id = await bench.openOrder();
    const { id: link } = bench.razorpay.linkOf(id);
    bench.razorpay.failNext(/POST .*cancel$/, { status: 500 }, { hangUp: true });
    await bench.service.travel(PAST_EXPIRY_MS);
    await eventually(async () => {
      expect((await bench.records.order(id)).failures).toBeGreaterThan(0);
    }, PATIENT);
    expect(await bench.records.notices(id)).toEqual([]);
    await eventually(
      async () => {
        await bench.service.travel(3_000);
        expect(await bench.records.status(id)).toBe('EXPIRED');
      },
      { ...PATIENT, everyMs: 200 },
    );
    expect(bench.razorpay.linkOf(id).status).toBe('cancelled');
    const [first] = bench.razorpay.calls.filter(({ path }) => path.includes(link));
    expect(first.method).toBe('GET');
    expect(await bench.records.trailOf(id)).toEqual([
      'ORDERED NEW',
      'OPENED OPEN',
      'TIME_RAN_OUT OPEN',
      'CLOSED EXPIRED',
    ]);
    await expect(bench.desk.open(id)).rejects.toThrow(PaymentOrderClosed);
    bench.razorpay.pay(id);
    await bench.service.travel(80 * MINUTE_MS);
    await bench.untilStatus(id, 'PAID');
    expect(await bench.records.notices(id)).toEqual(['EXPIRED', 'PAID']);
  });

  it('needs no call when no gateway was ever told of it', async () => {
    const { length: before } = bench.razorpay.calls;
    const id = await bench.transaction(async (tx) => {
      const ordered = await bench.desk.order(tx, bench.newOrder());
      await bench.desk.cancel(tx, ordered);
      return ordered;
    });
    await bench.untilStatus(id, 'CANCELLED');
    expect(
      bench.razorpay.calls.slice(before).filter(({ body }) => body.reference_id === id),
    ).toEqual([]);
    expect((await bench.records.order(id)).next_attempt_at).toBeNull();
  });
});

describe('an order that is cancelled', () => {
  it('is closed at the gateway in the background, unless that is rolled back', async () => {
    const id = await bench.openOrder();
    const failed = bench.transaction(async (tx) => {
      await bench.desk.cancel(tx, id);
      throw new Error('not after all');
    });
    await expect(failed).rejects.toThrow('not after all');
    await bench.poll(id);
    expect(await bench.records.status(id)).toBe('OPEN');
    await bench.transaction((tx) => bench.desk.cancel(tx, id));
    await expect(bench.desk.open(id)).rejects.toMatchObject({ status: 'CANCELLED' });
    await bench.untilStatus(id, 'CANCELLED');
    expect(bench.razorpay.linkOf(id).status).toBe('cancelled');
    expect(await bench.records.notices(id)).toEqual(['CANCELLED']);
  });

  it('whose creation’s answer was lost leaves no open link behind', async () => {
    bench.razorpay.failNext(CREATE, { loseAnswer: true });
    // What would find it again fails, too, until it is cancelled.
    bench.razorpay.failNext(CREATE, ...Array.from({ length: 20 }, () => ({ status: 503 })));
    const id = await bench.order();
    await eventually(() => bench.razorpay.linkOf(id), PATIENT);
    await bench.transaction((tx) => bench.desk.cancel(tx, id));
    await bench.untilStatus(id, 'CANCELLED');
    expect(bench.razorpay.linkOf(id).status).toBe('cancelled');
  });

  it('while its page is opened in the last minutes is not ended before that page is closed', async () => {
    const gateway = bench.gateway('razorpay');
    const create = gateway.createOrder.bind(gateway);
    const opening = vi.spyOn(gateway, 'createOrder').mockImplementationOnce(async (order) => {
      const opened = await create(order);
      await bench.transaction((tx) => bench.desk.cancel(tx, order.orderId));
      // Less time is left than a page of Razorpay's is open, and the lease still holds.
      await bench.service.travel(30_000);
      return opened;
    });
    const expiresAt = new Date(bench.service.now().getTime() + SHORTEST_PAGE_LIFE_MS + 25_000);
    const id = await bench.order({ expiresAt });
    await bench.untilStatus(id, 'CANCELLED');
    opening.mockRestore();
    expect(bench.razorpay.linkOf(id).status).toBe('cancelled');
    expect(await bench.records.trailOf(id)).toEqual([
      'ORDERED NEW',
      'CALLED_OFF NEW',
      'OPENED OPEN',
      'CLOSED CANCELLED',
    ]);
  });
});

describe('after a payment that failed', () => {
  it('the same link is paid again, since Razorpay’s takes another try', async () => {
    const id = await bench.openOrder();
    const payment = bench.razorpay.fail(id);
    await bench.callBack(bench.razorpay.webhook('payment.failed', id, { payment }));
    expect(await bench.records.status(id)).toBe('FAILED');
    expect(await bench.transaction((tx) => bench.desk.retry(tx, id))).toBe(id);
    expect(await bench.desk.open(id)).toEqual({ url: bench.razorpay.linkOf(id).short_url });
    bench.razorpay.pay(id);
    await bench.poll(id);
    expect(await bench.records.status(id)).toBe('PAID');
    await expect(bench.transaction((tx) => bench.desk.retry(tx, id))).rejects.toThrow('PAID');
  });
});
