import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { FakeRazorpay } from '../../support/fake-razorpay.js';
import { HeldLock } from '../../support/held-lock.js';
import { applyForInstantLoan } from '../../support/instant-loans.js';
import { partnerClient } from '../../support/partner-client.js';
import { type SpawnedService, spawnService } from '../../support/spawned-service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';
import { PATIENT, PaymentRecords, razorpayConfig } from '../payments/payment-bench.js';

const LEASE_MS = 46_000;
const REFUND = /^POST \/v1\/payments\/\w+\/refund$/;

// It starts a process for every point at which one is killed.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let database: TestDatabase;
let records: PaymentRecords;
let razorpay: FakeRazorpay;
let config: ReturnType<typeof razorpayConfig>;
let service: SpawnedService;

beforeEach(async () => {
  database = await createTestDatabase();
  records = new PaymentRecords(database.url);
  razorpay = await new FakeRazorpay().start();
  config = razorpayConfig(razorpay.url);
  await start();
});

afterEach(async () => {
  await service?.kill();
  config.remove();
  await razorpay.stop();
  await records.close();
  await database.drop();
});

async function start(): Promise<void> {
  service = await spawnService({ databaseUrl: database.url, env: { CONFIG_FILE: config.file } });
}

async function kill(): Promise<void> {
  await service.kill('SIGKILL');
}

async function restart(): Promise<void> {
  await records.untilNobodyIsConnected();
  await start();
}

/** An application whose lender declines, and the order of its fee. */
async function apply(): Promise<{ id: string; orderId: string }> {
  const { json } = await applyForInstantLoan(partnerClient(service), { pan: 'SANDX0001A' });
  const { applicationId: id } = json.data;
  const [row] = await records.query<{ orderId: string }>(
    'SELECT payment_order_id AS "orderId" FROM instant_loans WHERE id = $1',
    [id],
  );
  await eventually(async () => expect(await records.status(row.orderId)).toBe('OPEN'), PATIENT);
  return { id, orderId: row.orderId };
}

function callBack(webhook: { headers: Record<string, string>; body: string }): Promise<Response> {
  const url = `${service.baseUrl}/callbacks/payments/razorpay`;
  return fetch(url, { method: 'POST', ...webhook });
}

async function statuses(id: string): Promise<string[]> {
  return (await records.refunds(id)).map(({ status }) => status);
}

async function reaches(id: string, ...expected: string[]): Promise<void> {
  await eventually(async () => expect(await statuses(id)).toEqual(expected), PATIENT);
}

async function count(sql: string, id: string): Promise<number> {
  return (await records.query(sql, [id])).length;
}

it('killed at every point between decline, refund asked and refund recorded, the refund is made once', async () => {
  const { id, orderId } = await apply();
  const payment = razorpay.pay(orderId);

  // The lender has declined, and nothing of it is recorded yet: the application's row is held.
  await callBack(razorpay.webhook('payment_link.paid', orderId, { payment }));
  const received = `SELECT 1 FROM instant_loans WHERE id = $1 AND status = 'PAYMENT_RECEIVED'`;
  await eventually(async () => expect(await count(received, id)).toBe(1), PATIENT);
  const held = await HeldLock.take(
    database.url,
    'SELECT 1 FROM instant_loans WHERE id = $1 FOR UPDATE',
    [id],
  );
  const declined = 'SELECT 1 FROM lender_inbox WHERE subject_id = $1 AND consumed_at IS NULL';
  await eventually(async () => expect(await count(declined, id)).toBe(1), PATIENT);
  await kill();
  await held.release();
  expect(await statuses(id)).toEqual([]);

  // Recorded, and not asked for: no call arrives.
  razorpay.failNext(REFUND, ...Array.from({ length: 40 }, () => ({ hangUp: true }) as const));
  await restart();
  await reaches(id, 'REQUESTED');
  await kill();
  expect(razorpay.refunds.made).toEqual([]);

  // Asked for and made, and the answer never recorded.
  razorpay.recover();
  razorpay.failNext(REFUND, { keepWaiting: true });
  await restart();
  await records.travel(LEASE_MS);
  await eventually(() => expect(razorpay.refunds.made).toHaveLength(1), PATIENT);
  await kill();
  expect(await statuses(id)).toEqual(['REQUESTED']);

  await restart();
  await records.travel(LEASE_MS);
  await reaches(id, 'PENDING');

  // It is done, and the callback that says so is not recorded yet.
  const [refund] = razorpay.refunds.made;
  const done = razorpay.refundWebhook(
    'refund.processed',
    razorpay.refunds.end(refund, 'processed'),
  );
  const row = await HeldLock.take(
    database.url,
    'SELECT 1 FROM payment_refunds WHERE subject_id = $1 FOR UPDATE',
    [id],
  );
  const answer = callBack(done).then(
    ({ status }) => status,
    () => 'no answer',
  );
  await row.waiting('"PaymentRefund"');
  await kill();
  await row.release();
  expect(await answer).toBe('no answer');
  expect(await statuses(id)).toEqual(['PENDING']);

  // It is recorded, and the applicant is not told yet.
  await restart();
  const application = await HeldLock.take(
    database.url,
    'SELECT 1 FROM instant_loans WHERE id = $1 FOR UPDATE',
    [id],
  );
  expect((await callBack(done)).status).toBe(200);
  await reaches(id, 'DONE');
  await kill();
  await application.release();
  const told = `SELECT 1 FROM sms_messages WHERE subject_id = $1 AND kind = 'REFUND_MADE'`;
  expect(await count(told, id)).toBe(0);
  await restart();
  await eventually(async () => expect(await count(told, id)).toBe(1), PATIENT);

  expect((await callBack(done)).status).toBe(200);
  expect(razorpay.refunds.made).toHaveLength(1);
  expect(razorpay.refunds.totalOf(payment.id)).toBe(payment.amount);
  expect(await statuses(id)).toEqual(['DONE']);
  expect(await count(told, id)).toBe(1);
});
