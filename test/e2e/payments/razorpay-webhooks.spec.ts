import { describe, expect, it, vi } from 'vitest';
import { AddressLimiter } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { signedWebhook } from '../../support/fake-razorpay.js';
import {
  FEE,
  PAST_EXPIRY_MS,
  PATIENT,
  type RazorpayBench,
  razorpayTests,
} from './payment-bench.js';

let bench: RazorpayBench;

razorpayTests((started) => {
  bench = started;
});

describe('payment_link.paid', () => {
  it('makes the order paid, records the payment and tells its owner, once', async () => {
    const { id, paid } = await bench.paidOrder();
    const answer = await bench.callBack(paid);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ received: true });
    expect(await bench.records.status(id)).toBe('PAID');
    expect(await bench.records.payments(id)).toMatchObject([{ amount: FEE, isCounted: true }]);
    expect(await bench.records.notices(id)).toEqual(['PAID']);
    expect(await bench.records.trailOf(id)).toEqual([
      'ORDERED NEW',
      'OPENED OPEN',
      'CAPTURED PAID',
    ]);
  });

  it('is not charged to the address of the gateway, unless it is forged', async () => {
    const mark = vi.spyOn(AddressLimiter.prototype, 'markKnownCaller');
    const { paid } = await bench.paidOrder();
    const headers = { ...paid.headers, 'x-razorpay-signature': 'a'.repeat(64) };
    expect((await bench.callBack({ ...paid, headers })).status).toBe(401);
    expect(mark).not.toHaveBeenCalled();
    expect((await bench.callBack(paid)).status).toBe(200);
    expect(mark).toHaveBeenCalledOnce();
    mark.mockRestore();
  });

  it('delivered again, also all at once, changes nothing', async () => {
    const { id, paid } = await bench.paidOrder();
    const answers = await Promise.all(Array.from({ length: 10 }, () => bench.callBack(paid)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(await bench.records.payments(id)).toHaveLength(1);
    expect(await bench.records.notices(id)).toEqual(['PAID']);
    const events = await bench.records.query(
      'SELECT name FROM payment_callbacks WHERE order_id = $1',
      [id],
    );
    expect(events).toEqual([{ name: 'payment_link.paid' }]);
  });

  it('delivered under another event id, or none, counts the payment once', async () => {
    const { id, paid } = await bench.paidOrder();
    const { 'x-razorpay-event-id': _, ...headers } = paid.headers;
    await bench.callBack(paid);
    await bench.callBack({ ...paid, headers });
    await bench.callBack({ ...paid, headers });
    await bench.callBack({ ...paid, headers: { ...headers, 'x-razorpay-event-id': 'evt_other' } });
    await bench.poll(id);
    expect(await bench.records.payments(id)).toHaveLength(1);
    expect(await bench.records.notices(id)).toEqual(['PAID']);
  });

  it('that overtakes the answer of the creation finds its order by the reference', async () => {
    bench.razorpay.failNext(/^POST \/v1\/payment_links$/, { loseAnswer: true });
    bench.razorpay.failNext(
      /^POST \/v1\/payment_links$/,
      ...Array.from({ length: 5 }, () => ({ status: 503 })),
    );
    const id = await bench.order();
    await eventually(() => bench.razorpay.linkOf(id), PATIENT);
    const payment = bench.razorpay.pay(id);
    await bench.callBack(bench.razorpay.webhook('payment_link.paid', id, { payment }));
    bench.razorpay.recover();
    const order = await bench.records.order(id);
    expect(order.status).toBe('PAID');
    expect(order.gateway_order_id).toBe(bench.razorpay.linkOf(id).id);
    expect(await bench.records.notices(id)).toEqual(['PAID']);
  });

  it('with another amount is recorded and flagged, and does not count as paid', async () => {
    const id = await bench.openOrder();
    const payment = bench.razorpay.pay(id, { amount: FEE - 1 });
    bench.razorpay.linkOf(id).status = 'paid';
    const paid = bench.razorpay.webhook('payment_link.paid', id, { payment });
    expect((await bench.callBack(paid)).status).toBe(200);
    await bench.poll(id);
    expect(await bench.records.status(id)).toBe('OPEN');
    expect(await bench.records.payments(id)).toEqual([
      { id: payment.id, amount: FEE - 1, isCounted: false },
    ]);
    expect(await bench.records.notices(id)).toEqual([]);
    const { subject_id: subject } = await bench.records.order(id);
    expect(await bench.records.paymentFlags(subject)).toEqual(['PAYMENT_DIFFERS']);
  });

  it('with another currency is recorded and flagged, and does not count as paid', async () => {
    const id = await bench.openOrder();
    const payment = bench.razorpay.pay(id, { currency: 'USD' });
    await bench.callBack(bench.razorpay.webhook('payment_link.paid', id, { payment }));
    expect(await bench.records.status(id)).toBe('OPEN');
    expect(await bench.records.payments(id)).toMatchObject([{ isCounted: false }]);
    const { subject_id: subject } = await bench.records.order(id);
    expect(await bench.records.paymentFlags(subject)).toEqual(['PAYMENT_DIFFERS']);
  });

  it('for a second payment tells the owner of both', async () => {
    const { id, paid } = await bench.paidOrder();
    await bench.callBack(paid);
    const second = bench.razorpay.pay(id);
    await bench.callBack(bench.razorpay.webhook('payment_link.paid', id, { payment: second }));
    expect(await bench.records.payments(id)).toHaveLength(2);
    expect(await bench.records.notices(id)).toEqual(['PAID', 'PAID']);
  });

  it('that does not say which payment has the gateway be asked', async () => {
    const { id } = await bench.paidOrder();
    await bench.service.travel(6_000);
    const answer = await bench.callBack(bench.razorpay.webhook('payment_link.paid', id));
    expect(answer.status).toBe(200);
    await bench.untilStatus(id, 'PAID');
    expect(await bench.records.payments(id)).toHaveLength(1);
  });
});

