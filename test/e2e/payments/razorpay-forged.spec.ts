import { describe, expect, it } from 'vitest';
import { RAZORPAY_ACCOUNT, signedWebhook, type Webhook } from '../../support/fake-razorpay.js';
import { FEE, type RazorpayBench, razorpayTests } from './payment-bench.js';

/** How many calls without a good signature an address may make in a minute. */
const A_MINUTE = 600;

let bench: RazorpayBench;

razorpayTests((started) => {
  bench = started;
});

async function expectRefused(answer: Response, status: number, code: string): Promise<void> {
  expect(answer.status).toBe(status);
  const body = (await answer.json()) as Record<string, unknown>;
  expect(body).toMatchObject({ success: false, code });
  // No word about what was wrong with it, also in the sandbox.
  expect(Object.keys(body).toSorted()).toEqual(['code', 'error', 'success']);
}

describe('a callback that is not Razorpay’s', () => {
  it('is refused without a signature, with another’s, and with one over other bytes', async () => {
    const { id, paid } = await bench.paidOrder();
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
    const { id, paid } = await bench.paidOrder();
    const at = (webhook: Webhook) => ({
      ...webhook,
      headers: { ...webhook.headers, 'x-forwarded-for': '192.0.2.99' },
    });
    const forged = at(signedWebhook({}, 'evt_flood', 'a guess'));
    const statuses = new Set<number>();
    // The limit is one of a minute, which may end on the way.
    for (let sent = 0; !statuses.has(429) && sent < 3 * A_MINUTE; sent += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => bench.callBack(forged)));
      for (const { status } of answers) statuses.add(status);
    }
    expect(statuses).toEqual(new Set([401, 429]));
    expect((await bench.callBack(at(paid))).status).toBe(200);
    expect(await bench.records.status(id)).toBe('PAID');
  });
});
