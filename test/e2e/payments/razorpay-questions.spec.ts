import { describe, expect, it } from 'vitest';
import { PaymentsUnavailable } from '../../../src/payments/index.js';
import { FEE, HOUR_MS, type RazorpayBench, razorpayTests } from './payment-bench.js';

let bench: RazorpayBench;

razorpayTests((started) => {
  bench = started;
});

/** Has every call about an order's link fail until the test is over, or the fake recovers. */
function silence(id: string): void {
  const link = new RegExp(`/v1/payment_links/${bench.razorpay.linkOf(id).id}`);
  bench.razorpay.failNext(link, ...Array.from({ length: 500 }, () => ({ status: 503 })));
}

async function failsToAsk(id: string): Promise<void> {
  await expect(bench.poll(id)).rejects.toBeInstanceOf(PaymentsUnavailable);
}

/** How long after its last look an order with these counts is asked about when they come back. */
async function secondsToNudged(
  id: string,
  { asks = 0, failures = 0 }: { asks?: number; failures?: number },
): Promise<number> {
  await bench.records.query(
    `UPDATE payment_orders SET asks = $2, failures = $3, asked_at = now.at,
       next_attempt_at = now.at + interval '1 day'
     FROM (SELECT app_now() AS at) AS now WHERE id = $1`,
    [id, asks, failures],
  );
  await bench.desk.askNow(id);
  const [row] = await bench.records.query<{ seconds: number }>(
    `SELECT extract(epoch FROM next_attempt_at - asked_at)::float8 AS seconds
     FROM payment_orders WHERE id = $1`,
    [id],
  );
  return row.seconds;
}

describe('a payment order at Razorpay', () => {
  it('about which Razorpay is silent for a day is put before the operator, once a silence', async () => {
    const id = await bench.openOrder();
    const { subject_id: subject } = await bench.records.order(id);
    silence(id);
    await failsToAsk(id);
    const { failing_since: since } = await bench.records.order(id);
    await bench.service.travel(23 * HOUR_MS);
    await failsToAsk(id);
    expect(await bench.records.order(id)).toMatchObject({ failing_since: since, silent_at: null });
    expect(await bench.records.paymentFlags(subject)).toEqual([]);
    await bench.service.travel(HOUR_MS);
    for (const again of [1, 2]) {
      await failsToAsk(id);
      expect(await bench.records.paymentFlags(subject), `time ${again}`).toEqual([
        'GATEWAY_SILENT',
      ]);
      const { next_attempt_at: next } = await bench.records.order(id);
      const wait = next!.getTime() - bench.service.now().getTime();
      expect(wait).toBeGreaterThan(0.95 * HOUR_MS);
      expect(await secondsToNudged(id, {})).toBe(3_600);
    }
    const [flag] = await bench.records.query<{ detail: object }>(
      'SELECT detail FROM operator_flags WHERE subject_id = $1',
      [subject],
    );
    expect(flag.detail).toMatchObject({
      orderId: id,
      gateway: 'razorpay',
      status: 'OPEN',
      since: since!.toISOString(),
      reason: expect.stringContaining('503') as string,
    });
    bench.razorpay.recover();
    await bench.poll(id);
    expect(await bench.records.order(id)).toMatchObject({ failing_since: null, silent_at: null });
    silence(id);
    await failsToAsk(id);
    await bench.service.travel(25 * HOUR_MS);
    await failsToAsk(id);
    const flags = await bench.records.query(
      'SELECT kind, count FROM operator_flags WHERE subject_id = $1',
      [subject],
    );
    expect(flags).toEqual([{ kind: 'GATEWAY_SILENT', count: 2 }]);
  });
});

describe('an order whose callback never came', () => {
  it('is asked about after two minutes, and the payment is found, also where the link does not show it', async () => {
    const id = await bench.openOrder();
    bench.razorpay.showsPayments = false;
    const payment = bench.razorpay.pay(id);
    expect(await bench.records.status(id)).toBe('OPEN');
    await bench.service.travel(140_000);
    await bench.untilStatus(id, 'PAID');
    expect(await bench.records.payments(id)).toEqual([
      { id: payment.id, amount: FEE, isCounted: true },
    ]);
    expect(await bench.records.notices(id)).toEqual(['PAID']);
    expect((await bench.records.order(id)).next_attempt_at).toBeNull();
  });

  it('is asked about at once when the applicant comes back, every five seconds at most', async () => {
    const id = await bench.openOrder();
    const questions = () =>
      bench.razorpay.callsOf('GET', /payment_links/, bench.razorpay.linkOf(id).id).length;
    const before = questions();
    for (let visit = 0; visit < 20; visit += 1) await bench.desk.askNow(id);
    expect(questions() - before).toBeLessThanOrEqual(1);
    bench.razorpay.pay(id);
    await bench.records.query('UPDATE payment_orders SET asks = 5000 WHERE id = $1', [id]);
    await bench.service.travel(61_000);
    await bench.desk.askNow(id);
    await bench.untilStatus(id, 'PAID');
    expect(await bench.records.notices(id)).toEqual(['PAID']);
  });

  it('is asked about less and less often by a page that is left open, every minute in the end', async () => {
    const id = await bench.openOrder();
    const waits: number[] = [];
    for (const asks of [0, 12, 13, 40, 67, 5_000]) waits.push(await secondsToNudged(id, { asks }));
    expect(waits).toEqual([5, 5, 6, 33, 60, 60]);
    expect(await secondsToNudged(id, { failures: 40 })).toBe(33);
  });
});
