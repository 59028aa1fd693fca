import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { OutboundClient } from '../../../src/platform/index.js';
import { SandboxPaymentsRepository } from '../../../src/sandbox/store/sandbox-payments.repository.js';
import { eraseRecords } from '../../support/erase-records.js';
import { eventually } from '../../support/eventually.js';
import { FEE, HOUR_MS, PATIENT, type PaymentBench, startSandboxBench } from './payment-bench.js';

let bench: PaymentBench;

beforeAll(async () => {
  bench = await startSandboxBench();
});

afterAll(() => bench?.close());

/** An order and its page. */
async function opened(): Promise<{ id: string; url: string }> {
  const id = await bench.order();
  return { id, url: (await bench.desk.open(id)).url };
}

function visit(url: string, form: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
}

const textOf = async (url: string, language = 'en') =>
  (await fetch(url, { headers: { 'accept-language': language } })).text();

describe('the sandbox’s payment page', () => {
  it('takes one payment, sends the browser back and calls back; what is pressed afterwards changes nothing', async () => {
    const { id, url } = await opened();
    expect(url).toMatch(/\/sandbox\/payment\/pay_\w+\.[\w-]+$/);
    const [english, hindi] = [await textOf(url), await textOf(url, 'hi')];
    for (const text of ['₹1,179', 'UPI', 'Net banking', 'Fee to Navdhara Finance', 'simulation'])
      expect(english).toContain(text);
    expect(hindi).toContain('lang="hi"');
    expect((await fetch(url.slice(0, -1))).status).toBe(404);
    expect((await visit(`${url}x`, { outcome: 'pay' })).status).toBe(404);
    expect((await visit(url, { outcome: 'refund' })).status).toBe(400);
    const pay = () => visit(url, { outcome: 'pay', method: 'card' });
    const answers = await Promise.all([pay(), pay(), pay()]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const [answer] = answers;
    expect(answer.headers.get('location')).toBe(`${bench.service.baseUrl}/pay/some-token/done`);
    await bench.untilStatus(id, 'PAID');
    expect((await visit(url, { outcome: 'fail' })).status).toBe(303);
    const payments = await bench.records.query(
      'SELECT amount::int, method, source FROM payments WHERE order_id = $1',
      [id],
    );
    expect(payments).toEqual([{ amount: FEE, method: 'card', source: 'CALLBACK' }]);
    expect(await bench.records.notices(id)).toEqual(['PAID']);
    expect(await textOf(url)).toContain('This payment was made');
    const { status: forged } = await bench.callBack({ headers: {}, body: '{}' }, 'sandbox');
    expect(forged).toBe(401);
  });

  it('reports a refund that is requested while the payment is being reported', async () => {
    const { id, url } = await opened();
    const outbound = bench.service.get<OutboundClient>(OutboundClient);
    const post = outbound.post.bind(outbound);
    const reported = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    let calls = 0;
    const spy = vi.spyOn(outbound, 'post').mockImplementation(async (...call) => {
      const answer = await post(...call);
      if (String(call[1].body).includes(id)) {
        calls += 1;
        reported.resolve();
        await asked.promise;
      }
      return answer;
    });
    try {
      await visit(url, { outcome: 'pay', method: 'upi' });
      await reported.promise;
      await bench.service
        .get<SandboxPaymentsRepository>(SandboxPaymentsRepository)
        .refund(id, 'rfd_early', 0);
      asked.resolve();
      await eventually(() => expect(calls).toBe(2), PATIENT);
    } finally {
      asked.resolve();
      spy.mockRestore();
    }
  });

  it('lets the payment fail; a fresh order takes its place, once', async () => {
    const { id, url } = await opened();
    await visit(url, { outcome: 'fail', method: 'upi' });
    await bench.untilStatus(id, 'FAILED');
    expect(await bench.records.notices(id)).toEqual(['FAILED']);
    const retry = () => bench.transaction((tx) => bench.desk.retry(tx, id));
    const [first, second] = await Promise.all([retry(), retry()]);
    expect(first).toBe(second);
    expect(first).not.toBe(id);
    await bench.untilStatus(id, 'CANCELLED');
    await visit((await bench.desk.open(first)).url, { outcome: 'pay' });
    await bench.untilStatus(first, 'PAID');
    const { subject_id: subject } = await bench.records.order(id);
    expect((await bench.records.order(first)).subject_id).toBe(subject);
  });

  it('has the bank confirm ten seconds late, and the callback repeated until it is taken', async () => {
    const { id, url } = await opened();
    await visit(url, { outcome: 'pay', late: '1' });
    await bench.poll(id);
    expect(await bench.records.status(id)).toBe('OPEN');
    expect(await textOf(url)).toContain('not confirmed yet');
    // The callback's records cannot be written for a while.
    await bench.records.query('ALTER TABLE payments RENAME TO payments_away');
    const callbacks = () =>
      bench.records.query<{ failures: number; left: number; next: Date | null }>(
        `SELECT callback_failures AS failures, callbacks_left AS left, next_callback_at AS next
         FROM sandbox_payments WHERE order_id = $1`,
        [id],
      );
    try {
      await bench.service.travel(10_500);
      await eventually(
        async () => expect((await callbacks())[0].failures).toBeGreaterThan(1),
        PATIENT,
      );
      expect(await bench.records.status(id)).toBe('OPEN');
    } finally {
      await bench.records.query('ALTER TABLE payments_away RENAME TO payments');
    }
    await bench.untilStatus(id, 'PAID');
    await eventually(
      async () => expect(await callbacks()).toMatchObject([{ left: 0, next: null }]),
      PATIENT,
    );
    expect(await bench.records.notices(id)).toEqual(['PAID']);
  });

  it('closes with its order’s time, and is gone once the applicant is erased', async () => {
    const { id, url } = await opened();
    await bench.service.travel(73 * HOUR_MS);
    await bench.untilStatus(id, 'EXPIRED');
    expect((await visit(url, { outcome: 'pay' })).status).toBe(303);
    expect(await textOf(url)).toContain('time to pay is over');
    await bench.poll(id);
    expect(await bench.records.payments(id)).toEqual([]);

    const erased = await opened();
    const { subject_id: subject } = await bench.records.order(erased.id);
    await eraseRecords(bench.service, { partnerId: bench.service.partnerId, id: subject });
    await bench.untilStatus(erased.id, 'CANCELLED');
    expect((await fetch(erased.url)).status).toBe(404);
    expect((await visit(erased.url, { outcome: 'pay' })).status).toBe(404);
    const [row] = await bench.records.query(
      'SELECT details_sealed FROM sandbox_payments WHERE order_id = $1',
      [erased.id],
    );
    expect(row).toEqual({ details_sealed: null });
  });
});
