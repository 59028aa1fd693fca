import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AuditFile } from '../../../src/audit/index.js';
import { runAdmin } from '../../support/admin-command.js';
import { eventually } from '../../support/eventually.js';
import { applyForInstantLoan, orderFee } from '../../support/instant-loans.js';
import { partnerClient } from '../../support/partner-client.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { PATIENT, RazorpayBench } from '../payments/payment-bench.js';
import { pageAt } from './offer-stage.js';

/** In cents. */
const AMOUNT = 117_950;

let bench: RazorpayBench;

beforeAll(async () => {
  bench = await RazorpayBench.start();
});

afterAll(() => bench?.close());

async function storyOf(id: string): Promise<string> {
  const folder = scratchFolder('rinpath-currency-');
  const out = join(folder, 'loan.json');
  const url = bench.service.databaseUrl;
  const { code } = await runAdmin(url, 'audit', 'export', '--application', id, '--out', out);
  expect(code).toBe(0);
  const { story } = JSON.parse(readFileSync(out, 'utf8')) as AuditFile;
  rmSync(folder, { recursive: true });
  return story.join('\n');
}

it('money of another currency goes back, and is called rupees by no page, no text and no audit', async () => {
  const { json } = await applyForInstantLoan(partnerClient(bench.service));
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

  const story = await storyOf(applicationId);
  expect(story).toMatch(/Another amount .* was received, or another currency \(USD 1179\.50, /);
  expect(story).toMatch(
    /the money goes back; .* \(USD 1179\.50, because it is not what was ordered/,
  );
  expect(story).not.toContain('₹1,179.50');
});
