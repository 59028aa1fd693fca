import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signedWebhook } from '../../support/fake-razorpay.js';
import { mutated } from '../../support/schema-arbitrary.js';
import { type RazorpayBench, razorpayTests } from './payment-bench.js';

let bench: RazorpayBench;

razorpayTests((started) => {
  bench = started;
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
    const { id } = await bench.paidOrder();
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
