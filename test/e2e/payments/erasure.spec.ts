import { describe, expect, it } from 'vitest';
import { eraseRecords } from '../../support/erase-records.js';
import { type RazorpayBench, razorpayTests } from './payment-bench.js';

let bench: RazorpayBench;

razorpayTests((started) => {
  bench = started;
});

describe('erasing an applicant', () => {
  it('takes away what the orders say of them, and keeps what matches the payment', async () => {
    const id = await bench.openOrder();
    const payment = bench.razorpay.pay(id);
    await bench.poll(id);
    const { subject_id: subject } = await bench.records.order(id);
    expect(
      await eraseRecords(bench.service, { partnerId: bench.service.partnerId, id: subject }),
    ).toBe(1);
    const order = await bench.records.order(id);
    expect(order).toMatchObject({ status: 'PAID', details_sealed: null, url: null });
    expect(order.gateway_order_id).toBe(bench.razorpay.linkOf(id).id);
    expect(await bench.records.payments(id)).toMatchObject([{ id: payment.id }]);
    expect(
      await eraseRecords(bench.service, { partnerId: bench.service.partnerId, id: subject }),
    ).toBe(0);
  });

  it('calls off what could still be paid', async () => {
    const id = await bench.openOrder();
    const { subject_id: subject } = await bench.records.order(id);
    await eraseRecords(bench.service, { partnerId: bench.service.partnerId, id: subject });
    await bench.untilStatus(id, 'CANCELLED');
    expect(bench.razorpay.linkOf(id).status).toBe('cancelled');
    expect(await bench.records.order(id)).toMatchObject({ details_sealed: null, url: null });
  });
});
