import { describe, expect, it } from 'vitest';
import {
  GatewayRefused,
  PaymentOrderClosed,
  PaymentsUnavailable,
} from '../../../src/payments/index.js';
import { eventually } from '../../support/eventually.js';
import { RAZORPAY_ACCOUNT } from '../../support/fake-razorpay.js';
import {
  FEE,
  HOUR_MS,
  MINUTE_MS,
  PATIENT,
  type RazorpayBench,
  razorpayTests,
} from './payment-bench.js';

const CREATE = /^POST \/v1\/payment_links$/;
const FETCH = /^GET \/v1\/payment_links/;
const LINKS = /^\/v1\/payment_links$/;

let bench: RazorpayBench;

razorpayTests((started) => {
  bench = started;
});

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

  it('whose page is not opened while the gateway is away ends with nothing opened', async () => {
    bench.razorpay.failNext(CREATE, { hangUp: true });
    const expiresAt = new Date(bench.service.now().getTime() + 17 * MINUTE_MS);
    const id = await bench.order({ expiresAt });
    await eventually(
      () => expect(bench.razorpay.callsOf('POST', LINKS, id)).toHaveLength(1),
      PATIENT,
    );
    await bench.service.travel(2 * MINUTE_MS);
    await bench.untilStatus(id, 'EXPIRED');
    expect(bench.razorpay.callsOf('POST', LINKS, id)).toHaveLength(1);
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
      account: null,
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

  it('with wrong keys is refused, not retried as if the gateway were away', async () => {
    bench.razorpay.failNext(FETCH, {
      status: 401,
      body: { error: { code: 'BAD_REQUEST_ERROR', description: 'Authentication failed' } },
    });
    const fetched = bench
      .gateway('razorpay')
      .fetchOrder({ orderId: 'x', gatewayOrderId: 'plink_x', account: null });
    await expect(fetched).rejects.toBeInstanceOf(GatewayRefused);
  });
});
