// Isolated: its process is killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Keyring, parseEnvironment } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import { TEST_MASTER_KEY } from '../../support/service.js';
import { FEE, PATIENT } from './payment-bench.js';
import { SpawnedPayments } from './spawned-payments.js';

const LEASE_MS = 45_000;
const LINKS = /^\/v1\/payment_links$/;
/** Opened at the gateway, and the process does not hear of it. */
const OPENED = 'pay_01a1fd00000070000000000000000001';
/** Paid, and the process does not come to take the callback up. */
const PAID = 'pay_01a1fd00000070000000000000000002';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let stage: SpawnedPayments;
let records: SpawnedPayments['records'];
let razorpay: SpawnedPayments['razorpay'];

/** An order as `PaymentOrders` writes it: another process works on it. */
async function insertOrder(id: string): Promise<void> {
  const { masterKeys } = parseEnvironment({ MASTER_KEY: TEST_MASTER_KEY });
  const details = {
    description: 'Processing fee',
    payeeName: 'Navdhara Finance',
    applicant: { mobile: '9876543210', pan: 'ABCPE1234F', name: 'Asha Verma' },
    returnUrl: 'http://127.0.0.1/returned',
  };
  const sealed = new Keyring(masterKeys).seal(JSON.stringify(details), 'payment_orders.details');
  await records.query(
    `INSERT INTO payment_orders (id, partner_id, subject_id, amount, details_sealed, expires_at,
       status_at, next_attempt_at, created_at)
     VALUES ($1, 'demo', 'app_killed', $2, $3, app_now() + interval '72 hours', app_now(), app_now(),
       app_now())`,
    [id, FEE, sealed],
  );
}

async function untilStatus(id: string, status: string): Promise<void> {
  await eventually(async () => {
    expect(await records.status(id)).toBe(status);
  }, PATIENT);
}

describe('killed', () => {
  let callBack: () => Promise<Response>;

  beforeAll(async () => {
    stage = await SpawnedPayments.open();
    ({ records, razorpay } = stage);
    await insertOrder(PAID);
    await untilStatus(PAID, 'OPEN');
    const payment = razorpay.pay(PAID);
    const webhook = razorpay.webhook('payment_link.paid', PAID, { payment });
    callBack = () => stage.callBack(webhook);
    const lock = await HeldLock.take(
      stage.databaseUrl,
      'SELECT 1 FROM payment_orders WHERE id = $1 FOR UPDATE',
      [PAID],
    );
    const answer = callBack().then(
      ({ status }) => status,
      () => 'no answer',
    );
    await lock.waiting('"PaymentOrder"');
    razorpay.failNext(/^POST \/v1\/payment_links$/, { keepWaiting: true });
    await insertOrder(OPENED);
    await eventually(() => razorpay.linkOf(OPENED), PATIENT);
    await stage.kill();
    await lock.release();
    expect(await answer).toBe('no answer');
    await stage.untilGone();
    await stage.restart();
  });

  afterAll(() => stage?.close());

  it('between the gateway’s deed and its answer leaves a lease; the link is found again', async () => {
    const unopened = { status: 'NEW', gateway: 'razorpay', gateway_order_id: null };
    expect(await records.order(OPENED)).toMatchObject(unopened);
    // Two looks of the new process’s worker: it leaves what is leased alone.
    await sleep(2_200);
    expect(razorpay.callsOf('POST', LINKS, OPENED)).toHaveLength(1);
    await records.travel(LEASE_MS);
    await untilStatus(OPENED, 'OPEN');
    expect(razorpay.links.size).toBe(2);
    expect(await records.order(OPENED)).toMatchObject({
      gateway_order_id: razorpay.linkOf(OPENED).id,
      url: razorpay.linkOf(OPENED).short_url,
    });
  });

  it('between a callback and its answer has taken up nothing of it, and takes it up when it is repeated', async () => {
    expect(await records.payments(PAID)).toEqual([]);
    expect((await callBack()).status).toBe(200);
    expect((await callBack()).status).toBe(200);
    expect(await records.status(PAID)).toBe('PAID');
    expect(await records.payments(PAID)).toHaveLength(1);
    expect(await records.notices(PAID)).toEqual(['PAID']);
  });
});
