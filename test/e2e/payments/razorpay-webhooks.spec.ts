import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { RAZORPAY_ACCOUNT, signedWebhook, type Webhook } from '../../support/fake-razorpay.js';
import { mutated } from '../../support/schema-arbitrary.js';
import { FEE, PATIENT, RazorpayBench, PAST_EXPIRY_MS } from './payment-bench.js';

let bench: RazorpayBench;

beforeAll(async () => {
  bench = await RazorpayBench.start();
});

afterAll(() => bench?.close());

/** An order whose link somebody has just paid, and the webhook that says so. */
async function paidOrder(): Promise<{ id: string; paid: Webhook }> {
  const id = await bench.openOrder();
  const payment = bench.razorpay.pay(id);
  return { id, paid: bench.razorpay.webhook('payment_link.paid', id, { payment }) };
}

async function expectRefused(answer: Response, status: number, code: string): Promise<void> {
  expect(answer.status).toBe(status);
  const body = (await answer.json()) as Record<string, unknown>;
  expect(body).toMatchObject({ success: false, code });
  // No word about what was wrong with it, also in the sandbox.
  expect(Object.keys(body).toSorted()).toEqual(['code', 'error', 'success']);
}

describe('payment_link.paid', () => {
  it('makes the order paid, records the payment and tells its owner, once', async () => {
    const { id, paid } = await paidOrder();
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

  it('delivered again, also all at once, changes nothing', async () => {
    const { id, paid } = await paidOrder();
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
    const { id, paid } = await paidOrder();
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
    const { id, paid } = await paidOrder();
    await bench.callBack(paid);
    const second = bench.razorpay.pay(id);
    await bench.callBack(bench.razorpay.webhook('payment_link.paid', id, { payment: second }));
    expect(await bench.records.payments(id)).toHaveLength(2);
    expect(await bench.records.notices(id)).toEqual(['PAID', 'PAID']);
  });

  it('that does not say which payment has the gateway be asked', async () => {
    const { id } = await paidOrder();
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
    const { id: other, paid: otherPaid } = await paidOrder();
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
    const { id, paid } = await paidOrder();
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
    const { id, paid } = await paidOrder();
    const payment = bench.razorpay.fail(id);
    await bench.callBack(paid);
    await bench.callBack(bench.razorpay.webhook('payment.failed', id, { payment }));
    expect(await bench.records.status(id)).toBe('PAID');
    expect(await bench.records.notices(id)).toEqual(['PAID']);
  });
});

describe('what is no business of ours', () => {
  it('is acknowledged and kept nowhere', async () => {
    const { id } = await paidOrder();
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

/** Text that does not compress. */
function sha512(text: string): string {
  return createHash('sha512').update(text).digest('base64');
}

describe('a signed callback that says what cannot be kept', () => {
  // What PostgreSQL refuses: NUL, half a surrogate pair in JSON, a text too long for an index, a
  // time out of its calendar.
  const TOO_LONG = Array.from({ length: 100 }, (_, place) => sha512(String(place))).join('');
  const UNKEEPABLE = [
    ['NUL', '\0'],
    ['a NUL between letters', 'a\0b'],
    ['half a surrogate pair', 'plink_\ud800'],
    ['surrogates the wrong way round', '\udc00\ud800'],
    ['a text that is too long for an index', TOO_LONG],
  ] as const;

  /** What the database has of callbacks and payments, to see that nothing was added. */
  async function kept(): Promise<unknown> {
    return bench.records.query(
      `SELECT (SELECT count(*)::int FROM payment_callbacks) AS callbacks,
         (SELECT count(*)::int FROM payments) AS payments`,
    );
  }

  it.each(UNKEEPABLE)('is taken and ignored where it names the order by %s', async (_, text) => {
    const id = await bench.openOrder();
    const payment = bench.razorpay.pay(id);
    const foreign = { ...bench.razorpay.linkOf(id), id: text, reference_id: text };
    const failed = { ...payment, status: 'failed', description: null, notes: { order_id: text } };
    const before = await kept();
    for (const [event, payload] of [
      ['payment_link.paid', { payment_link: { entity: foreign }, payment: { entity: payment } }],
      ['payment_link.cancelled', { payment_link: { entity: foreign } }],
      ['payment.failed', { payment: { entity: failed } }],
      [text, { payment: { entity: payment } }],
    ] as const) {
      const answer = await bench.callBack(signedWebhook({ event, payload }, 'evt_unkeepable'));
      expect([event, answer.status]).toEqual([event, 200]);
      expect(await answer.json()).toEqual({ received: true });
    }
    expect(await kept()).toEqual(before);
    expect(await bench.records.status(id)).toBe('OPEN');
  });

  it.each([
    ...UNKEEPABLE.map(([name, id]) => [`the id of ${name}`, { id }] as const),
    ...UNKEEPABLE.map(([name, currency]) => [`the currency of ${name}`, { currency }] as const),
    ['a time out of every calendar', { created_at: 9_007_199_254_740_991 }],
    ['a time after the year 9999', { created_at: 253_402_300_800 }],
  ] as const)('has the gateway be asked where its payment has %s', async (_, differently) => {
    const { id } = await paidOrder();
    const payment = { ...bench.razorpay.pay(id), ...differently };
    await bench.service.travel(6_000);
    const paid = bench.razorpay.webhook('payment_link.paid', id, { payment });
    expect((await bench.callBack(paid)).status).toBe(200);
    await bench.untilStatus(id, 'PAID');
  });

  it.each(UNKEEPABLE)('counts where its payment has the method of %s', async (_, method) => {
    const id = await bench.openOrder();
    const payment = bench.razorpay.pay(id, { method });
    const paid = bench.razorpay.webhook('payment_link.paid', id, { payment });
    expect((await bench.callBack(paid)).status).toBe(200);
    expect(await bench.records.status(id)).toBe('PAID');
  });

  it('is taken or refused as malformed, and no failure of ours, whatever stands in its fields', async () => {
    const id = await bench.openOrder();
    const payment = bench.razorpay.pay(id);
    const events = ['payment_link.paid', 'payment_link.partially_paid', 'payment.failed'] as const;
    const right = fc
      .constantFrom(...events)
      .map((event) => JSON.parse(bench.razorpay.webhook(event, id, { payment }).body) as unknown);
    await fc.assert(
      fc.asyncProperty(mutated(right), async (body) => {
        const answer = await bench.callBack(signedWebhook(body, 'evt_mutated'));
        // A body that is not an object any more, or nests too deeply, is refused as such.
        expect([200, 400]).toContain(answer.status);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a callback that is not Razorpay’s', () => {
  it('is refused without a signature, with another’s, and with one over other bytes', async () => {
    const { id, paid } = await paidOrder();
    const { 'x-razorpay-signature': signature, ...unsigned } = paid.headers;
    const headers = (given: string) => ({ ...unsigned, 'x-razorpay-signature': given });
    const forged: Webhook[] = [
      { ...paid, headers: unsigned },
      { ...paid, headers: headers('') },
      { ...paid, headers: headers('0'.repeat(64)) },
      { ...paid, headers: headers(signature.slice(0, 63)) },
      { ...paid, headers: headers('not hex at all') },
      { ...paid, body: paid.body.replace(String(FEE), String(FEE + 1)) },
      { ...paid, body: `${paid.body} ` },
      { ...paid, body: JSON.stringify(JSON.parse(paid.body), null, 1) },
      signedWebhook(paid.body, 'evt_forged', RAZORPAY_ACCOUNT.keySecret),
      { ...paid, body: '' },
    ];
    for (const webhook of forged) {
      await expectRefused(await bench.callBack(webhook), 401, 'invalid_signature');
    }
    expect(await bench.records.status(id)).toBe('OPEN');
    expect(await bench.records.payments(id)).toEqual([]);
    expect(
      (await bench.callBack({ ...paid, headers: headers(signature.toUpperCase()) })).status,
    ).toBe(200);
  });

  it('is refused when it is signed but no JSON object', async () => {
    for (const body of ['', 'no JSON', '[]', '"text"', 'null', '\u0000']) {
      const answer = await bench.callBack(signedWebhook(body, 'evt_garbage'));
      await expectRefused(answer, 400, 'malformed_json');
    }
  });

  it('is refused when it is too large', async () => {
    const answer = await bench.callBack(signedWebhook({ pad: 'x'.repeat(120_000) }, 'evt_large'));
    await expectRefused(answer, 413, 'body_too_large');
  });

  it('is told that there is nothing at the address of a gateway that nobody knows', async () => {
    const answer = await bench.callBack(signedWebhook({}, 'evt_nowhere'), 'paytm');
    await expectRefused(answer, 404, 'route_not_found');
  });

  it('is limited by its address, and the real one behind the same address is not', async () => {
    const { id, paid } = await paidOrder();
    const forged = signedWebhook({}, 'evt_flood', 'a guess');
    const statuses = new Set<number>();
    for (let sent = 0; sent < 620; sent += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => bench.callBack(forged)));
      for (const { status } of answers) statuses.add(status);
    }
    expect(statuses).toEqual(new Set([401, 429]));
    expect((await bench.callBack(paid)).status).toBe(200);
    expect(await bench.records.status(id)).toBe('PAID');
  });
});
