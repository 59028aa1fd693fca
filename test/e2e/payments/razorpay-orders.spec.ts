import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  GatewayRefused,
  PaymentInbox,
  PaymentOrderClosed,
  PaymentsUnavailable,
} from '../../../src/payments/index.js';
import { eraseRecords } from '../../support/erase-records.js';
import { eventually } from '../../support/eventually.js';
import { RAZORPAY_ACCOUNT } from '../../support/fake-razorpay.js';
import {
  FEE,
  HOUR_MS,
  MINUTE_MS,
  PATIENT,
  RazorpayBench,
  PAST_EXPIRY_MS,
} from './payment-bench.js';

const CREATE = /^POST \/v1\/payment_links$/;
const FETCH = /^GET \/v1\/payment_links/;
const LINKS = /^\/v1\/payment_links$/;

let bench: RazorpayBench;

beforeAll(async () => {
  bench = await RazorpayBench.start();
});

afterAll(() => bench?.close());

afterEach(() => {
  bench.razorpay.recover();
  bench.razorpay.showsPayments = true;
});

/** Has every call about an order's link fail until the test is over, or the fake recovers. */
function silence(id: string): void {
  const link = new RegExp(`/v1/payment_links/${bench.razorpay.linkOf(id).id}`);
  bench.razorpay.failNext(link, ...Array.from({ length: 500 }, () => ({ status: 503 })));
}

async function failsToAsk(id: string): Promise<void> {
  await expect(bench.poll(id)).rejects.toBeInstanceOf(PaymentsUnavailable);
}

describe('a payment order at Razorpay', () => {
  it('is created in the background as the documentation asks, with as little as it needs', async () => {
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
  });

  it.each(['Om', 'Verma, Asha', 'आशा वर्मा', 'A'.repeat(51)])(
    'goes without a name that Razorpay would refuse the link for: %s',
    async (name) => {
      const { applicant } = bench.newOrder();
      const id = await bench.openOrder({ applicant: { ...applicant, name } });
      const [call] = bench.razorpay.callsOf('POST', LINKS, id);
      expect(call.body).toMatchObject({ reference_id: id });
      expect(call.body.customer).toEqual({ contact: '+919876543210' });
    },
  );

  it('is opened once however many visit at the same moment', async () => {
    const id = await bench.order();
    const pages = await Promise.all(Array.from({ length: 12 }, () => bench.desk.open(id)));
    const { short_url: url } = bench.razorpay.linkOf(id);
    expect(new Set(pages.map((page) => page.url))).toEqual(new Set([url]));
    expect(bench.razorpay.callsOf('POST', LINKS, id)).toHaveLength(1);
  });

  it('with less than a quarter of an hour left gets a link that Razorpay accepts', async () => {
    const expiresAt = new Date(bench.service.now().getTime() + 5 * MINUTE_MS);
    const id = await bench.openOrder({ expiresAt });
    const { expire_by: expireBy } = bench.razorpay.linkOf(id);
    expect(expireBy).toBeGreaterThan(expiresAt.getTime() / 1000);
  });

  it('whose creation’s answer was lost is found again by its reference', async () => {
    bench.razorpay.failNext(CREATE, { loseAnswer: true });
    const id = await bench.openOrder();
    expect(bench.razorpay.callsOf('POST', LINKS, id)).toHaveLength(2);
    expect(bench.razorpay.callsOf('GET', LINKS, id)).toHaveLength(1);
    const link = bench.razorpay.linkOf(id);
    expect(await bench.records.order(id)).toMatchObject({ gateway_order_id: link.id });
    expect(
      [...bench.razorpay.links.values()].filter((one) => one.reference_id === id),
    ).toHaveLength(1);
  });

  it('is tried again after every kind of failure that may pass', async () => {
    bench.razorpay.failNext(
      CREATE,
      { status: 502, body: '<html>Bad Gateway</html>' },
      { status: 500, body: { error: { code: 'SERVER_ERROR', description: 'x' } } },
      { status: 429, body: { error: { code: 'BAD_REQUEST_ERROR', description: 'Slow down' } } },
      { status: 302, headers: { location: 'https://elsewhere.example/' } },
      { hangUp: true },
      { status: 200, body: '<html>maintenance</html>' },
    );
    const id = await bench.order();
    await eventually(
      async () => {
        await bench.desk.askNow(id);
        await bench.service.travel(6_000);
        expect(await bench.records.status(id)).toBe('OPEN');
      },
      { ...PATIENT, everyMs: 200 },
    );
    expect(bench.razorpay.callsOf('POST', LINKS, id)).toHaveLength(7);
    expect(await bench.records.order(id)).toMatchObject({ failures: 0, last_failure: null });
    const { subject_id: subject } = await bench.records.order(id);
    expect(await bench.records.paymentFlags(subject)).toEqual([]);
  });

  it('tells a visitor that there is no page while the gateway gives none', async () => {
    bench.razorpay.failNext(CREATE, { status: 503 }, { status: 503 }, { status: 503 });
    const id = await bench.transaction((tx) => bench.desk.order(tx, bench.newOrder()));
    await expect(bench.desk.open(id)).rejects.toBeInstanceOf(PaymentsUnavailable);
    bench.razorpay.recover();
    expect(await bench.desk.open(id)).toEqual({ url: bench.razorpay.linkOf(id).short_url });
  });

  it('ends a call that gets no whole answer at its deadline', async () => {
    bench.razorpay.failNext(CREATE, { stall: true });
    const gateway = bench.gateway('razorpay');
    const { description, applicant, returnUrl, expiresAt, ...rest } = bench.newOrder();
    const orderId = 'pay_00000000000000000000000000000001';
    const created = gateway.createOrder({
      orderId,
      description,
      applicant,
      returnUrl,
      expiresAt,
      ...rest,
    });
    await expect(created).rejects.toThrow(/no answer/);
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
    expect(await bench.records.paymentFlags(subject)).toHaveLength(2);
  });

  it('that is over and cannot be asked about is put before the operator, and left', async () => {
    const id = await bench.openOrder();
    const { subject_id: subject } = await bench.records.order(id);
    await bench.service.travel(PAST_EXPIRY_MS);
    await bench.untilStatus(id, 'EXPIRED');
    silence(id);
    await bench.service.travel(47 * HOUR_MS);
    await failsToAsk(id);
    expect((await bench.records.order(id)).next_attempt_at).not.toBeNull();
    expect(await bench.records.paymentFlags(subject)).toEqual([]);
    await bench.service.travel(2 * HOUR_MS);
    await failsToAsk(id);
    expect((await bench.records.order(id)).next_attempt_at).toBeNull();
    expect(await bench.records.paymentFlags(subject)).toEqual(['GATEWAY_SILENT']);
  });

  it('with wrong keys is refused, not retried as if the gateway were away', async () => {
    bench.razorpay.failNext(FETCH, {
      status: 401,
      body: { error: { code: 'BAD_REQUEST_ERROR', description: 'Authentication failed' } },
    });
    const fetched = bench
      .gateway('razorpay')
      .fetchOrder({ orderId: 'x', gatewayOrderId: 'plink_x' });
    await expect(fetched).rejects.toBeInstanceOf(GatewayRefused);
  });
});

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

