import { describe, expect, it, vi } from 'vitest';
import {
  PaymentOrderClosed,
  PaymentsUnavailable,
  SHORTEST_PAGE_LIFE_MS,
} from '../../../src/payments/index.js';
import { OrderProcessing } from '../../../src/payments/order-processing.js';
import { PaymentOrdersRepository } from '../../../src/payments/store/payment-orders.repository.js';
import { eventually } from '../../support/eventually.js';
import { RAZORPAY_ACCOUNT } from '../../support/fake-razorpay.js';
import {
  FEE,
  HOUR_MS,
  MINUTE_MS,
  PATIENT,
  type RazorpayBench,
  razorpayTests,
  PAST_EXPIRY_MS,
} from './payment-bench.js';

const CREATE = /^POST \/v1\/payment_links$/;
const LINKS = /^\/v1\/payment_links$/;
const LEASE_MS = 45_000;

let bench: RazorpayBench;

razorpayTests((started) => {
  bench = started;
});

describe('a payment order at Razorpay', () => {
  it('is created in the background as the documentation asks, with as little as it needs and no name that Razorpay would refuse the link for', async () => {
    const expiresAt = new Date(bench.service.now().getTime() + 72 * HOUR_MS);
    const id = await bench.openOrder({ expiresAt });
    const [call] = bench.razorpay.callsOf('POST', LINKS, id);
    const { keyId, keySecret } = RAZORPAY_ACCOUNT;
    const basic = Buffer.from(`${keyId}:${keySecret}`).toString('base64');
    expect(call.headers.authorization).toBe(`Basic ${basic}`);
    expect(call.body).toEqual({
      amount: FEE,
      currency: 'INR',
      accept_partial: false,
      reference_id: id,
      description: 'Processing fee',
      customer: { name: 'Asha Verma', contact: '+919876543210' },
      expire_by: Math.floor(expiresAt.getTime() / 1000),
      notify: { sms: false, email: false },
      reminder_enable: false,
      notes: { order_id: id },
      callback_url: `${bench.service.baseUrl}/pay/some-token/done`,
      callback_method: 'get',
    });
    const link = bench.razorpay.linkOf(id);
    expect(await bench.records.order(id)).toMatchObject({
      gateway: 'razorpay',
      gateway_order_id: link.id,
      url: link.short_url,
    });
    expect(await bench.records.trailOf(id)).toEqual(['ORDERED NEW', 'OPENED OPEN']);
    const { applicant } = bench.newOrder();
    const other = await bench.openOrder({ applicant: { ...applicant, name: 'आशा वर्मा' } });
    const [{ body }] = bench.razorpay.callsOf('POST', LINKS, other);
    expect(body.customer).toEqual({ contact: '+919876543210' });
  });

  it('is opened as long as a link that Razorpay accepts ends with it, and not later', async () => {
    const inMinutes = (minutes: number) =>
      new Date(bench.service.now().getTime() + minutes * MINUTE_MS);
    const expiresAt = inMinutes(17);
    const { expire_by: expireBy } = bench.razorpay.linkOf(await bench.openOrder({ expiresAt }));
    expect(expireBy).toBe(Math.floor(expiresAt.getTime() / 1000));
    const late = await bench.order({ expiresAt: inMinutes(15) });
    await expect(bench.desk.open(late)).rejects.toThrow(PaymentOrderClosed);
    await bench.untilStatus(late, 'EXPIRED');
    expect(bench.razorpay.callsOf('POST', LINKS, late)).toEqual([]);
  });

  it('is tried again until it is created, once; in the meantime a visitor reads that there is no page', async () => {
    bench.razorpay.failNext(
      CREATE,
      { status: 302, headers: { location: 'https://elsewhere.example/' } },
      { status: 200, body: '<html>maintenance</html>' },
      { hangUp: true },
      { loseAnswer: true },
    );
    const id = await bench.transaction((tx) => bench.desk.order(tx, bench.newOrder()));
    await expect(bench.desk.open(id)).rejects.toBeInstanceOf(PaymentsUnavailable);
    await eventually(
      async () => {
        await bench.desk.askNow(id);
        await bench.service.travel(6_000);
        expect(await bench.records.status(id)).toBe('OPEN');
      },
      { ...PATIENT, everyMs: 200 },
    );
    // The last request was refused because the link existed; it was found by its reference.
    expect(bench.razorpay.callsOf('POST', LINKS, id)).toHaveLength(5);
    expect(bench.razorpay.callsOf('GET', LINKS, id)).toHaveLength(1);
    const { id: link } = bench.razorpay.linkOf(id);
    const order = { gateway_order_id: link, failures: 0, last_failure: null };
    expect(await bench.records.order(id)).toMatchObject(order);
    const { subject_id: subject } = await bench.records.order(id);
    expect(await bench.records.paymentFlags(subject)).toEqual([]);
  });

  it('ends a call that gets no whole answer at its deadline', async () => {
    bench.razorpay.failNext(CREATE, { stall: true });
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const deadline = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(50));
    const orderId = 'pay_00000000000000000000000000000001';
    const order = { ...bench.newOrder(), orderId, account: null };
    const created = bench.gateway('razorpay').createOrder(order);
    await expect(created).rejects.toThrow(/no answer/);
    expect(deadline).toHaveBeenCalledWith(10_000);
    deadline.mockRestore();
  });

  it('that Razorpay refuses is put before the operator, once, without personal data', async () => {
    const refusal = {
      status: 400,
      body: {
        error: { code: 'BAD_REQUEST_ERROR', description: 'contact +919876543210 is invalid' },
      },
    };
    bench.razorpay.failNext(CREATE, refusal, refusal);
    const id = await bench.order();
    const { subject_id: subject } = await bench.records.order(id);
    await eventually(
      async () => {
        await bench.service.travel(5_000);
        expect(await bench.records.status(id)).toBe('OPEN');
      },
      { ...PATIENT, everyMs: 200 },
    );
    const flags = await bench.records.query<{ kind: string; detail: { reason: string } }>(
      'SELECT kind, detail FROM operator_flags WHERE subject_id = $1',
      [subject],
    );
    expect(flags).toMatchObject([{ kind: 'GATEWAY_REFUSED', detail: { orderId: id } }]);
    expect(flags[0].detail.reason).toContain('BAD_REQUEST_ERROR');
    expect(JSON.stringify(flags)).not.toContain('9876543210');
  });
});

