import { describe, expect, it } from 'vitest';
import { PaymentUpkeepRepository } from '../../../src/payments/store/payment-upkeep.repository.js';
import { PaymentsTasks } from '../../../src/payments/payments.tasks.js';
import { eraseRecords } from '../../support/erase-records.js';
import type { Webhook } from '../../support/fake-razorpay.js';
import { HOUR_MS, PAST_EXPIRY_MS, type RazorpayBench, razorpayTests } from './payment-bench.js';

const DAY_MS = 24 * HOUR_MS;

let bench: RazorpayBench;

razorpayTests((started) => {
  bench = started;
});

async function kept(orderId: string) {
  const [row] = await bench.records.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM payment_callbacks WHERE order_id = $1) AS callbacks,
       (SELECT count(*)::int FROM payment_inbox WHERE order_id = $1) AS notices,
       (SELECT count(*)::int FROM payments WHERE order_id = $1) AS payments,
       (SELECT count(*)::int FROM payment_audit WHERE order_id = $1) AS audit`,
    [orderId],
  );
  return row;
}

function clean(): Promise<void> {
  return bench.service.get<PaymentsTasks>(PaymentsTasks).clean();
}

/** Consumes the notices, since the bench's orders have no owner. */
async function takeUp(orderId: string): Promise<void> {
  const consume = 'UPDATE payment_inbox SET consumed_at = app_now() WHERE order_id = $1';
  await bench.records.query(consume, [orderId]);
}

/** An order with one callback, whose notice is processed. */
async function paidOrder(): Promise<{ id: string; paid: Webhook }> {
  const order = await bench.paidOrder();
  await bench.callBack(order.paid);
  await takeUp(order.id);
  return order;
}

describe('cleaning payments', () => {
  it('removes callbacks and notices after 180 days, in chunks; a repeat does not count again', async () => {
    const { id: old, paid } = await paidOrder();
    const { id: untaken } = await paidOrder();
    await bench.records.query('UPDATE payment_inbox SET consumed_at = NULL WHERE order_id = $1', [
      untaken,
    ]);
    const { payments, audit } = await kept(old);
    await bench.service.travel(179 * DAY_MS);
    const { id: young } = await paidOrder();
    await clean();
    expect(await kept(old)).toEqual({ callbacks: 1, notices: 1, payments, audit });
    await bench.service.travel(2 * DAY_MS);
    const upkeep = bench.service.get<PaymentUpkeepRepository>(PaymentUpkeepRepository);
    let after: number | null = 0;
    let chunks = 0;
    for (; after !== null; chunks += 1) after = await upkeep.removeNotices(1, after);
    expect(chunks).toBeGreaterThan(1);
    await clean();
    expect(await kept(old)).toEqual({ callbacks: 0, notices: 0, payments, audit });
    expect(await kept(young)).toMatchObject({ callbacks: 1, notices: 1 });
    expect(await kept(untaken)).toMatchObject({ notices: 1 });
    expect((await bench.callBack(paid)).status).toBe(200);
    expect(await kept(old)).toEqual({ callbacks: 1, notices: 0, payments, audit });
  });

  it('keeps everything of an order that is not over, so that a repeat is recognized', async () => {
    const id = await bench.openOrder();
    const payment = bench.razorpay.fail(id);
    const webhook = bench.razorpay.webhook('payment.failed', id, { payment });
    await bench.callBack(webhook);
    await takeUp(id);
    // The gateway does not respond, so the order's end is unknown.
    const about = new RegExp(`/v1/payment_links/${bench.razorpay.linkOf(id).id}`);
    bench.razorpay.failNext(about, ...Array.from({ length: 500 }, () => ({ status: 503 })));
    await bench.service.travel(PAST_EXPIRY_MS + 181 * DAY_MS);
    await clean();
    expect(await kept(id)).toMatchObject({ callbacks: 1, notices: 1 });
    expect((await bench.callBack(webhook)).status).toBe(200);
    expect(await bench.records.notices(id)).toEqual(['FAILED']);
    bench.razorpay.recover();
    await bench.poll(id);
    expect(await bench.records.status(id)).toBe('EXPIRED');
    await clean();
    expect(await kept(id)).toMatchObject({ callbacks: 0, notices: 1 });
  });
});

it('erasing an applicant takes what the orders say of them, keeps what matches the payment, and cancels what can be paid', async () => {
  const [id, open] = [await bench.openOrder(), await bench.openOrder()];
  const payment = bench.razorpay.pay(id);
  await bench.poll(id);
  const erase = async (orderId: string) => {
    const { subject_id: subject } = await bench.records.order(orderId);
    return eraseRecords(bench.service, { partnerId: bench.service.partnerId, id: subject });
  };
  expect([await erase(id), await erase(id), await erase(open)]).toEqual([1, 0, 1]);
  await bench.untilStatus(open, 'CANCELLED');
  for (const [orderId, status] of [
    [id, 'PAID'],
    [open, 'CANCELLED'],
  ]) {
    const { id: link } = bench.razorpay.linkOf(orderId);
    const erased = { status, gateway_order_id: link, details_sealed: null, url: null };
    expect(await bench.records.order(orderId)).toMatchObject(erased);
  }
  expect(await bench.records.payments(id)).toMatchObject([{ id: payment.id }]);
  expect(bench.razorpay.linkOf(open).status).toBe('cancelled');
});
