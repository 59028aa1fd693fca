import { describe, expect, it, vi } from 'vitest';
import { AddressLimiter } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { signedWebhook, type Webhook } from '../../support/fake-razorpay.js';
import {
  FEE,
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

const counted = () =>
  bench.records.query(
    `SELECT (SELECT count(*)::int FROM payment_callbacks) AS callbacks,
       (SELECT count(*)::int FROM payments) AS payments`,
  );

async function flagsOf(orderId: string): Promise<string[]> {
  const { subject_id: subject } = await bench.records.order(orderId);
  return bench.records.paymentFlags(subject);
}

describe('payment_link.paid', () => {
  it('counts each payment once, however often, under whatever event id and beside what else it comes', async () => {
    const { id, paid } = await bench.paidOrder();
    const answers = await Promise.all(Array.from({ length: 10 }, () => bench.callBack(paid)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(await answers[0].json()).toEqual({ received: true });
    expect(await bench.records.status(id)).toBe('PAID');
    expect(
      await bench.records.query('SELECT name FROM payment_callbacks WHERE order_id = $1', [id]),
    ).toEqual([{ name: 'payment_link.paid' }]);
    const { 'x-razorpay-event-id': _, ...headers } = paid.headers;
    await bench.callBack({ ...paid, headers });
    await bench.callBack({ ...paid, headers: { ...headers, 'x-razorpay-event-id': 'evt_other' } });
    await bench.poll(id);
    // Events after the payment change nothing.
    const payment = bench.razorpay.fail(id);
    await bench.callBack(bench.razorpay.webhook('payment.failed', id, { payment }));
    bench.razorpay.end(id, 'expired');
    await bench.callBack(bench.razorpay.webhook('payment_link.expired', id));
    expect(await bench.records.payments(id)).toMatchObject([{ amount: FEE, isCounted: true }]);
    expect(await bench.records.trailOf(id)).toEqual([
      'ORDERED NEW',
      'OPENED OPEN',
      'CAPTURED PAID',
    ]);
    const second = bench.razorpay.pay(id);
    await bench.callBack(bench.razorpay.webhook('payment_link.paid', id, { payment: second }));
    expect(await bench.records.payments(id)).toHaveLength(2);
    expect(await bench.records.notices(id)).toEqual(['PAID', 'PAID']);
    expect(await bench.records.status(id)).toBe('PAID');
  });

  it('that overtakes the answer of the creation finds its order, unless it names the link of another', async () => {
    const { id: other, paid: otherPaid } = await bench.paidOrder();
    bench.razorpay.failNext(CREATE, { loseAnswer: true });
    bench.razorpay.failNext(CREATE, ...Array.from({ length: 20 }, () => ({ status: 503 })));
    const id = await bench.order();
    const { id: ours } = await eventually(() => bench.razorpay.linkOf(id), PATIENT);
    const payment = bench.razorpay.pay(id);
    const right = bench.razorpay.webhook('payment_link.paid', id, { payment });
    const mixed = right.body.replaceAll(ours, bench.razorpay.linkOf(other).id);
    expect((await bench.callBack(signedWebhook(mixed, 'evt_mixed'))).status).toBe(200);
    for (const each of [id, other]) expect(await bench.records.payments(each)).toEqual([]);
    await bench.callBack(right);
    await bench.callBack(otherPaid);
    bench.razorpay.recover();
    for (const each of [id, other]) {
      expect(await bench.records.status(each)).toBe('PAID');
      expect(await bench.records.notices(each)).toEqual(['PAID']);
    }
    expect((await bench.records.order(id)).gateway_order_id).toBe(ours);
  });

  it.each([
    ['another amount', 'paid', { amount: FEE - 1 }],
    ['another currency', 'paid', { currency: 'USD' }],
    ['a part', 'partially_paid', { amount: 10_000 }],
  ])('of %s is recorded and flagged, and does not count as paid', async (_, event, differently) => {
    const id = await bench.openOrder();
    const payment = bench.razorpay.pay(id, differently);
    bench.razorpay.linkOf(id).status = 'paid';
    await bench.callBack(bench.razorpay.webhook(`payment_link.${event}`, id, { payment }));
    await bench.poll(id);
    expect(await bench.records.status(id)).toBe('OPEN');
    expect(await bench.records.payments(id)).toEqual([
      { id: payment.id, amount: payment.amount, isCounted: false },
    ]);
    expect(await bench.records.notices(id)).toEqual([]);
    expect(await flagsOf(id)).toEqual(['PAYMENT_DIFFERS']);
  });

  it('that does not say which payment has the gateway be asked', async () => {
    const { id } = await bench.paidOrder();
    await bench.service.travel(6_000);
    const unread = { ...bench.razorpay.pay(id), id: 'a\0b' };
    const answer = await bench.callBack(
      bench.razorpay.webhook('payment_link.paid', id, { payment: unread }),
    );
    expect(answer.status).toBe(200);
    await bench.untilStatus(id, 'PAID');
  });
});

describe('events that come in another order', () => {
  it('the cancellation that follows our own expiry does not turn it into another thing', async () => {
    const id = await bench.openOrder();
    await bench.service.travel(PAST_EXPIRY_MS);
    await bench.untilStatus(id, 'EXPIRED');
    await bench.callBack(bench.razorpay.webhook('payment_link.cancelled', id));
    expect(await bench.records.status(id)).toBe('EXPIRED');
    expect(await bench.records.notices(id)).toEqual(['EXPIRED']);
  });

  it('each failed try is reported once, before the money', async () => {
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
});

describe('a callback that is not about an order of the service', () => {
  it('is acknowledged and kept nowhere, whatever its fields hold', async () => {
    const { id, paid } = await bench.paidOrder();
    const before = await counted();
    for (const text of ['INV-2026-17', 'a\0b']) {
      const link = { ...bench.razorpay.linkOf(id), id: text, reference_id: text };
      const body = { event: 'payment_link.paid', payload: { payment_link: { entity: link } } };
      expect((await bench.callBack(signedWebhook(body, 'evt_foreign'))).status).toBe(200);
    }
    const setGateway = 'UPDATE payment_orders SET gateway = $2 WHERE id = $1';
    await bench.records.query(setGateway, [id, 'sandbox']);
    expect((await bench.callBack(paid)).status).toBe(200);
    await bench.records.query(setGateway, [id, 'razorpay']);
    expect(await counted()).toEqual(before);
    expect(await bench.records.status(id)).toBe('OPEN');
  });
});

describe('a callback that is not Razorpay’s', () => {
  async function expectRefused(answer: Response, status: number, code: string): Promise<void> {
    expect(answer.status).toBe(status);
    const body = (await answer.json()) as Record<string, unknown>;
    // No detail about the error, not even in the sandbox.
    expect(Object.keys(body)).toEqual(['success', 'error', 'code', 'requestId', 'docs']);
    expect(body.code).toBe(code);
  }

  it('is refused, and nothing is recorded', async () => {
    const { id, paid } = await bench.paidOrder();
    const { 'x-razorpay-signature': _, ...unsigned } = paid.headers;
    const forged: Webhook[] = [
      { ...paid, headers: unsigned },
      { ...paid, body: paid.body.replace(String(FEE), String(FEE + 1)) },
    ];
    for (const webhook of forged)
      await expectRefused(await bench.callBack(webhook), 401, 'invalid_signature');
    await expectRefused(
      await bench.callBack(signedWebhook('[]', 'evt_garbage')),
      400,
      'malformed_json',
    );
    const large = signedWebhook({ pad: 'x'.repeat(120_000) }, 'evt_large');
    await expectRefused(await bench.callBack(large), 413, 'body_too_large');
    await expectRefused(await bench.callBack(paid, 'paytm'), 404, 'route_not_found');
    expect(await bench.records.status(id)).toBe('OPEN');
    expect(await bench.records.payments(id)).toEqual([]);
  });

  it('does not make its address a known caller, and the real one does', async () => {
    const mark = vi.spyOn(AddressLimiter.prototype, 'markKnownCaller');
    const { id, paid } = await bench.paidOrder();
    const forged = signedWebhook({}, 'evt_forged', 'a guess');
    expect((await bench.callBack(forged)).status).toBe(401);
    expect(mark).not.toHaveBeenCalled();
    expect((await bench.callBack(paid)).status).toBe(200);
    expect(mark).toHaveBeenCalledOnce();
    mark.mockRestore();
    expect(await bench.records.status(id)).toBe('PAID');
  });
});