describe('an order that the applicant did not pay in its time', () => {
  it('is paid all the same when that was in the last moment, or between the question and the cancellation', async () => {
    const [early, id] = await Promise.all([bench.openOrder(), bench.openOrder()]);
    bench.razorpay.pay(early);
    const { id: link } = bench.razorpay.linkOf(id);
    bench.razorpay.failNext(new RegExp(`GET /v1/payment_links/${link}$`), {
      status: 200,
      body: { ...bench.razorpay.linkOf(id) },
    });
    bench.razorpay.pay(id);
    await bench.service.travel(PAST_EXPIRY_MS);
    for (const paid of [early, id]) {
      await bench.untilStatus(paid, 'PAID');
      expect(await bench.records.notices(paid)).toEqual(['PAID']);
    }
    expect(bench.razorpay.callsOf('POST', /cancel$/, link)).toHaveLength(1);
  });

  it('stays as it is until the gateway has said so, and takes up money that arrives after its end', async () => {
    const id = await bench.openOrder();
    bench.razorpay.failNext(/POST .*cancel$/, { status: 500 }, { hangUp: true });
    await bench.service.travel(PAST_EXPIRY_MS);
    await eventually(async () => {
      expect((await bench.records.order(id)).failures).toBeGreaterThan(0);
    }, PATIENT);
    expect(await bench.records.notices(id)).toEqual([]);
    await eventually(
      async () => {
        await bench.service.travel(3_000);
        expect(await bench.records.status(id)).toBe('EXPIRED');
      },
      { ...PATIENT, everyMs: 200 },
    );
    expect(bench.razorpay.linkOf(id).status).toBe('cancelled');
    expect(await bench.records.trailOf(id)).toEqual([
      'ORDERED NEW',
      'OPENED OPEN',
      'TIME_RAN_OUT OPEN',
      'CLOSED EXPIRED',
    ]);
    await expect(bench.desk.open(id)).rejects.toThrow(PaymentOrderClosed);
    bench.razorpay.pay(id);
    await bench.service.travel(80 * MINUTE_MS);
    await bench.untilStatus(id, 'PAID');
    expect(await bench.records.notices(id)).toEqual(['EXPIRED', 'PAID']);
  });
});

