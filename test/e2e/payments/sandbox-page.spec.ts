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

function visit(url: string, form: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
}

async function callbacksAbout(orderId: string): Promise<{ left: number; isDue: boolean }> {
  const [row] = await bench.records.query<{ left: number; isDue: boolean }>(
    `SELECT callbacks_left AS left, next_callback_at IS NOT NULL AS "isDue"
     FROM sandbox_payments WHERE order_id = $1`,
    [orderId],
  );
  return row;
}

describe('the sandbox’s payment page', () => {
  it('shows what is to be paid, in both languages', async () => {
    const { url } = await bench.desk.open(await bench.order());
    expect(url).toMatch(/\/sandbox\/payment\/pay_\w+\.[\w-]+$/);
    const english = await (await fetch(url)).text();
    for (const text of [
      '₹1,179',
      'UPI',
      'card',
      'Net banking',
      'Fee to Navdhara Finance',
      'simulation',
    ]) {
      expect(english).toContain(text);
    }
    const hindi = await (await fetch(url, { headers: { 'accept-language': 'hi' } })).text();
    expect(hindi).toContain('UPI');
    expect(`${english}${hindi}`).not.toMatch(/sandbox\.payment\.\w/);
  });

  it('tells of a refund that is asked for while the payment is being told', async () => {
    const id = await bench.order();
    const { url } = await bench.desk.open(id);
    const outbound = bench.service.get<OutboundClient>(OutboundClient);
    const post = outbound.post.bind(outbound);
    const told = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    let calls = 0;
    const spy = vi.spyOn(outbound, 'post').mockImplementation(async (...call) => {
      const answer = await post(...call);
      if (String(call[1].body).includes(id)) {
        calls += 1;
        told.resolve();
        await asked.promise;
      }
      return answer;
    });
    try {
      await visit(url, { outcome: 'pay', method: 'upi' });
      await told.promise;
      await bench.service
        .get<SandboxPaymentsRepository>(SandboxPaymentsRepository)
        .refund(id, 'rfd_told', 0);
      asked.resolve();
      await eventually(() => expect(calls).toBe(2), PATIENT);
    } finally {
      asked.resolve();
      spy.mockRestore();
    }
  });

  it('takes the payment, sends the browser back and calls back over HTTP', async () => {
    const id = await bench.order();
    const { url } = await bench.desk.open(id);
    const answer = await visit(url, { outcome: 'pay', method: 'card' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`${bench.service.baseUrl}/pay/some-token/done`);
    await bench.untilStatus(id, 'PAID');
    const [payment] = await bench.records.query(
      'SELECT amount::int, method, source FROM payments WHERE order_id = $1',
      [id],
    );
    expect(payment).toEqual({ amount: FEE, method: 'card', source: 'CALLBACK' });
    expect(await bench.records.notices(id)).toEqual(['PAID']);
    expect(await (await fetch(url)).text()).toContain('This payment was made');
  });

  it('takes one payment: what is pressed afterwards changes nothing', async () => {
    const id = await bench.order();
    const { url } = await bench.desk.open(id);
    const answers = await Promise.all([
      visit(url, { outcome: 'pay' }),
      visit(url, { outcome: 'pay' }),
      visit(url, { outcome: 'pay' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    await bench.untilStatus(id, 'PAID');
    expect((await visit(url, { outcome: 'fail' })).status).toBe(303);
    expect(await bench.records.payments(id)).toHaveLength(1);
    expect(await bench.records.notices(id)).toEqual(['PAID']);
  });

  it('lets the payment fail; a fresh order takes its place, once', async () => {
    const id = await bench.order();
    await visit((await bench.desk.open(id)).url, { outcome: 'fail', method: 'upi' });
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

  it('has the bank confirm ten seconds late, by the service’s clock', async () => {
    const id = await bench.order();
    const { url } = await bench.desk.open(id);
    await visit(url, { outcome: 'pay', late: '1' });
    await bench.poll(id);
    expect(await bench.records.status(id)).toBe('OPEN');
    expect(await (await fetch(url)).text()).toContain('not confirmed yet');
    await bench.service.travel(10_500);
    await bench.untilStatus(id, 'PAID');
    expect(await bench.records.notices(id)).toEqual(['PAID']);
  });

  it('closes with its order’s time', async () => {
    const id = await bench.order();
    const { url } = await bench.desk.open(id);
    await bench.service.travel(73 * HOUR_MS);
    await bench.untilStatus(id, 'EXPIRED');
    expect((await visit(url, { outcome: 'pay' })).status).toBe(303);
    expect(await (await fetch(url)).text()).toContain('time to pay is over');
    await bench.poll(id);
    expect(await bench.records.payments(id)).toEqual([]);
  });

  it('is reached by its whole address alone, and by the form’s own buttons', async () => {
    const { url } = await bench.desk.open(await bench.order());
    expect((await fetch(url.slice(0, -1))).status).toBe(404);
    expect((await visit(`${url}x`, { outcome: 'pay' })).status).toBe(404);
    expect((await visit(url, { outcome: 'refund' })).status).toBe(400);
    expect((await visit(url, {})).status).toBe(400);
  });

  it('is gone once the applicant is erased', async () => {
    const id = await bench.order();
    const { url } = await bench.desk.open(id);
    const { subject_id: subject } = await bench.records.order(id);
    await eraseRecords(bench.service, { partnerId: bench.service.partnerId, id: subject });
    await bench.untilStatus(id, 'CANCELLED');
    expect((await fetch(url)).status).toBe(404);
    expect((await visit(url, { outcome: 'pay' })).status).toBe(404);
    const [row] = await bench.records.query(
      'SELECT details_sealed FROM sandbox_payments WHERE order_id = $1',
      [id],
    );
    expect(row).toEqual({ details_sealed: null });
  });
});

describe('the sandbox’s callback', () => {
  it('is repeated until it is taken', async () => {
    const id = await bench.order();
    const { url } = await bench.desk.open(id);
    // What the callback would record cannot be recorded for a while.
    await bench.records.query('ALTER TABLE payments RENAME TO payments_away');
    await visit(url, { outcome: 'pay' });
    await eventually(async () => {
      const [row] = await bench.records.query<{ failures: number }>(
        'SELECT callback_failures AS failures FROM sandbox_payments WHERE order_id = $1',
        [id],
      );
      expect(row.failures).toBeGreaterThan(1);
    }, PATIENT);
    expect(await bench.records.status(id)).toBe('OPEN');
    await bench.records.query('ALTER TABLE payments_away RENAME TO payments');
    await bench.untilStatus(id, 'PAID');
    await eventually(async () => {
      expect(await callbacksAbout(id)).toEqual({ left: 0, isDue: false });
    }, PATIENT);
    expect(await bench.records.payments(id)).toHaveLength(1);
  });
});