describe('a webhook that names the order of one and the link of another', () => {
  /** An order whose page the gateway has opened, of which we have not heard yet. */
  async function unheard(): Promise<string> {
    bench.razorpay.failNext(/^POST \/v1\/payment_links$/, { loseAnswer: true });
    bench.razorpay.failNext(
      /^POST \/v1\/payment_links$/,
      ...Array.from({ length: 20 }, () => ({ status: 503 })),
    );
    const id = await bench.order();
    await eventually(() => bench.razorpay.linkOf(id), PATIENT);
    return id;
  }

  it('changes neither, and the order still becomes paid by its own', async () => {
    const { id: other, paid: otherPaid } = await bench.paidOrder();
    const id = await unheard();
    const payment = bench.razorpay.pay(id);
    const right = bench.razorpay.webhook('payment_link.paid', id, { payment });
    const [ours, theirs] = [bench.razorpay.linkOf(id).id, bench.razorpay.linkOf(other).id];
    const mixed = signedWebhook(right.body.replaceAll(ours, theirs), 'evt_mixed');
    const answer = await bench.callBack(mixed);
    expect([answer.status, await answer.json()]).toEqual([200, { received: true }]);
    for (const each of [id, other]) {
      expect(await bench.records.payments(each)).toEqual([]);
      expect(await bench.records.notices(each)).toEqual([]);
    }
    await bench.callBack(right);
    await bench.callBack(otherPaid);
    bench.razorpay.recover();
    for (const each of [id, other]) expect(await bench.records.status(each)).toBe('PAID');
    expect((await bench.records.order(id)).gateway_order_id).toBe(ours);
  });
});

describe('payment_link.partially_paid', () => {
  it('is recorded and flagged, and does not count as paid', async () => {
    const id = await bench.openOrder();
    const payment = bench.razorpay.pay(id, { amount: 10_000 });
    await bench.callBack(bench.razorpay.webhook('payment_link.partially_paid', id, { payment }));
    expect(await bench.records.status(id)).toBe('OPEN');
    expect(await bench.records.payments(id)).toMatchObject([{ amount: 10_000, isCounted: false }]);
    const { subject_id: subject } = await bench.records.order(id);
    expect(await bench.records.paymentFlags(subject)).toEqual(['PAYMENT_DIFFERS']);
  });
});