describe('an order that is cancelled', () => {
  it('is closed at the gateway in the background, unless that is rolled back', async () => {
    const id = await bench.openOrder();
    const failed = bench.transaction(async (tx) => {
      await bench.desk.cancel(tx, id);
      throw new Error('not after all');
    });
    await expect(failed).rejects.toThrow('not after all');
    await bench.poll(id);
    expect(await bench.records.status(id)).toBe('OPEN');
    await bench.transaction((tx) => bench.desk.cancel(tx, id));
    await expect(bench.desk.open(id)).rejects.toMatchObject({ status: 'CANCELLED' });
    await bench.untilStatus(id, 'CANCELLED');
    expect(bench.razorpay.linkOf(id).status).toBe('cancelled');
    expect(await bench.records.notices(id)).toEqual(['CANCELLED']);
    // An order that was never sent to the gateway needs no call.
    const early = await bench.transaction(async (tx) => {
      const ordered = await bench.desk.order(tx, bench.newOrder());
      await bench.desk.cancel(tx, ordered);
      return ordered;
    });
    await bench.untilStatus(early, 'CANCELLED');
    expect(bench.razorpay.calls.filter(({ body }) => body.reference_id === early)).toEqual([]);
  });

  it('whose creation’s answer was lost leaves no open link behind', async () => {
    bench.razorpay.failNext(CREATE, { loseAnswer: true });
    // Its search by reference also fails, until the order is cancelled.
    bench.razorpay.failNext(CREATE, ...Array.from({ length: 20 }, () => ({ status: 503 })));
    const id = await bench.order();
    await eventually(() => bench.razorpay.linkOf(id), PATIENT);
    await bench.transaction((tx) => bench.desk.cancel(tx, id));
    await bench.untilStatus(id, 'CANCELLED');
    expect(bench.razorpay.linkOf(id).status).toBe('cancelled');
  });

  it('meanwhile gets no page from a holder whose lease has expired', async () => {
    const orders = bench.service.get<PaymentOrdersRepository>(PaymentOrdersRepository);
    const bind = orders.bind.bind(orders);
    const processing = vi.spyOn(bench.service.get<OrderProcessing>(OrderProcessing), 'process');
    const binding = vi.spyOn(orders, 'bind').mockImplementationOnce(async (order, kind) => {
      await bench.transaction((tx) => bench.desk.cancel(tx, order.id));
      await bench.service.travel(LEASE_MS + 1_000);
      await bench.untilStatus(order.id, 'CANCELLED');
      return bind(order, kind);
    });
    const id = await bench.order();
    await bench.untilStatus(id, 'CANCELLED');
    const slow = processing.mock.calls.findIndex(([order]) => order.id === id);
    await Promise.allSettled([processing.mock.results[slow].value]);
    binding.mockRestore();
    processing.mockRestore();
    expect(bench.razorpay.calls.filter(({ body }) => body.reference_id === id)).toEqual([]);
  });

  it('while its page is opened in the last minutes is not ended before that page is closed', async () => {
    const gateway = bench.gateway('razorpay');
    const create = gateway.createOrder.bind(gateway);
    const opening = vi.spyOn(gateway, 'createOrder').mockImplementationOnce(async (order) => {
      const opened = await create(order);
      await bench.transaction((tx) => bench.desk.cancel(tx, order.orderId));
      // Less time is left than a page of Razorpay stays open, and the lease is still valid.
      await bench.service.travel(30_000);
      return opened;
    });
    const expiresAt = new Date(bench.service.now().getTime() + SHORTEST_PAGE_LIFE_MS + 25_000);
    const id = await bench.order({ expiresAt });
    await bench.untilStatus(id, 'CANCELLED');
    opening.mockRestore();
    expect(bench.razorpay.linkOf(id).status).toBe('cancelled');
    expect(await bench.records.trailOf(id)).toEqual([
      'ORDERED NEW',
      'CALLED_OFF NEW',
      'OPENED OPEN',
      'CLOSED CANCELLED',
    ]);
  });
});

