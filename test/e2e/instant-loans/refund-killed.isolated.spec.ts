// Isolated: its process is killed.
import { afterEach, expect, it, vi } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import { applyForInstantLoan, orderFee } from '../../support/instant-loans.js';
import { inForm, IS_LONG_FORM } from '../../support/long-form.js';
import { partnerClient } from '../../support/partner-client.js';
import { PATIENT } from '../payments/payment-bench.js';
import { SpawnedPayments } from '../payments/spawned-payments.js';

const LEASE_MS = 46_000;
const REFUND = /^POST \/v1\/payments\/\w+\/refund$/;
const UNREACHABLE = Array.from({ length: 200 }, () => ({ hangUp: true }) as const);
const TOLD = `SELECT 1 FROM sms_messages WHERE subject_id = $1 AND kind = 'REFUND_MADE'`;
const FOLLOW = /^GET \/v1\/(refunds|payments)\//;

// It starts a process for every point at which one is killed.
vi.setConfig({ testTimeout: inForm({ short: 300_000, long: 240_000 }), hookTimeout: 120_000 });

let stage: SpawnedPayments;
let records: SpawnedPayments['records'];
let razorpay: SpawnedPayments['razorpay'];

afterEach(() => stage?.close());

/** An application whose lender declines once it is paid, and the order of its fee. */
async function apply(): Promise<{ id: string; orderId: string }> {
  const { json } = await applyForInstantLoan(partnerClient(stage.service), { pan: 'SANDX0013A' });
  const orderId = await orderFee(records, json.data);
  return { id: json.data.applicationId, orderId };
}

/** Stands still whoever is to change the application. */
function holdApplication(id: string): Promise<HeldLock> {
  const sql = 'SELECT 1 FROM instant_loans WHERE id = $1 FOR UPDATE';
  return HeldLock.take(stage.databaseUrl, sql, [id]);
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

/**
 * Recorded, and not asked for: no call arrives. A new process asks for it, while the others stand still.
 * @returns what ends that
 */
async function killBeforeItIsAskedFor(): Promise<() => void> {
  await stage.kill();
  expect(razorpay.refunds.made).toEqual([]);
  const goOn = stage.freeze();
  razorpay.recover();
  razorpay.failNext(REFUND, { keepWaiting: true });
  await stage.restart();
  await records.travel(LEASE_MS);
  return goOn;
}

/** The refund is recorded, and the applicant is not told yet. */
async function killBeforeItIsTold(id: string, application: HeldLock): Promise<void> {
  const [telling] = await application.waiting('"InstantLoan"');
  await stage.kill(telling.name);
  expect(await count(TOLD, id)).toBe(0);
  await application.release();
  if (!stage.isAnyRunning) await stage.restart();
}

const ONE = ['a process of its own', 1] as const;
const TWO = ['two replicas', 2] as const;

it.each(inForm({ short: [ONE], long: [ONE, TWO] }))(
  'killed between decline, refund asked and refund recorded, the refund is made once: %s',
  async (_, replicas) => {
    stage = await SpawnedPayments.open(replicas);
    ({ records, razorpay } = stage);
    const { id, orderId } = await apply();
    const payment = razorpay.pay(orderId);
    if (IS_LONG_FORM) razorpay.failNext(REFUND, ...UNREACHABLE);
    else razorpay.failNext(REFUND, { keepWaiting: true });

    // The lender has declined, and nothing of it is recorded yet.
    const held = await HeldLock.atWrite(
      stage.databaseUrl,
      'BEFORE UPDATE ON instant_loans',
      `NEW.status = 'REJECTED'`,
    );
    await stage.callBack(razorpay.webhook('payment_link.paid', orderId, { payment }));
    const [recording] = await held.waiting('UPDATE instant_loans');
    await stage.kill(recording.name);
    expect(await statuses(id)).toEqual([]);
    await held.release();

    await stage.restart();
    await reaches(id, 'REQUESTED');
    const goOn = IS_LONG_FORM ? await killBeforeItIsAskedFor() : () => undefined;

    // Asked for and made, and the answer never recorded.
    await eventually(() => expect(razorpay.refunds.made).toHaveLength(1), PATIENT);
    await stage.kill(stage.newest);
    expect(await statuses(id)).toEqual(['REQUESTED']);
    goOn();

    await stage.restart();
    await records.travel(LEASE_MS);
    await reaches(id, 'PENDING');

    // It is done, and the callback that says so is not recorded yet. Nothing else says so: the other replica would
    // record what it finds itself.
    razorpay.failNext(FOLLOW, ...UNREACHABLE);
    const [refund] = razorpay.refunds.made;
    const done = razorpay.refundWebhook(
      'refund.processed',
      razorpay.refunds.end(refund, 'processed'),
    );
    const row = await HeldLock.take(
      stage.databaseUrl,
      'SELECT 1 FROM payment_refunds WHERE subject_id = $1 FOR UPDATE',
      [id],
    );
    const answer = stage.callBack(done).then(
      ({ status }) => status,
      () => 'no answer',
    );
    const [taking] = await row.waiting('"PaymentRefund"');
    await stage.kill(taking.name);
    await row.release();
    expect(await answer).toBe('no answer');
    expect(await statuses(id)).toEqual(['PENDING']);

    await stage.restart();
    const application = IS_LONG_FORM ? await holdApplication(id) : null;
    expect((await stage.callBack(done)).status).toBe(200);
    await reaches(id, 'DONE');
    if (application) await killBeforeItIsTold(id, application);
    await eventually(async () => expect(await count(TOLD, id)).toBe(1), PATIENT);

    expect((await stage.callBack(done)).status).toBe(200);
    expect(razorpay.refunds.made).toHaveLength(1);
    expect(razorpay.refunds.totalOf(payment.id)).toBe(payment.amount);
    expect(await statuses(id)).toEqual(['DONE']);
    expect(await count(TOLD, id)).toBe(1);
  },
);
