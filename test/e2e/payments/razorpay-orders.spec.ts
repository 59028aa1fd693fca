import { describe, expect, it, vi } from 'vitest';
import { PaymentOrderClosed, PaymentsUnavailable } from '../../../src/payments/index.js';
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

  it('goes without a name that Razorpay would refuse the link for', async () => {
    const { applicant } = bench.newOrder();
    const names = ['Om', 'Verma, Asha', 'आशा वर्मा', 'A'.repeat(51)];
    const ids = await Promise.all(
      names.map((name) => bench.openOrder({ applicant: { ...applicant, name } })),
    );
    for (const id of ids) {
      const [call] = bench.razorpay.callsOf('POST', LINKS, id);
      expect(call.body.customer).toEqual({ contact: '+919876543210' });
    }
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

  it('is tried again until it is created, once; in the meantime a visitor is told that there is no page', async () => {
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
    // The last one was refused: the link was there, and found by its reference.
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