describe('after a payment that failed', () => {
  it('the same link is paid again, since Razorpay’s takes another try', async () => {
    const id = await bench.openOrder();
    const payment = bench.razorpay.fail(id);
    await bench.callBack(bench.razorpay.webhook('payment.failed', id, { payment }));
    expect(await bench.records.status(id)).toBe('FAILED');
    expect(await bench.transaction((tx) => bench.desk.retry(tx, id))).toBe(id);
    expect(await bench.desk.open(id)).toEqual({ url: bench.razorpay.linkOf(id).short_url });
    bench.razorpay.pay(id);
    await bench.poll(id);
    expect(await bench.records.status(id)).toBe('PAID');
    await expect(bench.transaction((tx) => bench.desk.retry(tx, id))).rejects.toThrow('PAID');
  });
});

/** Makes every call about an order's link fail until the test ends, or the fake recovers. */
function silence(id: string): void {
  const link = new RegExp(`/v1/payment_links/${bench.razorpay.linkOf(id).id}`);
  bench.razorpay.failNext(link, ...Array.from({ length: 500 }, () => ({ status: 503 })));
}

async function failsToAsk(id: string): Promise<void> {
  await expect(bench.poll(id)).rejects.toBeInstanceOf(PaymentsUnavailable);
}

/** The delay from the last check to the next, when the applicant of an order with these counts returns. */
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

it('an order about which Razorpay is silent for a day is put before the operator, once a silence', async () => {
  const id = await bench.openOrder();
  const { subject_id: subject } = await bench.records.order(id);
  const flags = () =>
    bench.records.query('SELECT kind, count, detail FROM operator_flags WHERE subject_id = $1', [
      subject,
    ]);
  silence(id);
  await failsToAsk(id);
  const { failing_since: since } = await bench.records.order(id);
  await bench.service.travel(23 * HOUR_MS);
  await failsToAsk(id);
  expect(await bench.records.order(id)).toMatchObject({ failing_since: since, silent_at: null });
  expect(await flags()).toEqual([]);
  await bench.service.travel(HOUR_MS);
  const detail = {
    orderId: id,
    gateway: 'razorpay',
    status: 'OPEN',
    since: since!.toISOString(),
    reason: expect.stringContaining('503') as string,
  };
  for (const again of [1, 2]) {
    await failsToAsk(id);
    const raised = await flags();
    expect(raised, `time ${again}`).toMatchObject([{ kind: 'GATEWAY_SILENT', count: 1, detail }]);
    expect(await secondsToNudged(id, {})).toBe(3_600);
  }
  bench.razorpay.recover();
  await bench.poll(id);
  expect(await bench.records.order(id)).toMatchObject({ failing_since: null, silent_at: null });
  silence(id);
  await failsToAsk(id);
  await bench.service.travel(25 * HOUR_MS);
  await failsToAsk(id);
  expect(await flags()).toMatchObject([{ kind: 'GATEWAY_SILENT', count: 2 }]);
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

  it('is asked about less and less often by a page that is left open, every five seconds at first, every minute in the end', async () => {
    const id = await bench.openOrder();
    const waits: number[] = [];
    for (const asks of [0, 12, 13, 40, 67, 5_000]) waits.push(await secondsToNudged(id, { asks }));
    expect(waits).toEqual([5, 5, 6, 33, 60, 60]);
    expect(await secondsToNudged(id, { failures: 40 })).toBe(33);
  });
});
