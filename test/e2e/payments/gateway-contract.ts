import { expect, it } from 'vitest';
import type {
  GatewayEvent,
  GatewayOrderState,
  OrderToCreate,
  PaymentGateway,
  ReceivedCallback,
} from '../../../src/payments/index.js';

/** A gateway's adapter with what stands behind it: somebody who pays, and the gateway's callbacks. */
export interface GatewayStage {
  readonly gateway: PaymentGateway;
  newOrder(): OrderToCreate;
  pay(order: OrderToCreate): Promise<void>;
  fail(order: OrderToCreate): Promise<void>;
  /** Time passes until after the order's end. */
  passExpiry(order: OrderToCreate): Promise<void>;
  /** The bank takes the time that it takes to give money back. */
  giveBack(order: OrderToCreate): Promise<void>;
  /** The callback about what the order has come to, as the gateway sends it. */
  callback(order: OrderToCreate): Promise<ReceivedCallback>;
}

/** What every payment gateway's adapter must do; run against each of them. */
export function describeGateway(stage: () => GatewayStage): void {
  const opened = async () => {
    const order = stage().newOrder();
    const state = await stage().gateway.createOrder(order);
    return { order, state, reference: referenceOf(order, state) };
  };

  it('opens a page for an order', async () => {
    const { state } = await opened();
    expect(state).toMatchObject({ status: 'OPEN', payments: [], failedPaymentIds: [] });
    expect(state.url).toMatch(/^https?:\/\//);
    expect(state.gatewayOrderId).toMatch(/\w{8,}/);
  });

  it('finds the page again when it is created again', async () => {
    const { order, state } = await opened();
    expect(await stage().gateway.createOrder(order)).toEqual(state);
  });

  it('gives each order its own page', async () => {
    const [one, other] = [await opened(), await opened()];
    expect(one.state.url).not.toBe(other.state.url);
    expect(one.state.gatewayOrderId).not.toBe(other.state.gatewayOrderId);
  });

  it('tells how an order stands, by the gateway’s id and by ours', async () => {
    const { order, state, reference } = await opened();
    const byOurs = { orderId: order.orderId, gatewayOrderId: null, account: null };
    expect(await stage().gateway.fetchOrder(reference)).toEqual(state);
    expect(await stage().gateway.fetchOrder(byOurs)).toEqual(state);
  });

  it('knows nothing of an order that it was never told of', async () => {
    const unknown = {
      orderId: 'pay_ffffffffffffffffffffffffffffffff',
      gatewayOrderId: null,
      account: null,
    };
    expect(await stage().gateway.fetchOrder(unknown)).toBeNull();
    expect(await stage().gateway.cancelOrder(unknown)).toBeNull();
  });

  it('tells of a payment with its amount, and of the same one each time', async () => {
    const { order, reference } = await opened();
    await stage().pay(order);
    const paid = await stage().gateway.fetchOrder(reference);
    expect(paid).toMatchObject({
      status: 'PAID',
      payments: [{ amount: order.amount, currency: 'INR' }],
    });
    expect(paid?.payments[0]?.paidAt).toBeInstanceOf(Date);
    expect((await stage().gateway.fetchOrder(reference))?.payments).toEqual(paid?.payments);
  });

  it('closes a page, and says so each time it is asked to', async () => {
    const { order, reference } = await opened();
    const byOurs = { orderId: order.orderId, gatewayOrderId: null, account: null };
    expect(await stage().gateway.cancelOrder(reference)).toMatchObject({ status: 'CANCELLED' });
    expect(await stage().gateway.cancelOrder(reference)).toMatchObject({ status: 'CANCELLED' });
    expect(await stage().gateway.cancelOrder(byOurs)).toMatchObject({ status: 'CANCELLED' });
  });

  it('does not close what is paid, and says that it is', async () => {
    const { order, reference } = await opened();
    await stage().pay(order);
    const state = await stage().gateway.cancelOrder(reference);
    expect(state).toMatchObject({ status: 'PAID', payments: [{ amount: order.amount }] });
  });

  it('tells of an expiry', async () => {
    const { order, reference } = await opened();
    await stage().passExpiry(order);
    expect(await stage().gateway.fetchOrder(reference)).toMatchObject({ status: 'EXPIRED' });
    expect(await stage().gateway.cancelOrder(reference)).toMatchObject({ status: 'EXPIRED' });
  });

  it('calls back about a payment that its own answer tells of, too', async () => {
    const { order, reference } = await opened();
    await stage().pay(order);
    const event = await stage().gateway.readCallback(await stage().callback(order), null);
    const state = await stage().gateway.fetchOrder(reference);
    expectAbout(event, order);
    expect(event.about?.state).toMatchObject({ status: 'PAID' });
    const ids = (one: GatewayOrderState | null | undefined) => one?.payments.map(({ id }) => id);
    expect(ids(event.about?.state)).toEqual(ids(state));
    expect(event.about?.state?.payments).toMatchObject([
      { amount: order.amount, currency: 'INR', paidAt: expect.any(Date) as Date },
    ]);
  });

  it('calls back about a try that failed', async () => {
    const { order } = await opened();
    await stage().fail(order);
    const event = await stage().gateway.readCallback(await stage().callback(order), null);
    expect(event.about?.state).toMatchObject({ status: 'FAILED', payments: [] });
    expect(event.about?.state?.failedPaymentIds).toHaveLength(1);
  });

  it('gives a payment back, once for one key, and tells how that stands', async () => {
    const { order, reference } = await opened();
    await stage().pay(order);
    const [payment] = (await stage().gateway.fetchOrder(reference))!.payments;
    const key = `rfd_${order.orderId.slice('pay_'.length)}-1`;
    const { orderId, amount } = order;
    const refund = {
      key,
      orderId,
      account: null,
      gatewayPaymentId: payment.id,
      gatewayRefundId: null,
    };
    expect(await stage().gateway.fetchRefund(refund)).toBeNull();
    const made = await stage().gateway.makeRefund({ ...refund, amount });
    expect(made).toMatchObject({ key, gatewayPaymentId: payment.id, amount, status: 'PENDING' });
    expect(await stage().gateway.makeRefund({ ...refund, amount })).toEqual(made);
    const { gatewayRefundId } = made;
    expect(await stage().gateway.fetchRefund(refund)).toEqual(made);
    await stage().giveBack(order);
    const done = { ...made, status: 'DONE' };
    expect(await stage().gateway.fetchRefund({ ...refund, gatewayRefundId })).toEqual(done);
    expect(await stage().gateway.makeRefund({ ...refund, amount })).toEqual(done);
    const event = await stage().gateway.readCallback(await stage().callback(order), null);
    expect(event.refund).toEqual(done);
  });

  it('takes no callback whose bytes, signature or sender are others', async () => {
    const { order } = await opened();
    await stage().pay(order);
    const { headers, body } = await stage().callback(order);
    const name = Object.keys(headers).find((one) => one.endsWith('-signature')) ?? '';
    const signature = String(headers[name]);
    const other = signature.startsWith('0') ? '1' : '0';
    const forged: ReceivedCallback[] = [
      { headers, body: Buffer.concat([body, Buffer.from(' ')]) },
      { headers, body: Buffer.from(body.toString().replace(String(order.amount), '1')) },
      { headers: { ...headers, [name]: undefined }, body },
      { headers: { ...headers, [name]: '' }, body },
      { headers: { ...headers, [name]: other + signature.slice(1) }, body },
      { headers: { ...headers, [name]: signature.slice(0, 40) }, body },
    ];
    for (const callback of forged) {
      await expect(stage().gateway.readCallback(callback, null)).rejects.toMatchObject({
        code: 'invalid_signature',
      });
    }
  });

  it('gives one event one id, on every delivery', async () => {
    const { order } = await opened();
    await stage().pay(order);
    const callback = await stage().callback(order);
    const [first, second] = [
      await stage().gateway.readCallback(callback, null),
      await stage().gateway.readCallback(callback, null),
    ];
    expect(first.eventId).not.toBe('');
    expect(second.eventId).toBe(first.eventId);
  });
}

function referenceOf({ orderId }: OrderToCreate, { gatewayOrderId }: GatewayOrderState) {
  return { orderId, gatewayOrderId, account: null };
}

function expectAbout(event: GatewayEvent, { orderId }: OrderToCreate): void {
  expect(event.about?.orderId).toBe(orderId);
}
