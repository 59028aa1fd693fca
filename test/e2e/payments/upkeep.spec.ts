import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PaymentUpkeepRepository } from '../../../src/payments/store/payment-upkeep.repository.js';
import { PaymentsTasks } from '../../../src/payments/payments.tasks.js';
import { HOUR_MS, PAST_EXPIRY_MS, RazorpayBench } from './payment-bench.js';

const DAY_MS = 24 * HOUR_MS;

let bench: RazorpayBench;

beforeAll(async () => {
  bench = await RazorpayBench.start();
});

afterAll(() => bench?.close());

interface Kept {
  callbacks: number;
  notices: number;
  payments: number;
  audit: number;
}

async function kept(orderId: string): Promise<Kept> {
  const [row] = await bench.records.query<Kept & Record<string, unknown>>(
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

/** As the owner of the bench's orders would, if they had one. */
async function takeUp(orderId: string): Promise<void> {
  await bench.records.query(
    'UPDATE payment_inbox SET consumed_at = app_now() WHERE order_id = $1',
    [orderId],
  );
}

/** An order that was called back about once, the notice processed. */
async function paidOrder(): Promise<string> {
  const id = await bench.openOrder();
  const payment = bench.razorpay.pay(id);
  await bench.callBack(bench.razorpay.webhook('payment_link.paid', id, { payment }));
  await takeUp(id);
  return id;
}

describe('cleaning payments', () => {
  it('removes callbacks and notices after 180 days, and keeps what was paid and came to pass', async () => {
    const old = await paidOrder();
    const { payments, audit } = await kept(old);
    await bench.service.travel(179 * DAY_MS);
    const young = await paidOrder();
    await clean();
    expect(await kept(old)).toEqual({ callbacks: 1, notices: 1, payments, audit });
    await bench.service.travel(2 * DAY_MS);
    await clean();
    expect(await kept(old)).toEqual({ callbacks: 0, notices: 0, payments, audit });
    expect(await kept(young)).toMatchObject({ callbacks: 1, notices: 1 });
  });

  it('leaves all of an order that is not over, so that what is told again is known', async () => {
    const id = await bench.openOrder();
    const payment = bench.razorpay.fail(id);
    const webhook = bench.razorpay.webhook('payment.failed', id, { payment });
    await bench.callBack(webhook);
    await takeUp(id);
    // The gateway is silent, so nobody knows how the order ends.
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

  it('takes nothing twice that is told again after its callback was removed', async () => {
    const id = await bench.openOrder();
    const payment = bench.razorpay.pay(id);
    const webhook = bench.razorpay.webhook('payment_link.paid', id, { payment });
    await bench.callBack(webhook);
    await takeUp(id);
    await bench.service.travel(181 * DAY_MS);
    await clean();
    const { payments, audit } = await kept(id);
    expect((await bench.callBack(webhook)).status).toBe(200);
    expect(await kept(id)).toEqual({ callbacks: 1, notices: 0, payments, audit });
  });

  it('goes through them in chunks, past those that stay', async () => {
    const ids = [await paidOrder(), await paidOrder(), await paidOrder()];
    await bench.records.query('UPDATE payment_inbox SET consumed_at = NULL WHERE order_id = $1', [
      ids[0],
    ]);
    await bench.service.travel(181 * DAY_MS);
    const upkeep = bench.service.get<PaymentUpkeepRepository>(PaymentUpkeepRepository);
    let after: number | null = 0;
    let chunks = 0;
    for (; after !== null; chunks += 1) after = await upkeep.removeNotices(1, after);
    expect(chunks).toBeGreaterThan(2);
    const left = await Promise.all(ids.map(async (id) => (await kept(id)).notices));
    expect(left).toEqual([1, 0, 0]);
  });
});
