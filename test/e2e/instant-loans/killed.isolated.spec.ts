// Isolated: its process is killed.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { configurationWith, type TestConfiguration } from '../../support/configuration-with.js';
import { eventually } from '../../support/eventually.js';
import { FakeRazorpay, RAZORPAY_ACCOUNT, type Webhook } from '../../support/fake-razorpay.js';
import { freePort } from '../../support/free-port.js';
import {
  ApplicantBrowser,
  applyForInstantLoan,
  openGateway,
  untilOffered,
} from '../../support/instant-loans.js';
import { KillableService, TEST_MS } from '../replicas/killable-service.js';
import { PATIENT } from './instant-loan-bench.js';

vi.setConfig({ testTimeout: TEST_MS, hookTimeout: TEST_MS });

const LEASE_MS = 46_000;

let razorpay: FakeRazorpay;
let configuration: TestConfiguration;
let service: KillableService;

beforeAll(async () => {
  razorpay = await new FakeRazorpay().start();
  const account = { ...RAZORPAY_ACCOUNT, apiBaseUrl: razorpay.url };
  configuration = configurationWith({ payment: { gateway: 'razorpay', razorpay: account } });
  const env = { CONFIG_FILE: configuration.file };
  service = await KillableService.open({ port: await freePort(), env });
});

afterAll(async () => {
  await service?.close();
  configuration?.remove();
  await razorpay?.stop();
});

async function valuesOf(sql: string, id: string): Promise<string[]> {
  const rows = await service.records.query<{ value: string }>(sql, [id]);
  return rows.map(({ value }) => value);
}

const ordersOf = (id: string) =>
  valuesOf('SELECT status AS value FROM payment_orders WHERE subject_id = $1', id);
const refundsOf = (id: string) =>
  valuesOf('SELECT status AS value FROM payment_refunds WHERE subject_id = $1', id);
const textsOf = (id: string) =>
  valuesOf(
    `SELECT id AS value FROM sms_messages WHERE subject_id = $1 AND kind = 'REFUND_MADE'`,
    id,
  );

const becomes = (read: () => Promise<unknown>, expected: unknown) =>
  eventually(async () => expect(await read()).toEqual(expected), PATIENT);

async function callBack({ headers, body }: Webhook): Promise<number | string> {
  const url = `${service.baseUrl}/callbacks/payments/razorpay`;
  const answer = fetch(url, { method: 'POST', headers, body });
  return answer.then(
    ({ status }) => status,
    () => 'no answer',
  );
}

async function restart(): Promise<void> {
  await service.records.untilNobodyIsConnected();
  await service.start();
}

it('killed between order, payment, decline, refund asked and refund recorded, the fee is ordered, paid and refunded once', async () => {
  const { json } = await applyForInstantLoan(service.partner, { pan: 'SANDX0013A' });
  const { journeyId: id, redirectUrl } = json.data;
  const state = () => service.records.state(id);

  // Ordered at the gateway, and the answer is not recorded.
  await untilOffered(new ApplicantBrowser(), redirectUrl);
  razorpay.failNext(/^POST \/v1\/payment_links$/, { keepWaiting: true });
  const pressed = new ApplicantBrowser().press(redirectUrl).catch(() => 'no answer');
  await eventually(() => expect(razorpay.links.size).toBe(1), PATIENT);
  await service.kill();
  await pressed;
  expect(await ordersOf(id)).toEqual(['NEW']);
  await restart();
  await service.records.travel(LEASE_MS);
  await becomes(() => ordersOf(id), ['OPEN']);
  const [{ reference_id: orderId, short_url: page }] = razorpay.links.values();
  expect(await openGateway(new ApplicantBrowser(), redirectUrl)).toBe(page);

  // The payment is recorded, and what follows from it is not.
  const payment = razorpay.pay(orderId);
  const paid = razorpay.webhook('payment_link.paid', orderId, { payment });
  const audit = await service.hold('LOCK TABLE journey_audit IN SHARE MODE');
  const begun = callBack(paid);
  await audit.waiting('journey_audit');
  const requesting = await service.holdWrite('BEFORE INSERT ON payment_refunds', 'true');
  await service.killAt(audit);
  await begun;
  expect([await state(), await ordersOf(id)]).toEqual(['FEE_PENDING', ['PAID']]);

  // Declined, and the refund is not requested.
  await service.start();
  await requesting.waiting('"payment_refunds"');
  expect([await state(), await refundsOf(id)]).toEqual(['REJECTED', []]);
  await service.killAt(requesting);

  // Made at the gateway, and the answer is not recorded.
  razorpay.failNext(/^POST \/v1\/payments\/\w+\/refund$/, { keepWaiting: true });
  await service.start();
  await eventually(() => expect(razorpay.refunds.made).toHaveLength(1), PATIENT);
  await service.kill();
  expect(await refundsOf(id)).toEqual(['REQUESTED']);
  await restart();
  await service.records.travel(LEASE_MS);
  await becomes(() => refundsOf(id), ['PENDING']);

  const [refund] = razorpay.refunds.made;
  const ended = razorpay.refunds.end(refund, 'processed');
  const done = razorpay.refundWebhook('refund.processed', ended);
  for (const webhook of [done, done, paid]) expect(await callBack(webhook)).toBe(200);
  await becomes(() => refundsOf(id), ['DONE']);
  await eventually(async () => expect(await textsOf(id)).toHaveLength(1), PATIENT);
  expect([razorpay.links.size, razorpay.refunds.made.length]).toEqual([1, 1]);
  expect(razorpay.refunds.totalOf(payment.id)).toBe(payment.amount);
  expect(await ordersOf(id)).toEqual(['PAID']);
  const decisions = `SELECT id AS value FROM lender_questions
    WHERE subject_id = $1 AND kind = 'DECISION'`;
  expect(await valuesOf(decisions, id)).toHaveLength(1);
  const steps = await service.records.trail(id);
  expect(steps).toEqual([...new Set(steps)]);
  for (const step of ['FEE_ORDERED', 'FEE_TAKEN', 'LOAN_DECLINED', 'FEE_RETURNED'])
    expect(steps).toContain(step);
});