describe('events that come in another order', () => {
  it('an expiry after the payment leaves the order paid', async () => {
    const { id, paid } = await bench.paidOrder();
    await bench.callBack(paid);
    bench.razorpay.end(id, 'expired');
    await bench.callBack(bench.razorpay.webhook('payment_link.expired', id));
    expect(await bench.records.status(id)).toBe('PAID');
    expect(await bench.records.notices(id)).toEqual(['PAID']);
  });

  for (const ending of ['expired', 'cancelled'] as const) {
    it(`a payment after the link is ${ending} is money all the same`, async () => {
      const id = await bench.openOrder();
      bench.razorpay.end(id, ending);
      await bench.callBack(bench.razorpay.webhook(`payment_link.${ending}`, id));
      expect(await bench.records.status(id)).toBe(ending.toUpperCase());
      const payment = bench.razorpay.pay(id);
      await bench.callBack(bench.razorpay.webhook('payment_link.paid', id, { payment }));
      expect(await bench.records.status(id)).toBe('PAID');
      expect(await bench.records.notices(id)).toEqual([ending.toUpperCase(), 'PAID']);
    });
  }

  it('the cancellation that follows our own expiry does not turn it into another thing', async () => {
    const id = await bench.openOrder();
    await bench.service.travel(PAST_EXPIRY_MS);
    await bench.untilStatus(id, 'EXPIRED');
    await bench.callBack(bench.razorpay.webhook('payment_link.cancelled', id));
    expect(await bench.records.status(id)).toBe('EXPIRED');
    expect(await bench.records.notices(id)).toEqual(['EXPIRED']);
  });
});

describe('payment.failed', () => {
  it('is matched by the link in its description, once for each try', async () => {
    const id = await bench.openOrder();
    const payment = bench.razorpay.fail(id);
    const failed = bench.razorpay.webhook('payment.failed', id, { payment });
    await bench.callBack(failed);
    await bench.callBack(failed);
    await bench.callBack(bench.razorpay.webhook('payment.failed', id, { payment }));
    expect(await bench.records.status(id)).toBe('FAILED');
    expect(await bench.records.notices(id)).toEqual(['FAILED']);
    const again = bench.razorpay.fail(id);
    await bench.callBack(bench.razorpay.webhook('payment.failed', id, { payment: again }));
    expect(await bench.records.notices(id)).toEqual(['FAILED', 'FAILED']);
  });

  it('is matched by our order’s id in its notes', async () => {
    const id = await bench.openOrder();
    const payment = { ...bench.razorpay.fail(id), description: null, notes: { order_id: id } };
    await bench.callBack(bench.razorpay.webhook('payment.failed', id, { payment }));
    expect(await bench.records.status(id)).toBe('FAILED');
  });

  it('that comes after the payment is nobody’s business', async () => {
    const { id, paid } = await bench.paidOrder();
    const payment = bench.razorpay.fail(id);
    await bench.callBack(paid);
    await bench.callBack(bench.razorpay.webhook('payment.failed', id, { payment }));
    expect(await bench.records.status(id)).toBe('PAID');
    expect(await bench.records.notices(id)).toEqual(['PAID']);
  });
});

describe('what is no business of ours', () => {
  it('is acknowledged and kept nowhere', async () => {
    const { id } = await bench.paidOrder();
    const [{ count: before }] = await bench.records.query<{ count: number }>(
      'SELECT count(*)::int FROM payment_callbacks',
    );
    const link = { ...bench.razorpay.linkOf(id), id: 'plink_other', reference_id: 'INV-2026-17' };
    const payload = { payment_link: { entity: link } };
    const bodies = [
      { event: 'payment_link.paid', payload },
      { event: 'payment_link.paid', payload: {} },
      { event: 'payment.captured', payload: { payment: { entity: { id: 'pay_1' } } } },
      { event: 'payment.failed', payload: { payment: { entity: { id: 'pay_2', notes: [] } } } },
      { event: 'refund.processed', payload: { refund: { entity: {} } } },
      { event: 'payment_link.paid', payload: { payment_link: { entity: { reference_id: 7 } } } },
      { event: 'payment_link.paid', payload: { payment_link: 'text' } },
      { event: 17 },
      {},
    ];
    for (const [index, body] of bodies.entries()) {
      const answer = await bench.callBack(signedWebhook(body, `evt_foreign${index}`));
      expect(answer.status).toBe(200);
    }
    const [{ count }] = await bench.records.query<{ count: number }>(
      'SELECT count(*)::int FROM payment_callbacks',
    );
    expect(count).toBe(before);
    expect(await bench.records.status(id)).toBe('OPEN');
  });

  it('includes an order of another gateway', async () => {
    const id = await bench.openOrder();
    const payment = bench.razorpay.pay(id);
    const paid = bench.razorpay.webhook('payment_link.paid', id, { payment });
    await bench.records.query(`UPDATE payment_orders SET gateway = 'sandbox' WHERE id = $1`, [id]);
    expect((await bench.callBack(paid)).status).toBe(200);
    expect(await bench.records.status(id)).toBe('OPEN');
    await bench.records.query(`UPDATE payment_orders SET gateway = 'razorpay' WHERE id = $1`, [id]);
  });
});
