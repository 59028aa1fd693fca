import { describe, expect, it } from 'vitest';
import { PaymentInbox } from '../../../src/payments/index.js';
import { FEE, HOUR_MS, type RazorpayBench, razorpayTests } from './payment-bench.js';

let bench: RazorpayBench;

razorpayTests((started) => {
  bench = started;
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
    const about = { partnerId: bench.service.partnerId, subjectId };
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
