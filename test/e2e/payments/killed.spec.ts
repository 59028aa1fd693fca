import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Keyring, parseEnvironment } from '../../../src/platform/index.js';
import { eventually } from '../../support/eventually.js';
import { HeldLock } from '../../support/held-lock.js';
import { TEST_MASTER_KEY } from '../../support/service.js';
import { FEE, PATIENT } from './payment-bench.js';
import { SpawnedPayments } from './spawned-payments.js';

const LEASE_MS = 45_000;
const LINKS = /^\/v1\/payment_links$/;
const ID = 'pay_01a1fd00000070000000000000000001';

// Each of these starts two processes.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let stage: SpawnedPayments;
let records: SpawnedPayments['records'];
let razorpay: SpawnedPayments['razorpay'];

beforeEach(async () => {
  stage = await SpawnedPayments.open();
  ({ records, razorpay } = stage);
});

afterEach(() => stage?.close());

/** An order as `PaymentOrders` writes it: another process works on it. */
async function insertOrder(): Promise<void> {
  const { masterKeys } = parseEnvironment({ MASTER_KEY: TEST_MASTER_KEY });
  const details = {
    description: 'Processing fee',
    applicant: { mobile: '9876543210', pan: 'ABCPE1234F', name: 'Asha Verma' },
    returnUrl: 'http://127.0.0.1/returned',
  };
  const sealed = new Keyring(masterKeys).seal(JSON.stringify(details), 'payment_orders.details');
  await records.query(
    `INSERT INTO payment_orders (id, partner_id, subject_id, amount, details_sealed, expires_at,
       status_at, next_attempt_at, created_at)
     VALUES ($1, 'demo', 'app_killed', $2, $3, app_now() + interval '72 hours', app_now(), app_now(),
       app_now())`,
    [ID, FEE, sealed],
  );
}

async function untilStatus(status: string): Promise<void> {
  await eventually(async () => {
    expect(await records.status(ID)).toBe(status);
  }, PATIENT);
}

describe('killed', () => {
  it('between the gateway’s deed and its answer leaves a lease; the link is found again', async () => {
    razorpay.failNext(/^POST \/v1\/payment_links$/, { keepWaiting: true });
    await insertOrder();
    await eventually(() => razorpay.linkOf(ID), PATIENT);
    await stage.kill();
    await stage.restart();
    expect(await records.order(ID)).toMatchObject({
      status: 'NEW',
      gateway: 'razorpay',
      gateway_order_id: null,
    });
    // Two looks of the new process’s worker: it leaves what is leased alone.
    await sleep(2_200);
    expect(razorpay.callsOf('POST', LINKS, ID)).toHaveLength(1);
    await records.travel(LEASE_MS);
    await untilStatus('OPEN');
    expect(razorpay.links.size).toBe(1);
    expect(await records.order(ID)).toMatchObject({
      gateway_order_id: razorpay.linkOf(ID).id,
      url: razorpay.linkOf(ID).short_url,
    });
  });

  it('between a callback and its answer has taken up nothing of it, and takes it up when it is repeated', async () => {
    await insertOrder();
    await untilStatus('OPEN');
    const payment = razorpay.pay(ID);
    const webhook = razorpay.webhook('payment_link.paid', ID, { payment });
    const post = () => stage.callBack(webhook);
    const lock = await HeldLock.take(
      stage.databaseUrl,
      'SELECT 1 FROM payment_orders WHERE id = $1 FOR UPDATE',
      [ID],
    );
    const answer = post().then(
      ({ status }) => status,
      () => 'no answer',
    );
    await lock.waiting('"PaymentOrder"');
    await stage.kill();
    await lock.release();
    expect(await answer).toBe('no answer');
    await stage.untilGone();
    expect(await records.payments(ID)).toEqual([]);
    await stage.restart();
    expect((await post()).status).toBe(200);
    expect((await post()).status).toBe(200);
    expect(await records.status(ID)).toBe('PAID');
    expect(await records.payments(ID)).toHaveLength(1);
    expect(await records.notices(ID)).toEqual(['PAID']);
  });
});
