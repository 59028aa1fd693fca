import { describe, expect, it } from 'vitest';
import { SandboxPaymentsRepository } from '../../../src/sandbox/store/sandbox-payments.repository.js';
import { eventually } from '../../support/eventually.js';
import { pauseWakes } from '../../support/paused-task.js';
import { FEE, HOUR_MS, PATIENT, startSandboxBench } from './payment-bench.js';
import { ofFile } from '../../support/of-file.js';

const bench = ofFile(() => startSandboxBench());

/** An order and its page. */
async function opened(): Promise<{ id: string; url: string }> {
  const id = await bench.order();
  return { id, url: (await bench.desk.open(id)).url };
}

function visit(url: string, form: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
}

const textOf = async (url: string) => (await fetch(url)).text();

describe('the sandbox’s payment page', () => {
  it('takes one payment, sends the browser back and calls back, twice if asked; what is pressed afterwards changes nothing', async () => {
    const { id, url } = await opened();
    expect(url).toMatch(/\/sandbox\/payment\/pay_\w+\.[\w-]+$/);
    const english = await textOf(url);
    for (const text of ['₹1,179', 'Fee to Navdhara Finance', 'simulation'])
      expect(english).toContain(text);
    expect((await fetch(url.slice(0, -1))).status).toBe(404);
    expect((await visit(`${url}x`, { outcome: 'pay' })).status).toBe(404);
    expect((await visit(url, { outcome: 'refund' })).status).toBe(400);
    const pay = () => visit(url, { outcome: 'pay', method: 'card', twice: '1' });
    const answers = await Promise.all([pay(), pay(), pay()]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    const [answer] = answers;
    expect(answer.headers.get('location')).toBe(`${bench.service.baseUrl}/pay/some-token/done`);
    await bench.untilStatus(id, 'PAID');
    const unsent = `SELECT 1 FROM sandbox_payments
      WHERE order_id = $1 AND (callbacks_left > 0 OR lease_until IS NOT NULL)`;
    await eventually(
      async () => expect(await bench.records.query(unsent, [id])).toEqual([]),
      PATIENT,
    );
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

  it('has the bank confirm ten seconds late', async () => {
    const { id, url } = await opened();
    await visit(url, { outcome: 'pay', late: '1' });
    await bench.poll(id);
    expect(await bench.records.status(id)).toBe('OPEN');
    expect(await textOf(url)).toContain('not confirmed yet');
    await bench.service.travel(10_500);
    await bench.untilStatus(id, 'PAID');
  });

  it('closes with its order’s time', async () => {
    const { id, url } = await opened();
    await bench.service.travel(73 * HOUR_MS);
    await bench.untilStatus(id, 'EXPIRED');
    expect((await visit(url, { outcome: 'pay' })).status).toBe(303);
    expect(await textOf(url)).toContain('time to pay is over');
    await bench.poll(id);
    expect(await bench.records.payments(id)).toEqual([]);
  });
});

describe('a callback of the sandbox’s gateway', () => {
  it('is repeated until it is received; news during it is sent again, and a second refund is none', async () => {
    const { service } = bench;
    const payments = service.get(SandboxPaymentsRepository);
    pauseWakes(service, SandboxPaymentsRepository.DUE);
    const order = bench.newOrder();
    const id = `pay_${order.subjectId}`;
    await payments.insertOnce({ ...order, orderId: id, detailsSealed: '' });
    const paid = { outcome: 'PAID', method: 'upi', delaySeconds: 0, callbacks: 1 } as const;
    await bench.transaction((tx) => payments.decide(tx, id, 'money', paid));
    const claim = async () => {
      const due = await payments.claimCallbacks(100, 15);
      return due.find(({ orderId }) => orderId === id);
    };
    await payments.postpone((await claim())!, 0);
    const sending = (await claim())!;
    expect(sending.failures).toBe(1);
    expect(await claim()).toBeUndefined();
    for (const reference of ['rfd_first', 'rfd_second']) await payments.refund(id, reference, 0);
    expect(await payments.find(id)).toMatchObject({ refundReference: 'rfd_first' });
    await payments.recordSent(sending);
    await payments.recordSent((await claim())!);
    expect(await claim()).toBeUndefined();
  });
});
