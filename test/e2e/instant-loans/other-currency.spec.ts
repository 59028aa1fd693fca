import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { applyForInstantLoan, orderFee } from '../../support/instant-loans.js';
import { partnerClient } from '../../support/partner-client.js';
import { PATIENT, RazorpayBench } from '../payments/payment-bench.js';
import { pageAt } from './offer-stage.js';
import { ofFile } from '../../support/of-file.js';

/** In cents. */
const AMOUNT = 117_950;

const bench = ofFile(() => RazorpayBench.start());

it('money of another currency goes back, and is called rupees by no page, text or answer', async () => {
  const partner = partnerClient(bench.service);
  const { json } = await applyForInstantLoan(partner);
  const { applicationId, journeyId: id, redirectUrl } = json.data;
  const orderId = await orderFee(bench.records, json.data);
  await bench.untilStatus(orderId, 'OPEN');
  const payment = bench.razorpay.pay(orderId, { amount: AMOUNT, currency: 'USD' });
  await bench.callBack(bench.razorpay.webhook('payment_link.paid', orderId, { payment }));
  const standing = async (expected: string) =>
    eventually(async () => {
      await bench.workOnRefunds();
      expect(await bench.records.refunds(id)).toMatchObject([
        { status: expected, currency: 'USD', amount: AMOUNT },
      ]);
    }, PATIENT);
  await standing('PENDING');
  const waiting = await pageAt(redirectUrl);
  expect(waiting).toContain('USD 1179.50');
  expect(waiting).not.toContain('We tell you by SMS');

  const [refund] = bench.razorpay.refunds.made;
  bench.razorpay.refunds.end(refund, 'processed');
  await bench.callBack(bench.razorpay.refundWebhook('refund.processed', { ...refund }));
  await standing('DONE');
  await eventually(async () => {
    const unnoticed = 'SELECT 1 FROM payment_refunds WHERE subject_id = $1 AND tell_at IS NOT NULL';
    expect(await bench.records.query(unnoticed, [id])).toEqual([]);
  }, PATIENT);
  const texts = await bench.records.query<{ kind: string }>(
    'SELECT kind FROM sms_messages WHERE subject_id = $1',
    [id],
  );
  expect(texts).not.toContainEqual({ kind: 'REFUND_MADE' });
  const page = await pageAt(redirectUrl, 'hi');
  expect(page).toContain('USD 1179.50');
  expect(page).not.toContain('₹1,179.50');
  const { json: lead } = await partner.get(`/leads/${applicationId}/status`);
  expect(lead.data).not.toHaveProperty('refund');
});