describe('an order whose callback never came', () => {
  it('is asked about after two minutes, and the payment is found', async () => {
    const id = await bench.openOrder();
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

  it('is asked about at once when the applicant comes back', async () => {
    const id = await bench.openOrder();
    bench.razorpay.pay(id);
    await bench.service.travel(6_000);
    await bench.desk.askNow(id);
    await bench.untilStatus(id, 'PAID');
    expect(await bench.records.notices(id)).toEqual(['PAID']);
  });

  it('is not asked about more often than every five seconds, however often they come back', async () => {
    const id = await bench.openOrder();
    const before = bench.razorpay.callsOf('GET', /payment_links/, bench.razorpay.linkOf(id).id);
    for (let visit = 0; visit < 20; visit += 1) await bench.desk.askNow(id);
    const after = bench.razorpay.callsOf('GET', /payment_links/, bench.razorpay.linkOf(id).id);
    expect(after.length - before.length).toBeLessThanOrEqual(1);
  });

  it('is asked about less and less often by a page that is left open, every minute in the end', async () => {
    const id = await bench.openOrder();
    const waits: number[] = [];
    for (const asks of [0, 12, 13, 40, 67, 5_000]) waits.push(await secondsToNudged(id, { asks }));
    expect(waits).toEqual([5, 5, 6, 33, 60, 60]);
    expect(await secondsToNudged(id, { failures: 40 })).toBe(33);
  });

  it('is asked about at once by whoever comes back after a while, however often it was', async () => {
    const id = await bench.openOrder();
    bench.razorpay.pay(id);
    await bench.records.query('UPDATE payment_orders SET asks = 5000 WHERE id = $1', [id]);
    await bench.service.travel(61_000);
    await bench.desk.askNow(id);
    await bench.untilStatus(id, 'PAID');
    expect(await bench.records.notices(id)).toEqual(['PAID']);
  });

  it('has its payment found through the gateway’s order when the link does not show it', async () => {
    const id = await bench.openOrder();
    bench.razorpay.showsPayments = false;
    const payment = bench.razorpay.pay(id);
    await bench.poll(id);
    expect(await bench.records.payments(id)).toMatchObject([{ id: payment.id }]);
    expect(await bench.records.status(id)).toBe('PAID');
  });

  it('is asked about less and less often, hourly in the end, and never again a day after its end', async () => {
    const id = await bench.openOrder();
    const waits: number[] = [];
    for (let ask = 0; ask < 7; ask += 1) {
      await bench.poll(id);
      const { next_attempt_at: next } = await bench.records.order(id);
      waits.push((next!.getTime() - bench.service.now().getTime()) / MINUTE_MS);
    }
    for (const [index, wait] of waits.entries()) {
      const expected = Math.min(2 ** (index + 2), 60);
      expect(wait).toBeGreaterThan(expected * 0.95);
      expect(wait).toBeLessThan(expected * 1.15);
    }
    await bench.service.travel(72 * HOUR_MS);
    await bench.untilStatus(id, 'EXPIRED');
    await bench.service.travel(25 * HOUR_MS);
    await eventually(async () => {
      expect((await bench.records.order(id)).next_attempt_at).toBeNull();
    }, PATIENT);
  });

  it('is asked about three times more after its end', async () => {
    const id = await bench.openOrder();
    const { id: link } = bench.razorpay.linkOf(id);
    await bench.service.travel(PAST_EXPIRY_MS);
    await bench.untilStatus(id, 'EXPIRED');
    const before = bench.razorpay.callsOf('GET', /payment_links/, link).length;
    // Longer than each wait with its jitter; what is due is looked at before time goes on.
    for (let pass = 0; pass < 30; pass += 1) {
      await bench.service.travel(70 * MINUTE_MS);
      await eventually(async () => {
        const { next_attempt_at: next } = await bench.records.order(id);
        expect(next === null || next > bench.service.now()).toBe(true);
      }, PATIENT);
    }
    const looks = bench.razorpay.callsOf('GET', /payment_links/, link).length - before;
    expect(looks).toBe(3);
    expect((await bench.records.order(id)).next_attempt_at).toBeNull();
  });
});

describe('an order that nobody paid in its time', () => {
  it('has its link cancelled, and is expired then', async () => {
    const id = await bench.openOrder();
    const { id: link } = bench.razorpay.linkOf(id);
    await bench.service.travel(PAST_EXPIRY_MS);
    await bench.untilStatus(id, 'EXPIRED');
    expect(bench.razorpay.linkOf(id).status).toBe('cancelled');
    const about = bench.razorpay.calls.filter(({ path }) => path.includes(link));
    expect(about.map(({ method, path }) => `${method} ${path.replace(link, ':id')}`)).toEqual([
      'GET /v1/payment_links/:id',
      'POST /v1/payment_links/:id/cancel',
    ]);
    expect(await bench.records.notices(id)).toEqual(['EXPIRED']);
    expect(await bench.records.trailOf(id)).toEqual([
      'ORDERED NEW',
      'OPENED OPEN',
      'TIME_RAN_OUT OPEN',
      'CLOSED EXPIRED',
    ]);
    await expect(bench.desk.open(id)).rejects.toThrow(PaymentOrderClosed);
  });

  it('is paid all the same when that was in the last moment', async () => {
    const id = await bench.openOrder();
    bench.razorpay.pay(id);
    await bench.service.travel(PAST_EXPIRY_MS);
    await bench.untilStatus(id, 'PAID');
    expect(await bench.records.notices(id)).toEqual(['PAID']);
  });

  it('is paid all the same when that was between the question and the cancellation', async () => {
    const id = await bench.openOrder();
    const { id: link } = bench.razorpay.linkOf(id);
    bench.razorpay.failNext(new RegExp(`GET /v1/payment_links/${link}$`), {
      status: 200,
      body: { ...bench.razorpay.linkOf(id) },
    });
    bench.razorpay.pay(id);
    await bench.service.travel(PAST_EXPIRY_MS);
    await bench.untilStatus(id, 'PAID');
    expect(bench.razorpay.callsOf('POST', /cancel$/, link)).toHaveLength(1);
  });

  it('stays as it is until the gateway has said so', async () => {
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
  });

  it('takes up money that arrives after its end', async () => {
    const id = await bench.openOrder();
    await bench.service.travel(PAST_EXPIRY_MS);
    await bench.untilStatus(id, 'EXPIRED');
    bench.razorpay.pay(id);
    await bench.service.travel(80 * MINUTE_MS);
    await bench.untilStatus(id, 'PAID');
    expect(await bench.records.notices(id)).toEqual(['EXPIRED', 'PAID']);
  });

  it('needs no call when no gateway was ever told of it', async () => {
    const { length: before } = bench.razorpay.calls;
    const id = await bench.transaction(async (tx) => {
      const ordered = await bench.desk.order(tx, bench.newOrder());
      await bench.desk.cancel(tx, ordered);
      return ordered;
    });
    await bench.untilStatus(id, 'CANCELLED');
    expect(
      bench.razorpay.calls.slice(before).filter(({ body }) => body.reference_id === id),
    ).toEqual([]);
    expect((await bench.records.order(id)).next_attempt_at).toBeNull();
  });
});

describe('an order that is cancelled', () => {
  it('is closed at the gateway in the background', async () => {
    const id = await bench.openOrder();
    await bench.transaction((tx) => bench.desk.cancel(tx, id));
    await expect(bench.desk.open(id)).rejects.toMatchObject({ status: 'CANCELLED' });
    await bench.untilStatus(id, 'CANCELLED');
    expect(bench.razorpay.linkOf(id).status).toBe('cancelled');
    expect(await bench.records.notices(id)).toEqual(['CANCELLED']);
  });

  it('whose creation’s answer was lost leaves no open link behind', async () => {
    bench.razorpay.failNext(CREATE, { loseAnswer: true });
    // What would find it again fails, too, until it is cancelled.
    bench.razorpay.failNext(CREATE, ...Array.from({ length: 20 }, () => ({ status: 503 })));
    const id = await bench.order();
    await eventually(() => bench.razorpay.linkOf(id), PATIENT);
    await bench.transaction((tx) => bench.desk.cancel(tx, id));
    await bench.untilStatus(id, 'CANCELLED');
    expect(bench.razorpay.linkOf(id).status).toBe('cancelled');
  });

  it('is rolled back with the transaction that calls it off', async () => {
    const id = await bench.openOrder();
    const failed = bench.transaction(async (tx) => {
      await bench.desk.cancel(tx, id);
      throw new Error('not after all');
    });
    await expect(failed).rejects.toThrow('not after all');
    await bench.poll(id);
    expect(await bench.records.status(id)).toBe('OPEN');
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

describe('the inbox', () => {
  it('gives a notice to one taker at a time, and again later when it is put back', async () => {
    const id = await bench.openOrder();
    bench.razorpay.pay(id);
    await bench.poll(id);
    const inbox = bench.service.get<PaymentInbox>(PaymentInbox);
    const { subject_id: subjectId } = await bench.records.order(id);
    await bench.records.query('UPDATE payment_inbox SET consumed_at = NULL WHERE order_id = $1', [
      id,
    ]);
    const about = { partnerId: 'demo', subjectId };
    await bench.transaction(async (tx) => {
      const [notice] = await inbox.takePaymentsOf(tx, about);
      expect(notice).toMatchObject({ kind: 'PAID', orderId: id, subjectId, amount: FEE });
      expect(notice.at).toBeInstanceOf(Date);
      await inbox.postpone(tx, notice.id, HOUR_MS);
    });
    await bench.transaction(async (tx) => {
      const [notice] = await inbox.takePaymentsOf(tx, about);
      expect(notice.attempts).toBeGreaterThan(0);
      await inbox.markConsumed(tx, notice.id);
      expect(await inbox.takePaymentsOf(tx, about)).toEqual([]);
    });
  });
});

describe('erasing an applicant', () => {
  it('takes away what the orders say of them, and keeps what matches the payment', async () => {
    const id = await bench.openOrder();
    const payment = bench.razorpay.pay(id);
    await bench.poll(id);
    const { subject_id: subject } = await bench.records.order(id);
    expect(await eraseRecords(bench.service, { partnerId: 'demo', id: subject })).toBe(1);
    const order = await bench.records.order(id);
    expect(order).toMatchObject({ status: 'PAID', details_sealed: null, url: null });
    expect(order.gateway_order_id).toBe(bench.razorpay.linkOf(id).id);
    expect(await bench.records.payments(id)).toMatchObject([{ id: payment.id }]);
    expect(await eraseRecords(bench.service, { partnerId: 'demo', id: subject })).toBe(0);
  });

  it('calls off what could still be paid', async () => {
    const id = await bench.openOrder();
    const { subject_id: subject } = await bench.records.order(id);
    await eraseRecords(bench.service, { partnerId: 'demo', id: subject });
    await bench.untilStatus(id, 'CANCELLED');
    expect(bench.razorpay.linkOf(id).status).toBe('cancelled');
    expect(await bench.records.order(id)).toMatchObject({ details_sealed: null, url: null });
  });
});
